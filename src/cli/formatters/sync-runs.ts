import type { SyncRun } from '../../contract/app/sync.ts';
import { formatBytes, formatDuration, formatMinute, formatNumber } from '../output/format-values.ts';
import type { TableColumn } from '../output/table.ts';

const total = (rows: SyncRun['rows']) => Object.values(rows).reduce((sum, count) => sum + count, 0);

/** Table columns for past syncs, with their results and their number of requests versus the theoretical minimum. */
export const syncRunColumns: TableColumn<SyncRun>[] = [
  { header: 'started (UTC)', cell: ({ started_at }) => formatMinute(started_at) },
  { header: 'result', cell: formatResult },
  { header: 'duration', cell: formatRunDuration, align: 'right' },
  { header: 'requests', cell: ({ requests }) => formatNumber(requests.total), align: 'right' },
  {
    header: 'minimum',
    cell: ({ state, requests }) => (state === 'running' ? '' : formatNumber(requests.minimum)),
    align: 'right',
  },
  { header: 'new or changed', cell: ({ rows }) => formatNumber(total(rows)), align: 'right' },
  { header: 'received', cell: ({ bytes }) => formatBytes(bytes), align: 'right' },
  {
    header: 'problem',
    cell: ({ error, problems }) => error?.message ?? problems[0]?.location ?? '',
    minWidth: 20,
    isOptional: true,
  },
];

function formatResult({ state, complete }: SyncRun): string {
  if (state === 'running') return 'running';
  if (state !== 'done') return state === 'canceled' ? 'canceled' : state;
  return complete ? 'complete' : 'not complete';
}

/** Formats the duration of a sync. It is empty for an interrupted sync, whose end is unknown. */
function formatRunDuration({ state, ended_at, seconds }: SyncRun): string {
  return ended_at === null && state !== 'running' ? '' : formatDuration(seconds * 1000);
}
