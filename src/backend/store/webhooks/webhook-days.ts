import type { Stretch } from '../lists/day-range.ts';
import { prepared, type ReadableDb, type Values } from '../sqlite/connection.ts';
import { DAY } from './webhook-arrivals.ts';
import type { WebhookSelection } from './webhook-selection.ts';

/** Returns the first and last UTC day of a time range, as day numbers. */
const daysOf = ({ from, until }: Stretch) => [Math.floor(from / DAY), Math.floor((until - 1) / DAY)] as const;

/** Returns the lowest and highest possible id of webhooks in a time range. */
export function idsOfDays(db: ReadableDb, stretch: Stretch): { first: number; last: number } {
  const range = prepared<{ first: number | null; last: number | null }>(
    db,
    'SELECT min(first_id) AS first, max(last_id) AS last FROM webhook_day WHERE day BETWEEN ? AND ?',
  ).get(...daysOf(stretch));
  return { first: range?.first ?? 0, last: range?.last ?? -1 };
}

/**
 * Returns the number of webhooks on the UTC days of a time range, in all classes: an upper limit for the range itself.
 */
export function mostOfDays(db: ReadableDb, stretch: Stretch): number {
  return (
    prepared<number>(db, 'SELECT ifnull(sum(count), 0) FROM webhook_day WHERE day BETWEEN ? AND ?')
      .pluck()
      .get(...daysOf(stretch)) ?? 0
  );
}

/**
 * Returns the count of the UTC days completely inside a selection's time range, and the remaining ranges before and after
 * them.
 */
export function countOfDays(
  db: ReadableDb,
  { classes, everyClass }: Pick<WebhookSelection, 'classes' | 'everyClass'>,
  { from, until }: Stretch,
): { count: number; rest: Stretch[] } {
  const first = Math.ceil(from / DAY);
  const behind = Math.floor(until / DAY);
  if (first >= behind) return { count: 0, rest: [{ from, until }] };
  const ofClass = everyClass ? '' : ' AND class_id IN (SELECT value FROM json_each(?))';
  const ids: Values = everyClass ? [] : [JSON.stringify(classes.map(({ id }) => id))];
  const count = prepared<number>(
    db,
    `SELECT ifnull(sum(count), 0) FROM webhook_day WHERE day BETWEEN ? AND ?${ofClass}`,
  )
    .pluck()
    .get(first, behind - 1, ...ids);
  return {
    count: count ?? 0,
    rest: [
      { from, until: first * DAY },
      { from: behind * DAY, until },
    ],
  };
}
