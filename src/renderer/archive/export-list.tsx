import { CircleAlert, CircleCheck, CircleDashed, CircleX, LoaderCircle } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ArchiveExport } from '../../contract/index.ts';
import { capitalize } from '../../domain/text/capitalize.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { CopyButton } from '../controls/copy-button.tsx';
import { DateTime } from '../controls/formatted-values.tsx';
import { Panel } from '../controls/panel.tsx';
import { StatusLabel, type StatusStyleMap } from '../controls/status-label.tsx';
import { DataTable } from '../controls/table-head.tsx';
import { openDialog } from '../navigation/window-state.ts';
import { formatBytes, formatCount } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';

const text = texts.archive;

const stateStyles: StatusStyleMap<ArchiveExport['state']> = {
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
        <DataTable
          className="table archive-exports"
          titles={[
            titles.what,
            titles.made,
            titles.state,
            { end: titles.count },
            { end: titles.size },
            { text: titles.checksum, cellClass: 'archive-actions' },
          ]}
          rows={exports.map((each) => ({ key: each.export, cells: exportCells(each, busy) }))}
        />
      )}
    </Panel>
  );
}

function exportCells(exported: ArchiveExport, busy: boolean): ReactNode[] {
  const { state, result, target, description } = exported;
  return [
    <>
      <span className="archive-what" title={description}>
        {capitalize(description)}
      </span>
      <small className="archive-path" title={target.path}>
        {target.path}
      </small>
    </>,
    <DateTime key="made" at={exported.made_at} precision="day" />,
    <ExportStatus key="state" made={exported} />,
    formatCount(exported.count),
    formatBytes(result?.bytes ?? exported.bytes),
    result !== null ? (
      <>
        <code title={result.checksum}>{result.checksum.slice(0, 8)}…</code>
        <CopyButton text={result.checksum} label={text.copyChecksum} />
        <Button size="small" onPress={() => openDialog({ kind: 'verifyExport', path: target.path })}>
          {text.verifyThis}
          <span className="visually-hidden"> {target.path}</span>
        </Button>
      </>
    ) : (
      state !== 'running' && (
        <Button
          key="resume"
          size="small"
          disabledReason={busy ? text.busy : null}
          onPress={() => openDialog({ kind: 'resumeExport', export: exported.export })}
        >
          {text.resume}
          <span className="visually-hidden"> {text.resumeOf(description)}</span>
        </Button>
      )
    ),
  ];
}

function ExportStatus({ made: { state, result } }: { readonly made: ArchiveExport }) {
  const problems = (result?.problems ?? 0) + (result?.damaged.length ?? 0);
  if (problems > 0) {
    return <StatusLabel tone="warn" icon={CircleAlert} text={text.problems(problems)} />;
  }
  const [tone, icon] = stateStyles[state];
  return <StatusLabel tone={tone} icon={icon} text={text.exportStates[state]} />;
}
