import { FileWarning, FileX } from 'lucide-react';
import type { ArchiveSummary } from '../../contract/index.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { CopyButton } from '../controls/copy-button.tsx';
import { Link } from '../controls/link.tsx';
import { Panel } from '../controls/panel.tsx';
import { StatusLabel } from '../controls/status-label.tsx';
import { TableHead } from '../controls/table-head.tsx';
import { RelativeTime } from '../controls/values.tsx';
import { openRecordLocation, recordLocations } from '../navigation/record-location.ts';
import { texts } from '../texts/texts.ts';

const text = texts.archive;

/** Lists damaged and missing files, with a button to repair them. */
export function DamagedFiles({ summary: { wrong, lost } }: { readonly summary: ArchiveSummary }) {
  if (wrong.length === 0 && lost === 0) return null;
  return (
    <Panel
      level={2}
      title={text.damagedTitle}
      aside={wrong.length > 0 && <CommandButton id="archive.repair" size="small" />}
    >
      {wrong.length > 0 && <p>{text.damagedText}</p>}
      {lost > 0 && <p>{text.lost(lost)}</p>}
      {wrong.length > 0 && (
        <table className="table">
          <TableHead
            titles={[
              text.damagedColumns.state,
              text.damagedColumns.statements,
              text.damagedColumns.file,
              text.damagedColumns.found,
            ]}
          />
          <tbody>
            {wrong.map(({ sha256, state, statements, checked_at }) => (
              <tr key={sha256}>
                <td>
                  <StatusLabel tone="bad" icon={state === 'damaged' ? FileWarning : FileX}>
                    {text.states[state]}
                  </StatusLabel>
                </td>
                <td>
                  {statements.map((id) => (
                    <Link key={id} onPress={() => openRecordLocation(recordLocations.statement(id, 'pdf'))}>
                      {String(id)}
                    </Link>
                  ))}
                </td>
                <td>
                  <code>{sha256.slice(0, 16)}…</code> <CopyButton text={sha256} label={text.copySha} />
                </td>
                <td>
                  <RelativeTime at={checked_at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}
