import type { LedgerImport } from '../../../contract/index.ts';
import { useContractClient, useQuery } from '../../backend-client/backend-hooks.ts';
import { CommandButton } from '../../commands/command-button.tsx';
import { Button } from '../../controls/button.tsx';
import { Panel } from '../../controls/panel.tsx';
import { Skeleton } from '../../controls/skeleton.tsx';
import { ErrorMessage } from '../../errors/error-message.tsx';
import { SortableTable, type TableColumn } from '../../grid/sortable-table/sortable-table.tsx';
import { ReasonDialog } from '../../layout/reason-dialog.tsx';
import { openDialog } from '../../navigation/window-state.ts';
import { texts } from '../../texts/texts.ts';
import { createCentsColumn, createCountColumn, createTextColumn } from './ledger-columns.tsx';

const text = texts.generalLedger.files;
const titles = text.columns;

const columns: readonly TableColumn<LedgerImport>[] = [
  createTextColumn('file', titles.file, ({ file }) => file),
  createTextColumn('kind', titles.kind, ({ kind }) => text.kinds[kind]),
  {
    ...createTextColumn<LedgerImport>('days', titles.days, ({ first_on, last_on }) =>
      texts.generalLedger.import.days(first_on, last_on),
    ),
    sortValue: ({ last_on }) => last_on,
  },
  createCountColumn('rows', titles.rows, ({ rows }) => rows),
  createCentsColumn('debit', titles.debit, ({ debit_in_cents }) => debit_in_cents),
  createCentsColumn('credit', titles.credit, ({ credit_in_cents }) => credit_in_cents),
  {
    id: 'remove',
    title: '',
    cell: (row) =>
      row.state === 'removed' ? (
        <span title={text.removedBy(row.removed_by ?? '', row.removed_reason ?? '')}>{text.removed}</span>
      ) : (
        <Button
          kind="quiet"
          size="small"
          onPress={() => openDialog({ kind: 'removeLedgerImport', ledgerImport: row })}
        >
          {text.remove}
        </Button>
      ),
    copy: ({ state }) => ({ text: state === 'removed' ? text.removed : '' }),
  },
];

/** Panel that lists the imported ledger files. */
export function LedgerFilesPanel({ site }: { readonly site: string }) {
  const { data, error } = useQuery('ledger.imports', { site });
  return (
    <Panel level={2} title={text.title} aside={<CommandButton id="ledger.import" kind="primary" />}>
      <p className="prose">{text.lead}</p>
      {error && <ErrorMessage error={error} site={site} />}
      {!data && !error && <Skeleton />}
      {data?.length === 0 && <p>{text.empty}</p>}
      {data && data.length > 0 && (
        <SortableTable label={text.title} columns={columns} rows={data} idOf={({ id }) => id} />
      )}
    </Panel>
  );
}

interface RemoveLedgerImportProps {
  readonly site: string;
  readonly ledgerImport: LedgerImport;
}

/** Dialog for removing the rows of a ledger import. Requires a reason. */
export function RemoveLedgerImportDialog({ site, ledgerImport: { id, file } }: RemoveLedgerImportProps) {
  const client = useContractClient();
  return (
    <ReasonDialog
      site={site}
      title={text.removeTitle(file)}
      submitLabel={text.remove}
      placeholder={text.removePlaceholder}
      size="small"
      danger
      focusReason
      onSubmit={(reason) => client.ledger.removeImport({ site, id, reason })}
      successText={({ rows }) => text.removeDone(rows)}
    >
      <p>{text.removeText}</p>
    </ReasonDialog>
  );
}
