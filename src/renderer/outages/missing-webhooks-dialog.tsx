import type { MissingWebhookList, MissingWebhookRange, MissingWebhookRow } from '../../contract/index.ts';
import { useAction, useBackend, useQuery } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { DateTime } from '../controls/formatted-values.tsx';
import { Skeleton } from '../controls/skeleton.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { SortableTable, type TableColumn } from '../grid/sortable-table/sortable-table.tsx';
import { closeDialog } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { saveFile } from '../window-shell/save-file.ts';

const text = texts.missingWebhooks;
/** Maximum number of webhooks listed in the dialog. The exported file contains all. Chosen by judgment. */
const MAX_ROWS = 200;

interface MissingWebhooksProps {
  readonly site: string;
  readonly range: MissingWebhookRange;
}

/** Dialog that lists the webhooks that the service must have generated in a time range, and what is unknown. */
export function MissingWebhooksDialog({ site, range }: MissingWebhooksProps) {
  const { data: list, error } = useQuery('missingWebhooks.list', { site, range, limit: MAX_ROWS });
  const { connection } = useBackend();
  const reading = useAction(() => connection.client.missingWebhooks.readEvents({ site, range }));
  const saving = useAction(async (format: 'csv' | 'json') => {
    const file = await connection.client.missingWebhooks.export({ site, range, format });
    await saveFile({ bytes: await connection.readBlob(file.blob), name: file.name, type: file.type });
  });
  const canRead = list !== undefined && list.coverage.feed !== 'complete';
  return (
    <Dialog
      title={text.title}
      size="wide"
      dismissable
      onClose={closeDialog}
      footer={
        <>
          <span className="push">
            {canRead && (
              <Button isPending={reading.running} onPress={() => void reading.run()}>
                {text.readEvents}
              </Button>
            )}
            <Button isPending={saving.running} onPress={() => void saving.run('csv')}>
              {text.saveCsv}
            </Button>
            <Button isPending={saving.running} onPress={() => void saving.run('json')}>
              {text.saveJson}
            </Button>
          </span>
          <Button kind="primary" onPress={closeDialog}>
            {text.close}
          </Button>
        </>
      }
    >
      <p>{text.intro}</p>
      {[error, reading.error, saving.error].map(
        (each) => each && <ErrorMessage key={each.message} error={each} />,
      )}
      {!list && !error && <Skeleton lines={8} />}
      {list && <MissingWebhookFindings list={list} />}
    </Dialog>
  );
}

function MissingWebhookFindings({ list }: { readonly list: MissingWebhookList }) {
  const { missing, unconfirmed, unknown, rows, more } = list;
  return (
    <>
      <p>
        <strong>{missing + unconfirmed === 0 ? text.none : text.summary(missing, unconfirmed)}</strong>
      </p>
      {text.describeUnknown(unknown).map((line) => (
        <p key={line}>{line}</p>
      ))}
      {rows.length > 0 && (
        <SortableTable label={text.grid} columns={columns} rows={rows} idOf={({ id }) => id} />
      )}
      {more > 0 && <p className="fineprint">{text.more(more)}</p>}
    </>
  );
}

const describeStatus = ({ uncertainty }: MissingWebhookRow): string =>
  uncertainty === null ? text.missing : text.uncertainties[uncertainty];
const describeSources = ({ sources }: MissingWebhookRow): string =>
  sources.map((source) => text.sources[source]).join(', ');
/** Returns the id of the transaction, statement, component or event that the webhook reports. */
const findRecordId = (row: MissingWebhookRow): number | null =>
  row.transaction_id ?? row.statement_id ?? row.component_id ?? row.event_id;

const columns: readonly TableColumn<MissingWebhookRow>[] = [
  {
    id: 'at',
    title: text.columns.at,
    sortValue: ({ at }) => at,
    cell: ({ at }) => <DateTime at={at} />,
    copy: ({ at }) => ({ text: at }),
  },
  createTextColumn('event', ({ event }) => event),
  createIdColumn('subscription', ({ subscription_id }) => subscription_id),
  createIdColumn('record', findRecordId),
  createTextColumn('status', describeStatus),
  createTextColumn('sources', describeSources),
];

function createTextColumn(
  id: keyof typeof text.columns,
  read: (row: MissingWebhookRow) => string,
): TableColumn<MissingWebhookRow> {
  return { id, title: text.columns[id], sortValue: read, cell: read, copy: (row) => ({ text: read(row) }) };
}

function createIdColumn(
  id: keyof typeof text.columns,
  read: (row: MissingWebhookRow) => number | null,
): TableColumn<MissingWebhookRow> {
  const toText = (row: MissingWebhookRow) => String(read(row) ?? '');
  return {
    id,
    title: text.columns[id],
    alignEnd: true,
    sortValue: read,
    cell: toText,
    copy: (row) => ({ exact: toText(row) }),
  };
}
