import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';
import { DAY_MS } from './new-webhook-rows.ts';

/** A time range without webhooks in which the site usually creates many. Instants are UTC milliseconds. */
export interface WebhookGap {
  /** `created_at` of the last webhook before the gap and of the first webhook after it. */
  from: number;
  to: number;
  /** Usual number of webhooks in a time range of the same length. */
  expected: number;
  /** True if the gap lasts until the end of the stored log. */
  ongoing: boolean;
}

/** Number of days before and after a gap that determine the usual number of webhooks. */
const DAYS_AROUND = 14;
/** Share of the usual number of webhooks below which a day counts as nearly empty. Chosen by judgment. */
const EMPTY_SHARE = 0.1;
const MIN_USUAL_COUNT = 10;
/** Minimum length of a gap in milliseconds, and minimum number of missing webhooks. Chosen by judgment. */
const MIN_GAP_MS = 12 * 3_600_000;
const MIN_MISSING = 20;
/** Number of empty ranges within a month from which they count as the site's usual behavior. Chosen by judgment. */
const HABITUAL_RANGES = 3;
const DAYS_PER_MONTH = 28;

interface EmptyDays {
  first: number;
  last: number;
  usual: number;
}

/** Returns the gaps of the webhook log up to `known_to` (UTC milliseconds), based on the stored counts per day. */
export function findWebhookGaps(db: ReadableDb, known_to: number): WebhookGap[] {
  const counts = countByDay(db);
  const days = [...counts.keys()];
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];
  const through = Math.max(last, Math.floor(known_to / DAY_MS) - 1);
  const ranges = findEmptyRanges(counts, first, through);
  return ranges
    .filter(({ first }) => !isHabit(ranges, first))
    .flatMap((range) => findLongestGap(db, range, known_to));
}

/** Returns true if the log now contains webhooks from within an earlier gap, for example after a complete sync. */
export function isGapFilled(db: ReadableDb, { from_at, to_at }: { from_at: number; to_at: number }): boolean {
  const sql = 'SELECT EXISTS (SELECT 1 FROM webhook WHERE created_at > ? AND created_at < ?)';
  return select.value<number>(db, sql, from_at, to_at) === 1;
}

function countByDay(db: ReadableDb): Map<number, number> {
  const sql =
    'SELECT day, sum(count) AS count FROM webhook_day WHERE day > 0 GROUP BY day HAVING count > 0 ORDER BY day';
  const rows = prepareSql<[number, number]>(db, sql).raw().all() as [number, number][];
  return new Map(rows);
}

function findEmptyRanges(counts: ReadonlyMap<number, number>, first: number, through: number): EmptyDays[] {
  const found: EmptyDays[] = [];
  for (let day = first + 1; day <= through; day++) {
    const usual = getUsualCount(counts, day, first, through);
    if (usual < MIN_USUAL_COUNT || (counts.get(day) ?? 0) >= usual * EMPTY_SHARE) continue;
    const before = found.at(-1);
    if (before?.last === day - 1) before.last = day;
    else found.push({ first: day, last: day, usual });
  }
  return found;
}

/** Returns the median number of webhooks on the surrounding days, ignoring days without webhooks. */
function getUsualCount(
  counts: ReadonlyMap<number, number>,
  day: number,
  first: number,
  through: number,
): number {
  const countsAround: number[] = [];
  for (
    let other = Math.max(first, day - DAYS_AROUND);
    other <= Math.min(through, day + DAYS_AROUND);
    other++
  ) {
    const count = counts.get(other);
    if (count !== undefined) countsAround.push(count);
  }
  return countsAround.sort((a, b) => a - b)[Math.floor(countsAround.length / 2)] ?? 0;
}

function isHabit(ranges: readonly EmptyDays[], day: number): boolean {
  return ranges.filter(({ first }) => Math.abs(first - day) <= DAYS_PER_MONTH).length >= HABITUAL_RANGES;
}

/** Returns the longest gap between webhooks in and around nearly empty days. */
function findLongestGap(db: ReadableDb, { first, last, usual }: EmptyDays, known_to: number): WebhookGap[] {
  const at = (sql: string, ...bound: number[]) => select.values<number | null>(db, sql, ...bound);
  const before = at(
    'SELECT max(created_at) FROM webhook WHERE created_at > 0 AND created_at < ?',
    first * DAY_MS,
  );
  const within = at(
    'SELECT created_at FROM webhook WHERE created_at >= ? AND created_at < ? ORDER BY created_at',
    first * DAY_MS,
    (last + 1) * DAY_MS,
  );
  const [firstAfter] = at('SELECT min(created_at) FROM webhook WHERE created_at >= ?', (last + 1) * DAY_MS);
  const moments = [...before, ...within, firstAfter ?? known_to].filter((moment) => moment !== null);
  let gap: WebhookGap | null = null;
  for (const [index, from] of moments.entries()) {
    const to = moments[index + 1] ?? from;
    const expected = Math.round((usual * (to - from)) / DAY_MS);
    const longer = gap === null || to - from > gap.to - gap.from;
    if (to - from < MIN_GAP_MS || expected < MIN_MISSING || !longer) continue;
    gap = { from, to, expected, ongoing: to === known_to };
  }
  return gap === null ? [] : [gap];
}
