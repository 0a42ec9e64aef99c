import { CircleAlert, CircleCheck, CircleDashed, CircleX, LoaderCircle } from 'lucide-react';
import type { ArchiveExport } from '../../contract/index.ts';
import { useQuery } from '../backend/hooks.ts';
import { Button } from '../controls/button.tsx';
import { CopyButton, Panel } from '../controls/pieces.tsx';
import { Status, type Tone } from '../controls/status.tsx';
import { TableHead } from '../controls/table-head.tsx';
import { Moment } from '../controls/values.tsx';
import { openDialog } from '../view/view.ts';
import { capital } from '../words/capital.ts';
import { bytesText, countText } from '../words/numbers.ts';
import { words } from '../words/words.ts';

const text = words.archive;

const looks: Record<ArchiveExport['state'], readonly [Tone, typeof CircleCheck]> = {
  planned: ['calm', CircleDashed],
  running: ['accent', LoaderCircle],
  done: ['good', CircleCheck],
  failed: ['bad', CircleX],
  cancelled: ['calm', CircleDashed],
  interrupted: ['warn', CircleDashed],
};

/** What was handed over, with its receipts; what was stopped is gone on with. */
export function Exports({ site, busy }: { readonly site: string; readonly busy: boolean }) {
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
              titles.receipt,
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
          {capital(description)}
        </span>
        <small className="archive-path" title={target.path}>
          {target.path}
        </small>
      </th>
      <td>
        <Moment at={made.made_at} to="day" />
      </td>
      <td>
        <ExportState made={made} />
      </td>
      <td className="table-end">{countText(made.count)}</td>
      <td className="table-end">{bytesText(result?.bytes ?? made.bytes)}</td>
      <td className="archive-acts">
        {result !== null && (
          <>
            <code title={result.receipt}>{result.receipt.slice(0, 8)}…</code>
            <CopyButton text={result.receipt} label={text.copyReceipt} />
            <Button size="small" onPress={() => openDialog({ kind: 'verifyBag', path: target.path })}>
              {text.verifyThis}
              <span className="unseen"> {target.path}</span>
            </Button>
          </>
        )}
        {result === null && state !== 'running' && (
          <Button
            size="small"
            reason={busy ? text.busy : null}
            onPress={() => openDialog({ kind: 'goOnExport', export: made.export })}
          >
            {text.resume}
            <span className="unseen"> {text.resumeOf(description)}</span>
          </Button>
        )}
      </td>
    </tr>
  );
}

function ExportState({ made: { state, result } }: { readonly made: ArchiveExport }) {
  const problems = (result?.problems ?? 0) + (result?.damaged.length ?? 0);
  if (problems > 0) {
    return (
      <Status tone="warn" icon={CircleAlert}>
        {text.problems(problems)}
      </Status>
    );
  }
  const [tone, icon] = looks[state];
  return (
    <Status tone={tone} icon={icon}>
      {text.exportStates[state]}
    </Status>
  );
}
