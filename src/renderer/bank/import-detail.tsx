import type { BankImport, Site } from '../../contract/index.ts';
import { useAction, useBackend, useQuery } from '../backend-client/backend-hooks.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { Button } from '../controls/button.tsx';
import { downloadBytes } from '../controls/download-file.ts';
import { Panel } from '../controls/panel.tsx';
import { DateTime, FactList } from '../controls/values.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { DetailPlaceholder } from '../layout/detail-placeholder.tsx';
import { DetailPane } from '../layout/screen.tsx';
import { openDialog, setFilter } from '../navigation/window-state.ts';
import { formatDate } from '../texts/moments.ts';
import { formatBytes } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';
import { ImportRows } from './import-rows.tsx';

const text = texts.bank;
const MAX_REJECTED_ROWS = 500;

/** Shows one bank import: its file, its rejected rows, and a button to remove the import. */
export function ImportDetail({ site, id }: { readonly site: Site; readonly id: number }) {
  const { data: bankImport, error, loading } = useQuery('bank.getImport', { site: site.site, id });
  const { data: rows } = useQuery('bank.importRows', { site: site.site, id, limit: MAX_REJECTED_ROWS });
  const { connection } = useBackend();
  const saving = useAction(async () => {
    const file = await connection.client.bank.source({ site: site.site, id });
    downloadBytes(await connection.readBlob(file.blob), file.name, file.type);
  });
  const actions = <CommandButton id="view.closeDetail" kind="quiet" iconOnly />;
  if (!bankImport || (error && !loading)) {
    return (
      <DetailPlaceholder
        title={text.importDetail(id)}
        actions={actions}
        error={error}
        notFoundText={text.importNotFound}
      />
    );
  }
  return (
    <DetailPane
      label={text.importDetail(id)}
      actions={actions}
      head={
        <>
          <h2>{bankImport.file}</h2>
          <p>
            <span>{bankImport.account.name}</span>
            <span>{text.importStates[bankImport.state]}</span>
          </p>
        </>
      }
    >
      <div className="detail-body">
        {bankImport.removed && (
          <p className="callout">{text.removedBecause(bankImport.removed.user, bankImport.removed.reason)}</p>
        )}
        <div className="decisions">
          <Button onPress={() => setFilter('bank', { import: id })}>{text.showLines}</Button>
          <Button isPending={saving.running} onPress={() => void saving.run()}>
            {text.saveFile}
          </Button>
          {bankImport.state === 'done' && (
            <Button
              kind="danger"
              onPress={() => openDialog({ kind: 'removeImport', id, lines: bankImport.rows.new })}
            >
              {text.removeImport}
            </Button>
          )}
        </div>
        {saving.error && <ErrorMessage error={saving.error} />}
        <FactList rows={factsOf(bankImport)} />
        <Panel title={text.rejectedRows}>
          {rows?.rows.length === 0 ? (
            <p className="fineprint">{text.noneRejected}</p>
          ) : (
            rows && <ImportRows rows={rows.rows} currency={null} />
          )}
        </Panel>
      </div>
    </DetailPane>
  );
}

function factsOf(bankImport: BankImport): Parameters<typeof FactList>[0]['rows'] {
  const { rows, first_on, last_on } = bankImport;
  const verdicts = (['new', 'duplicate', 'failed', 'skipped'] as const).filter(
    (verdict) => rows[verdict] > 0,
  );
  return [
    [text.importedAt, <DateTime key="at" at={bankImport.at} />],
    [text.by, bankImport.user],
    [text.format, bankImport.dialect],
    [text.rowCounts, verdicts.map((verdict) => text.verdictCounts[verdict](rows[verdict])).join(', ')],
    first_on === null || last_on === null
      ? null
      : [text.bookingDates, `${formatDate(first_on)} – ${formatDate(last_on)}`],
    [text.fileSize, formatBytes(bankImport.bytes)],
    [
      text.sha256,
      <code key="sha256" className="bank-sha256">
        {bankImport.sha256}
      </code>,
    ],
  ];
}
