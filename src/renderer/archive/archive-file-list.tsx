import { Download, Lock } from 'lucide-react';
import { useState } from 'react';
import type { ArchiveFile } from '../../contract/index.ts';
import { useAction, useBackend, useQuery } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { CopyButton } from '../controls/copy-button.tsx';
import { TextInput } from '../controls/form-fields.tsx';
import { DateTime } from '../controls/formatted-values.tsx';
import { Link } from '../controls/link.tsx';
import { Panel } from '../controls/panel.tsx';
import { StatusLabel } from '../controls/status-label.tsx';
import { TableHead } from '../controls/table-head.tsx';
import { formatError } from '../errors/error-texts.ts';
import { openRecordLocation, recordLocations } from '../navigation/record-location.ts';
import { showNotice } from '../navigation/window-state.ts';
import { formatDate } from '../texts/date-times.ts';
import { formatBytes } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';
import { saveFile } from '../window-shell/save-file.ts';

const text = texts.archive;
/** Number of statements listed initially, chosen by judgment. “Show more” triples it. */
const INITIAL_LIMIT = 10;
const MAX_LIMIT = 1000;

/** Lists the archived PDFs of the matching statements, with all versions. */
export function ArchiveFileList({ site }: { readonly site: string }) {
  const [searchText, setSearchText] = useState('');
  const [limit, setLimit] = useState(INITIAL_LIMIT);
  const filter = searchText.trim() === '' ? {} : { search: searchText.trim() };
  const { data: files } = useQuery('archive.files', { site, limit, filter });
  const titles = text.fileColumns;
  return (
    <Panel level={2} title={text.filesTitle}>
      <TextInput label={text.filesFind} value={searchText} onChange={setSearchText} maxLength={200} />
      {files?.rows.length === 0 && <p className="fineprint">{text.filesNone}</p>}
      {files && files.rows.length > 0 && (
        <table className="table">
          <TableHead
            titles={[
              titles.statement,
              titles.customer,
              titles.date,
              titles.until,
              titles.read,
              { end: titles.size },
              { unseen: text.save },
            ]}
          />
          <tbody>
            {files.rows.map((file) => (
              <FileRows key={file.statement} site={site} file={file} />
            ))}
          </tbody>
        </table>
      )}
      {files?.next != null && limit < MAX_LIMIT && (
        <div>
          <Button size="small" onPress={() => setLimit(Math.min(MAX_LIMIT, limit * 3))}>
            {text.more}
          </Button>
        </div>
      )}
    </Panel>
  );
}

/** Shows one statement's PDF versions as table rows, from the latest to the oldest. */
function FileRows({ site, file }: { readonly site: string; readonly file: ArchiveFile }) {
  const { statement, customer, date, kept_until, hold, versions } = file;
  const [newest, ...older] = versions.toReversed();
  if (newest === undefined) return null;
  return (
    <>
      <tr>
        <th scope="row">
          <Link onPress={() => openRecordLocation(recordLocations.statement(statement, 'pdf'))}>
            {String(statement)}
          </Link>
        </th>
        <td className="archive-reason">{customer}</td>
        <td>{date && formatDate(date)}</td>
        <td>
          {hold === null ? (
            kept_until === null ? (
              text.unlimited
            ) : (
              formatDate(kept_until)
            )
          ) : (
            <span title={hold}>
              <StatusLabel tone="warn" icon={Lock} text={text.stored} />
            </span>
          )}
        </td>
        <VersionCells site={site} statement={statement} version={newest} />
      </tr>
      {older.map((version) => (
        <tr key={version.version} className="archive-older">
          <td />
          <td colSpan={3}>{text.version(version.version)}</td>
          <VersionCells site={site} statement={statement} version={version} />
        </tr>
      ))}
    </>
  );
}

interface VersionCellsProps {
  readonly site: string;
  readonly statement: number;
  readonly version: ArchiveFile['versions'][number];
}

/** Table cells of a PDF version: download time, size, and buttons to copy the hash and save the file. */
function VersionCells({
  site,
  statement,
  version: { version, sha256, bytes, fetched_at },
}: VersionCellsProps) {
  const { connection } = useBackend();
  const saving = useAction(async () => {
    const pdf = await connection.client.statements.pdf({ site, id: statement, version });
    if (!pdf.stored) return showNotice(text.fileMissing, 'bad');
    const { blob, name, type } = pdf.file;
    await saveFile({ bytes: await connection.readBlob(blob), name, type });
  });
  return (
    <>
      <td>
        <DateTime at={fetched_at} />
      </td>
      <td className="table-end">{formatBytes(bytes)}</td>
      <td className="table-end archive-actions">
        <CopyButton text={sha256} label={text.copySha} />
        <Button
          kind="quiet"
          size="small"
          icon={Download}
          label={`${text.save} ${text.saveOf(statement, version)}`}
          isPending={saving.running}
          onPress={() => void saving.run()}
        />
        {saving.error && <small role="alert">{formatError(saving.error)}</small>}
      </td>
    </>
  );
}
