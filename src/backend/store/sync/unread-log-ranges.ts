import type { SyncPartStatus } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { type ReadableDb, select } from '../sqlite/connection.ts';
import type { SyncPartState } from './sync-unit.ts';

/** Fields from the checkpoints of the webhook log and its unfinished windows. */
interface LogCheckpoint {
  /** Instant up to which the log is complete once all windows are read. Null until the newest rows have been read. */
  reach?: number | null;
  /** Works like `reach`, but ignores single rows that are recorded as problems. */
  read_to?: number;
}
interface OpenWindow {
  since: string | null;
  until: string | null;
  meets: number | null;
  last_at: number | null;
}

/** A time range of the webhook log in UTC milliseconds. Null is unbounded. */
interface LogGap {
  from: number | null;
  to: number | null;
}

/** Age in milliseconds below which rows do not count as a gap, because every sync reads them again. */
const RECENT_MS = 900_000;
/** Gaps less than this many milliseconds apart are reported as one gap. Chosen by judgment. */
const MIN_DISTANCE_MS = 36 * 3_600_000;

/** Returns the incompletely read time ranges of the webhook log in order. Ignores single failed rows. */
export function findUnreadWebhookLogRanges(
  db: ReadableDb,
  state: SyncPartState<unknown> | null,
): SyncPartStatus['gaps'] {
  if (state === null || state.complete) return [];
  const { reach = null, read_to = 0 } = (state.checkpoint ?? {}) as LogCheckpoint;
  if (reach === null) return [{ from: null, to: null }];
  const gaps = openWindows(db).map(
    ({ since, until, meets, last_at }): LogGap => ({
      from: last_at ?? startOf(since),
      to: meets ?? endOf(until),
    }),
  );
  // Returns the incompletely read time ranges of the webhook log in order. Ignores single unreadable rows.
  const to = Math.max(reach, read_to);
  if ((newestAt(db) ?? 0) > to + RECENT_MS) gaps.push({ from: to, to: null });
  return joinGaps(gaps).map(({ from, to }) => ({
    from: formatTimestamp(from),
    to: formatTimestamp(to),
  }));
}

const startOf = (day: string | null) => (day === null ? null : Date.parse(`${day}T00:00:00Z`));

const endOf = (day: string | null) => (day === null ? null : Date.parse(`${day}T23:59:59Z`));

/** Returns the unfinished windows with missing rows. Omits windows that are only being reread. */
function openWindows(db: ReadableDb): OpenWindow[] {
  const sql = `SELECT checkpoint FROM sync_unit WHERE part = 'webhooks' AND unit >= 'window 0' AND unit < 'window :'
       AND state <> 'done'`;
  return select.values<string>(db, sql).map((checkpoint) => JSON.parse(checkpoint) as OpenWindow);
}

function newestAt(db: ReadableDb): number | null {
  return select.value<number>(db, 'SELECT max(created_at) FROM webhook');
}

function joinGaps(gaps: readonly LogGap[]): LogGap[] {
  const all: LogGap[] = [];
  for (const next of gaps.toSorted((a, b) => (a.from ?? 0) - (b.from ?? 0))) {
    const last = all.at(-1);
    if (last === undefined || (last.to !== null && (next.from ?? 0) > last.to + MIN_DISTANCE_MS))
      all.push({ ...next });
    else if (last.to !== null) last.to = next.to === null ? null : Math.max(last.to, next.to);
  }
  return all;
}
