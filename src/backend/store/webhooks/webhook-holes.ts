import { prepared, type ReadableDb } from '../sqlite/connection.ts';
import { DAY } from './webhook-arrivals.ts';

/** A time range without webhooks where there usually are many. Instants are UTC milliseconds. */
export interface Hole {
  /** `created_at` of the last webhook before it and the first after it. */
  from: number;
  to: number;
  /** Usual number of webhooks in such a time. */
  expected: number;
  /** True if it lasts until the end of the known log. */
  ongoing: boolean;
}

/** Number of days before and after that show what is usual. */
const AROUND = 14;
/** Share of the usual number below which a day counts as nearly empty. Chosen by judgment. */
const EMPTY = 0.1;
const USUAL_AT_LEAST = 10;
/** Minimum length of a hole in milliseconds, and minimum number of missing webhooks. Chosen by judgment. */
const LEAST_MS = 12 * 3_600_000;
const LEAST_EXPECTED = 20;
/** Number of empty ranges within a month from which they are the site's usual behavior. Chosen by judgment. */
const A_HABIT = 3;
const MONTH = 28;

interface EmptyDays {
  first: number;
  last: number;
  usual: number;
}

/** Finds the holes of the log up to `known_to` (UTC milliseconds) from the stored counts per day. */
export function findHoles(db: ReadableDb, known_to: number): Hole[] {
  const counts = countsOfDays(db);
  const days = [...counts.keys()];
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];
  const through = Math.max(last, Math.floor(known_to / DAY) - 1);
  const stretches = emptyStretches(counts, first, through);
  return stretches
    .filter(({ first }) => !isHabit(stretches, first))
    .flatMap((stretch) => holeIn(db, stretch, known_to));
}

function countsOfDays(db: ReadableDb): Map<number, number> {
  const rows = prepared<[number, number]>(
    db,
    'SELECT day, sum(count) AS count FROM webhook_day WHERE day > 0 GROUP BY day HAVING count > 0 ORDER BY day',
  )
    .raw()
    .all() as [number, number][];
  return new Map(rows);
}

function emptyStretches(counts: ReadonlyMap<number, number>, first: number, through: number): EmptyDays[] {
  const found: EmptyDays[] = [];
  for (let day = first + 1; day <= through; day++) {
    const usual = usualFor(counts, day, first, through);
    if (usual < USUAL_AT_LEAST || (counts.get(day) ?? 0) >= usual * EMPTY) continue;
    const before = found.at(-1);
    if (before?.last === day - 1) before.last = day;
    else found.push({ first: day, last: day, usual });
  }
  return found;
}

/** Returns the median of the surrounding days, ignoring days without webhooks. */
function usualFor(counts: ReadonlyMap<number, number>, day: number, first: number, through: number): number {
  const around: number[] = [];
  for (let other = Math.max(first, day - AROUND); other <= Math.min(through, day + AROUND); other++) {
    const count = counts.get(other);
    if (count !== undefined) around.push(count);
  }
  return around.sort((a, b) => a - b)[Math.floor(around.length / 2)] ?? 0;
}

function isHabit(stretches: readonly EmptyDays[], day: number): boolean {
  return stretches.filter(({ first }) => Math.abs(first - day) <= MONTH).length >= A_HABIT;
}

/** Returns the longest time without a webhook in and around nearly empty days. */
function holeIn(db: ReadableDb, { first, last, usual }: EmptyDays, known_to: number): Hole[] {
  const at = (sql: string, ...bound: number[]) =>
    prepared<number | null>(db, sql)
      .pluck()
      .all(...bound);
  const before = at(
    'SELECT max(created_at) FROM webhook WHERE created_at > 0 AND created_at < ?',
    first * DAY,
  );
  const within = at(
    'SELECT created_at FROM webhook WHERE created_at >= ? AND created_at < ? ORDER BY created_at',
    first * DAY,
    (last + 1) * DAY,
  );
  const [behind] = at('SELECT min(created_at) FROM webhook WHERE created_at >= ?', (last + 1) * DAY);
  const moments = [...before, ...within, behind ?? known_to].filter((moment) => moment !== null);
  let hole: Hole | null = null;
  for (const [index, from] of moments.entries()) {
    const to = moments[index + 1] ?? from;
    const expected = Math.round((usual * (to - from)) / DAY);
    const longer = hole === null || to - from > hole.to - hole.from;
    if (to - from < LEAST_MS || expected < LEAST_EXPECTED || !longer) continue;
    hole = { from, to, expected, ongoing: to === known_to };
  }
  return hole === null ? [] : [hole];
}
