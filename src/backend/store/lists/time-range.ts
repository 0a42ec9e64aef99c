/** Time range in UTC milliseconds. `until` is exclusive. */
export interface TimeRange {
  from: number;
  until: number;
}

/** Returns the stored datetime text of the service nearest to an instant (UTC milliseconds), or null. */
export type FindNearestTimestamp = (at: number) => string | null;

const DAY = 86_400_000;

/**
 * Returns the time range of the days `since` to `until`, both inclusive, in the service's calendar. No setting contains
 * the calendar's UTC offset, so a stored datetime text near the day provides it. A missing bound leaves that side open,
 * but records without a time (0) belong to no day.
 */
export function toTimeRange(
  days: { since?: string | undefined; until?: string | undefined },
  nearest: FindNearestTimestamp,
): TimeRange | null {
  if (days.since === undefined && days.until === undefined) return null;
  return {
    from: days.since === undefined ? 1 : findStartOfDay(days.since, nearest),
    until: days.until === undefined ? Number.MAX_SAFE_INTEGER : findStartOfDay(dayAfter(days.until), nearest),
  };
}

/** Returns the SQL conditions of a time range. With a direction, the start key replaces the condition for the start. */
export function getTimeRangeConditions(
  range: TimeRange | null,
  column: string,
  direction?: 'asc' | 'desc',
): { where: string[]; bound: number[] } {
  if (range === null) return { where: [], bound: [] };
  const after = { where: `${column} >= ?`, bound: range.from };
  const before = { where: `${column} < ?`, bound: range.until };
  const both = direction === undefined ? [after, before] : direction === 'asc' ? [before] : [after];
  return { where: both.map((each) => each.where), bound: both.map((each) => each.bound) };
}

/** Returns a key before the first row of the time range, for a list in time order. Null without a range. */
export function getRangeStartKey(
  range: TimeRange | null,
  direction: 'asc' | 'desc',
  columns: number,
): number[] | null {
  if (range === null) return null;
  return [direction === 'asc' ? range.from : range.until, ...Array<number>(columns - 1).fill(-1)];
}

/** Returns the start of a date (`YYYY-MM-DD`) in the service's calendar, in UTC milliseconds. */
export function findStartOfDay(date: string, nearest: FindNearestTimestamp): number {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  const guess = midnight - parseUtcOffset(nearest(midnight));
  return midnight - parseUtcOffset(nearest(guess));
}

/** Returns the date at the start of a datetime text, or null if the text contains none. */
export function extractDate(text: string | null): string | null {
  return text !== null && /^\d{4}-\d\d-\d\d/.test(text) ? text.slice(0, 10) : null;
}

/** Returns the UTC offset of a datetime text in milliseconds, positive to the east. 0 if the text has no offset. */
export function parseUtcOffset(text: string | null): number {
  const zone = text === null ? null : /([+-])(\d\d):?(\d\d)$/.exec(text);
  if (zone === null) return 0;
  return (zone[1] === '-' ? -1 : 1) * (Number(zone[2]) * 60 + Number(zone[3])) * 60_000;
}

function dayAfter(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + DAY).toISOString().slice(0, 10);
}
