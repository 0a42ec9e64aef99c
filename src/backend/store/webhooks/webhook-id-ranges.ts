import type { TimeRange } from '../lists/time-range.ts';
import { prepareSql, type ReadableDb, type SqlValues, select } from '../sqlite/connection.ts';
import { DAY_MS } from './new-webhook-rows.ts';
import type { WebhookSelection } from './webhook-selection.ts';

/** Returns the first and last UTC day of a time range, as day numbers since 1970. */
const toDayNumbers = ({ from, until }: TimeRange) =>
  [Math.floor(from / DAY_MS), Math.floor((until - 1) / DAY_MS)] as const;

/** Returns the lowest and highest possible id of webhooks in a time range. */
export function findWebhookIdRange(db: ReadableDb, range: TimeRange): { first: number; last: number } {
  const sql =
    'SELECT min(first_id) AS first, max(last_id) AS last FROM webhook_day WHERE day BETWEEN ? AND ?';
  const ids = prepareSql<{ first: number | null; last: number | null }>(db, sql).get(...toDayNumbers(range));
  return { first: ids?.first ?? 0, last: ids?.last ?? -1 };
}

/** Returns the number of webhooks on all UTC days that a time range touches, as an upper limit for the range. */
export function countWebhooksOnDays(db: ReadableDb, range: TimeRange): number {
  const sql = 'SELECT ifnull(sum(count), 0) FROM webhook_day WHERE day BETWEEN ? AND ?';
  return select.value<number>(db, sql, ...toDayNumbers(range)) ?? 0;
}

/** Counts the webhooks on UTC days completely inside a time range. Also returns the uncounted ranges at both ends. */
export function countWebhooksOnWholeDays(
  db: ReadableDb,
  { classes, everyClass }: Pick<WebhookSelection, 'classes' | 'everyClass'>,
  { from, until }: TimeRange,
): { count: number; rest: TimeRange[] } {
  const first = Math.ceil(from / DAY_MS);
  const firstDayAfter = Math.floor(until / DAY_MS);
  if (first >= firstDayAfter) return { count: 0, rest: [{ from, until }] };
  const ofClass = everyClass ? '' : ' AND class_id IN (SELECT value FROM json_each(?))';
  const ids: SqlValues = everyClass ? [] : [JSON.stringify(classes.map(({ id }) => id))];
  const sql = `SELECT ifnull(sum(count), 0) FROM webhook_day WHERE day BETWEEN ? AND ?${ofClass}`;
  const count = prepareSql<number>(db, sql)
    .pluck()
    .get(first, firstDayAfter - 1, ...ids);
  return {
    count: count ?? 0,
    rest: [
      { from, until: first * DAY_MS },
      { from: firstDayAfter * DAY_MS, until },
    ],
  };
}
