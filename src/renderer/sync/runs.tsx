import { CircleAlert } from 'lucide-react';
import type { SyncRun } from '../../contract/index.ts';
import { useQuery } from '../backend/hooks.ts';
import { Panel } from '../controls/pieces.tsx';
import { Status } from '../controls/status.tsx';
import { TableHead } from '../controls/table-head.tsx';
import { Moment } from '../controls/values.tsx';
import { errorLine } from '../errors/error-words.ts';
import { JobStatus } from '../jobs/job-tray.tsx';
import { bytesText, countText, durationText } from '../words/numbers.ts';
import { words } from '../words/words.ts';

const text = words.sync;

/** The runs of the past, and what each cost beside the least it could have. */
export function Runs({ site }: { readonly site: string }) {
  const { data: runs } = useQuery('sync.runs', { site, limit: 20 });
  const titles = text.runColumns;
  // Where they cannot be read, what is wrong is told above.
  if (!runs) return null;
  return (
    <Panel level={2} title={text.history}>
      {runs.length === 0 ? (
        <p className="fineprint">{text.noRuns}</p>
      ) : (
        <table className="table">
          <TableHead
            titles={[
              titles.started,
              titles.state,
              { end: titles.took },
              { end: titles.requests },
              { end: titles.rows },
              { end: titles.bytes },
            ]}
          />
          <tbody>
            {runs.map((run) => (
              <RunRow key={run.job} run={run} />
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

function RunRow({ run }: { readonly run: SyncRun }) {
  const kinds = Object.entries(run.requests.by_kind);
  const rows = Object.entries(run.rows);
  return (
    <tr>
      <td>
        <Moment at={run.started_at} />
      </td>
      <td>
        {run.state === 'done' && !run.complete ? (
          <Status tone="warn" icon={CircleAlert}>
            {text.notComplete}
          </Status>
        ) : (
          <JobStatus state={run.state} />
        )}
        {run.error && <small>{errorLine(run.error)}</small>}
      </td>
      <td className="table-end">{durationText(run.seconds * 1000)}</td>
      <td
        className="table-end"
        title={kinds.map(([kind, count]) => `${kind}: ${countText(count)}`).join('\n')}
      >
        {run.state === 'running'
          ? countText(run.requests.total)
          : text.requests(run.requests.total, run.requests.minimum)}
      </td>
      <td
        className="table-end"
        title={rows.map(([table, count]) => `${table}: ${countText(count)}`).join('\n')}
      >
        {countText(rows.reduce((sum, [, count]) => sum + count, 0))}
      </td>
      <td className="table-end">{bytesText(run.bytes)}</td>
    </tr>
  );
}
