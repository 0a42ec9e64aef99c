import { useState } from 'react';
import type { ArchiveFile } from '../../contract/index.ts';
import { useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { Skeleton } from '../controls/skeleton.tsx';
import { TableHead } from '../controls/table-head.tsx';
import { ReasonDialog } from '../layout/reason-dialog.tsx';
import { formatDate } from '../texts/moments.ts';
import { formatBytes } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';

const text = texts.archive.deleteDialog;
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
  const select = (ids: readonly number[], on: boolean) => {
    const next = new Set(selectedIds);
    for (const id of ids) {
      if (on) next.add(id);
      else next.delete(id);
    }
    setSelectedIds(next);
  };
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
              onChange={(event) =>
                select(
                  rows.map(({ statement }) => statement),
                  event.target.checked,
                )
              }
            />
            {text.all(rows.length)}{' '}
            <span className="fineprint">{selectedFiles.length > 0 && formatBytes(bytes)}</span>
          </label>
          <div className="archive-list">
            <FileTable rows={rows} selectedIds={selectedIds} onSelect={select} />
          </div>
          {summary && summary.past_retention > rows.length && (
            <p className="fineprint">{text.first(rows.length, summary.past_retention)}</p>
          )}
        </>
      )}
    </ReasonDialog>
  );
}

interface FileTableProps {
  readonly rows: readonly ArchiveFile[];
  readonly selectedIds: ReadonlySet<number>;
  readonly onSelect: (ids: readonly number[], on: boolean) => void;
}

function FileTable({ rows, selectedIds, onSelect }: FileTableProps) {
  const titles = text.columns;
  return (
    <table className="table">
      <TableHead
        titles={[
          titles.statement,
          titles.customer,
          titles.date,
          titles.until,
          { end: titles.versions },
          { end: titles.size },
        ]}
      />
      <tbody>
        {rows.map(({ statement, customer, date, kept_until, versions, bytes }) => (
          <tr key={statement}>
            <th scope="row">
              <label className="archive-checkbox">
                <input
                  type="checkbox"
                  aria-label={text.selectStatement(statement)}
                  checked={selectedIds.has(statement)}
                  onChange={(event) => onSelect([statement], event.target.checked)}
                />
                {statement}
              </label>
            </th>
            <td className="archive-reason">{customer}</td>
            <td>{date && formatDate(date)}</td>
            <td>{kept_until && formatDate(kept_until)}</td>
            <td className="table-end">{versions.length}</td>
            <td className="table-end">{formatBytes(bytes)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
