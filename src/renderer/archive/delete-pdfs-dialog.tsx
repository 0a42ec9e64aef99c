import { useState } from 'react';
import type { ArchiveFile } from '../../contract/index.ts';
import { useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { Skeleton } from '../controls/skeleton.tsx';
import { DataTable } from '../controls/table-head.tsx';
import { ReasonDialog } from '../layout/reason-dialog.tsx';
import { formatDate } from '../texts/date-times.ts';
import { formatBytes } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';

const text = texts.archive.deleteDialog;
const titles = text.columns;
/** Maximum number of listed files, chosen so that a person can review the list. */
const MAX_LISTED_FILES = 500;

/** Dialog for deleting selected PDFs that are past retention and not on hold. */
export function DeletePdfsDialog({ site }: { readonly site: string }) {
  const client = useContractClient();
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<number>>(new Set());
  const { data: files } = useQuery('archive.files', {
    site,
    only: 'past_retention',
    limit: MAX_LISTED_FILES,
  });
  const { data: summary } = useQuery('archive.summary', { site });
  const rows = files?.rows ?? [];
  const selectedFiles = rows.filter(({ statement }) => selectedIds.has(statement));
  const bytes = selectedFiles.reduce((sum, file) => sum + file.bytes, 0);
  const isAllSelected = rows.length > 0 && selectedFiles.length === rows.length;
  return (
    <ReasonDialog
      site={site}
      title={text.title}
      submitLabel={text.run(selectedFiles.length)}
      placeholder={text.placeholder}
      size="wide"
      danger
      blockedReason={selectedFiles.length === 0 ? text.none : null}
      onSubmit={async (reason) => {
        const statements = selectedFiles.map(({ statement }) => statement);
        const { list } = await client.archive.deletable({ site, statements });
        return client.archive.delete({ site, statements, list, reason });
      }}
      successText={(gone) => text.done(gone.statements, gone.bytes)}
    >
      <p>{text.text}</p>
      {files === undefined && <Skeleton lines={5} />}
      {files && rows.length === 0 && <p>{text.empty}</p>}
      {rows.length > 0 && (
        <>
          <label className="archive-checkbox">
            <input
              type="checkbox"
              checked={isAllSelected}
              onChange={({ target }) =>
                setSelectedIds(new Set(target.checked ? rows.map(({ statement }) => statement) : []))
              }
            />
            {text.all(rows.length)}{' '}
            <span className="fineprint">{selectedFiles.length > 0 && formatBytes(bytes)}</span>
          </label>
          <DeletablePdfTable
            files={rows}
            selectedIds={selectedIds}
            onToggle={(id) => setSelectedIds(selectedIds.symmetricDifference(new Set([id])))}
          />
          {summary && summary.past_retention > rows.length && (
            <p className="fineprint">{text.first(rows.length, summary.past_retention)}</p>
          )}
        </>
      )}
    </ReasonDialog>
  );
}

interface DeletablePdfTableProps {
  readonly files: readonly ArchiveFile[];
  readonly selectedIds: ReadonlySet<number>;
  onToggle(statement: number): void;
}

function DeletablePdfTable({ files, selectedIds, onToggle }: DeletablePdfTableProps) {
  return (
    <div className="archive-list">
      <DataTable
        titles={[
          titles.statement,
          { text: titles.customer, cellClass: 'archive-reason' },
          titles.date,
          titles.until,
          { end: titles.versions },
          { end: titles.size },
        ]}
        rows={files.map(({ statement, customer, date, kept_until, versions, bytes }) => ({
          key: statement,
          cells: [
            <label key="statement" className="archive-checkbox">
              <input
                type="checkbox"
                aria-label={text.selectStatement(statement)}
                checked={selectedIds.has(statement)}
                onChange={() => onToggle(statement)}
              />
              {statement}
            </label>,
            customer,
            date && formatDate(date),
            kept_until && formatDate(kept_until),
            versions.length,
            formatBytes(bytes),
          ],
        }))}
      />
    </div>
  );
}
