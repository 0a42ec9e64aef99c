/** A time range in UTC milliseconds. `until` is exclusive. */
export interface Stretch {
  from: number;
  until: number;
}

/** Returns the stored datetime text nearest to an instant (UTC milliseconds), as the service wrote it, or null. */
export type NearestText = (at: number) => string | null;

const DAY = 86_400_000;

/**
 * Returns the time range of the days `since` to `until`, both inclusive, in the service's calendar. The calendar is no
 * setting: the UTC offset near a day is taken from a stored text. Without a bound, the range is open on that side, but
 * records without a time (0) belong to no day.
 */
export function dayStretch(
  days: { since?: string | undefined; until?: string | undefined },
  nearest: NearestText,
): Stretch | null {
  if (days.since === undefined && days.until === undefined) return null;
  return {
    from: days.since === undefined ? 1 : startOfDay(days.since, nearest),
    until: days.until === undefined ? Number.MAX_SAFE_INTEGER : startOfDay(dayAfter(days.until), nearest),
  };
}

/**
 * Returns the SQL conditions of a time range on a column. For a list ordered by that column, the bound at its start is
 * left out: it is the edge of the list, and the page's position is a second bound on the same side, of which SQLite would
 * use only the first.
 */
export function within(
  stretch: Stretch | null,
  column: string,
  direction?: 'asc' | 'desc',
): { where: string[]; bound: number[] } {
  if (stretch === null) return { where: [], bound: [] };
  const after = { where: `${column} >= ?`, bound: stretch.from };
  const before = { where: `${column} < ?`, bound: stretch.until };
  const both = direction === undefined ? [after, before] : direction === 'asc' ? [before] : [after];
  return { where: both.map((each) => each.where), bound: both.map((each) => each.bound) };
}

/** Returns the edge of a list in time order: a key before all rows of the range. */
export function edgeOf(stretch: Stretch | null, direction: 'asc' | 'desc', columns: number): number[] | null {
  if (stretch === null) return null;
  return [direction === 'asc' ? stretch.from : stretch.until, ...Array<number>(columns - 1).fill(-1)];
}

/** Returns the start of a date (`YYYY-MM-DD`) in UTC milliseconds. */
export function startOfDay(date: string, nearest: NearestText): number {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  const guess = midnight - offsetOf(nearest(midnight));
  return midnight - offsetOf(nearest(guess));
}

/** Returns the date at the start of a stored text, or null. */
export function dateOf(text: string | null): string | null {
  return text !== null && /^\d{4}-\d\d-\d\d/.test(text) ? text.slice(0, 10) : null;
}

/** Returns the UTC offset at the end of a datetime text in milliseconds, positive to the east, 0 if there is none. */
export function offsetOf(text: string | null): number {
  const zone = text === null ? null : /([+-])(\d\d):?(\d\d)$/.exec(text);
  if (zone === null) return 0;
  return (zone[1] === '-' ? -1 : 1) * (Number(zone[2]) * 60 + Number(zone[3])) * 60_000;
}

function dayAfter(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + DAY).toISOString().slice(0, 10);
}
