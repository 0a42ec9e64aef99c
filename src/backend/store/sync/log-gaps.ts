import type { PartStatus } from '../../../contract/index.ts';
import { prepared, type ReadableDb } from '../database.ts';
import { isoMoment } from '../moment.ts';
import type { SyncPartState } from './sync-unit.ts';

/** What is looked at of the checkpoint of the log as a whole, and of a window of it that is not read to its end. */
interface LogCheckpoint {
  /** Up to where the log is held for certain once every window is read; null before its newest part was first read. */
  reach?: number | null;
  /** The same, but for single rows, which are among the problems. */
  read_to?: number;
}
interface OpenWindow {
  since: string | null;
  until: string | null;
  meets: number | null;
  last_at: number | null;
}

/** A stretch of time in ms UTC; null: open to that side. */
interface Stretch {
  from: number | null;
  to: number | null;
}

/** Rows younger than this are read again each time: that they stand beyond what is held for certain is usual. */
const YOUNG_MS = 900_000;
/** Stretches nearer to one another than this are told as one. */
const APART_MS = 36 * 3_600_000;

/**
 * The stretches of the webhook log of which not everything was read, in order; none where it is held whole, but for single rows
 * that the service does not give.
 */
export function logGaps(db: ReadableDb, state: SyncPartState<unknown> | null): PartStatus['gaps'] {
  if (state === null || state.complete) return [];
  const { reach = null, read_to = 0 } = (state.checkpoint ?? {}) as LogCheckpoint;
  if (reach === null) return [{ from: null, to: null }];
  const stretches = openWindows(db).map(
    ({ since, until, meets, last_at }): Stretch => ({
      from: last_at ?? startOf(since),
      to: meets ?? endOf(until),
    }),
  );
  // Newer rows than that are held where the newest part was begun to be read, and not read back to what was held.
  const to = Math.max(reach, read_to);
  if ((newestAt(db) ?? 0) > to + YOUNG_MS) stretches.push({ from: to, to: null });
  return joined(stretches).map(({ from, to }) => ({ from: isoMoment(from), to: isoMoment(to) }));
}

const startOf = (day: string | null) => (day === null ? null : Date.parse(`${day}T00:00:00Z`));

const endOf = (day: string | null) => (day === null ? null : Date.parse(`${day}T23:59:59Z`));

/** The windows of the log itself, that is without those of what is held and read again. */
function openWindows(db: ReadableDb): OpenWindow[] {
  return prepared<string>(
    db,
    `SELECT checkpoint FROM sync_unit WHERE part = 'webhooks' AND unit >= 'window 0' AND unit < 'window :'
       AND state <> 'done'`,
  )
    .pluck()
    .all()
    .map((checkpoint) => JSON.parse(checkpoint) as OpenWindow);
}

function newestAt(db: ReadableDb): number | null {
  return prepared<number | null>(db, 'SELECT max(created_at) FROM webhook').pluck().get() ?? null;
}

function joined(stretches: readonly Stretch[]): Stretch[] {
  const all: Stretch[] = [];
  for (const next of stretches.toSorted((a, b) => (a.from ?? 0) - (b.from ?? 0))) {
    const last = all.at(-1);
    if (last === undefined || (last.to !== null && (next.from ?? 0) > last.to + APART_MS))
      all.push({ ...next });
    else if (last.to !== null) last.to = next.to === null ? null : Math.max(last.to, next.to);
  }
  return all;
}
