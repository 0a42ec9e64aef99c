import { CircleAlert } from 'lucide-react';
import type { SyncRun } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { DateTime } from '../controls/formatted-values.tsx';
import { Panel } from '../controls/panel.tsx';
import { StatusLabel } from '../controls/status-label.tsx';
import { TableHead } from '../controls/table-head.tsx';
import { formatError } from '../errors/error-texts.ts';
import { JobStatus } from '../jobs/running-job.tsx';
import { formatBytes, formatCount, formatDuration } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';

const text = texts.sync;

/** Lists past syncs, and compares the number of requests made with the request minimum. */
export function PastSyncList({ site }: { readonly site: string }) {
  const { data: runs } = useQuery('sync.runs', { site, limit: 20 });
  const titles = text.runColumns;
  // Renders nothing if the runs cannot be read, because the screen already shows the error.
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
        <DateTime at={run.started_at} />
      </td>
      <td>
        {run.state === 'done' && !run.complete ? (
          <StatusLabel tone="warn" icon={CircleAlert} text={text.notComplete} />
        ) : (
          <JobStatus status={run.state} />
        )}
        {run.error && <small>{formatError(run.error)}</small>}
      </td>
      <td className="table-end">{formatDuration(run.seconds * 1000)}</td>
      <td
        className="table-end"
        title={kinds.map(([kind, count]) => `${kind}: ${formatCount(count)}`).join('\n')}
      >
        {run.state === 'running'
          ? formatCount(run.requests.total)
          : text.requests(run.requests.total, run.requests.minimum)}
      </td>
      <td
        className="table-end"
        title={rows.map(([table, count]) => `${table}: ${formatCount(count)}`).join('\n')}
      >
        {formatCount(rows.reduce((sum, [, count]) => sum + count, 0))}
      </td>
      <td className="table-end">{formatBytes(run.bytes)}</td>
    </tr>
  );
}
