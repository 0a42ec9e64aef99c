import type { SyncRun } from '../../contract/sync.ts';
import { count, minute, size, span } from '../output/figures.ts';
import type { Column } from '../output/table.ts';

const sum = (rows: SyncRun['rows']) => Object.values(rows).reduce((all, number) => all + number, 0);

/** The runs of the past: what each brought, and what it cost beside the least it could have. */
export const runColumns: Column<SyncRun>[] = [
  { header: 'started (UTC)', cell: ({ started_at }) => minute(started_at) },
  { header: 'ended as', cell: endOf },
  { header: 'took', cell: tookOf, align: 'right' },
  { header: 'requests', cell: ({ requests }) => count(requests.total), align: 'right' },
  {
    header: 'least',
    cell: ({ state, requests }) => (state === 'running' ? '' : count(requests.minimum)),
    align: 'right',
  },
  { header: 'new or changed', cell: ({ rows }) => count(sum(rows)), align: 'right' },
  { header: 'received', cell: ({ bytes }) => size(bytes), align: 'right' },
  {
    header: 'why not',
    cell: ({ error, problems }) => error?.message ?? problems[0]?.place ?? '',
    least: 20,
    spare: true,
  },
];

function endOf({ state, complete }: SyncRun): string {
  if (state === 'running') return 'running';
  if (state !== 'done') return state;
  return complete ? 'complete' : 'not complete';
}

/** Of one that was cut off nobody noted when. */
function tookOf({ state, ended_at, seconds }: SyncRun): string {
  return ended_at === null && state !== 'running' ? '' : span(seconds * 1000);
}
