import { CircleAlert, CircleCheck, CircleDashed, CircleX, LoaderCircle } from 'lucide-react';
import type { ArchiveExport } from '../../contract/index.ts';
import { capitalize } from '../../domain/text/capitalize.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { CopyButton } from '../controls/copy-button.tsx';
import { Panel } from '../controls/panel.tsx';
import { StatusLabel, type StatusTone } from '../controls/status-label.tsx';
import { TableHead } from '../controls/table-head.tsx';
import { DateTime } from '../controls/values.tsx';
import { openDialog } from '../navigation/window-state.ts';
import { formatBytes, formatCount } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';

const text = texts.archive;

const stateStyles: Record<ArchiveExport['state'], readonly [StatusTone, typeof CircleCheck]> = {
  planned: ['calm', CircleDashed],
  running: ['accent', LoaderCircle],
  done: ['good', CircleCheck],
  failed: ['bad', CircleX],
  canceled: ['calm', CircleDashed],
  interrupted: ['warn', CircleDashed],
};

/** Lists the exports with their checksums. Stopped exports can be resumed. */
export function ExportList({ site, busy }: { readonly site: string; readonly busy: boolean }) {
  const { data: exports } = useQuery('archive.exports', { site, limit: 20 });
  if (exports === undefined) return null;
  const titles = text.exportColumns;
  return (
    <Panel level={2} title={text.exportsTitle}>
      {exports.length === 0 ? (
        <p className="fineprint">{text.exportsNone}</p>
      ) : (
        <table className="table archive-exports">
          <TableHead
            titles={[
              titles.what,
              titles.made,
              titles.state,
              { end: titles.count },
              { end: titles.size },
              titles.checksum,
            ]}
          />
          <tbody>
            {exports.map((each) => (
              <ExportRow key={each.export} made={each} busy={busy} />
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

function ExportRow({ made, busy }: { readonly made: ArchiveExport; readonly busy: boolean }) {
  const { state, result, target, description } = made;
  return (
    <tr>
      <th scope="row">
        <span className="archive-what" title={description}>
          {capitalize(description)}
        </span>
        <small className="archive-path" title={target.path}>
          {target.path}
        </small>
      </th>
      <td>
        <DateTime at={made.made_at} precision="day" />
      </td>
      <td>
        <ExportStatus made={made} />
      </td>
      <td className="table-end">{formatCount(made.count)}</td>
      <td className="table-end">{formatBytes(result?.bytes ?? made.bytes)}</td>
      <td className="archive-actions">
        {result !== null && (
          <>
            <code title={result.checksum}>{result.checksum.slice(0, 8)}…</code>
            <CopyButton text={result.checksum} label={text.copyChecksum} />
            <Button size="small" onPress={() => openDialog({ kind: 'verifyExport', path: target.path })}>
              {text.verifyThis}
              <span className="visually-hidden"> {target.path}</span>
            </Button>
          </>
        )}
        {result === null && state !== 'running' && (
          <Button
            size="small"
            disabledReason={busy ? text.busy : null}
            onPress={() => openDialog({ kind: 'resumeExport', export: made.export })}
          >
            {text.resume}
            <span className="visually-hidden"> {text.resumeOf(description)}</span>
          </Button>
        )}
      </td>
    </tr>
  );
}

function ExportStatus({ made: { state, result } }: { readonly made: ArchiveExport }) {
  const problems = (result?.problems ?? 0) + (result?.damaged.length ?? 0);
  if (problems > 0) {
    return (
      <StatusLabel tone="warn" icon={CircleAlert}>
        {text.problems(problems)}
      </StatusLabel>
    );
  }
  const [tone, icon] = stateStyles[state];
  return (
    <StatusLabel tone={tone} icon={icon}>
      {text.exportStates[state]}
    </StatusLabel>
  );
}
