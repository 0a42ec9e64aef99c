/** A stretch of time in ms UTC: from, and up to but not including, until. */
export interface Stretch {
  from: number;
  until: number;
}

/** The datetime text stored nearest to an instant (ms UTC), as the service wrote it; null where nothing is stored. */
export type NearestText = (at: number) => string | null;

const DAY = 86_400_000;

/**
 * The instants of the days `since` to `until`, both included, in the calendar the service writes its times in. There is no
 * setting for it: the offset in force near a day is read off a stored text. Without a bound the stretch is open on that
 * side, but what has no time (0) belongs to no day.
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
 * The conditions of a stretch on a column. For a list in the order of that column they leave out the bound at its start:
 * that is the list's edge, and the page's own place is a second bound on the same side, of which SQLite would take the
 * first it sees.
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

/** The edge of a list in the order of time: a key that all of the stretch lies behind. */
export function edgeOf(stretch: Stretch | null, direction: 'asc' | 'desc', columns: number): number[] | null {
  if (stretch === null) return null;
  return [direction === 'asc' ? stretch.from : stretch.until, ...Array<number>(columns - 1).fill(-1)];
}

/** When a date (`YYYY-MM-DD`) begins, in ms UTC. */
export function startOfDay(date: string, nearest: NearestText): number {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  const guess = midnight - offsetOf(nearest(midnight));
  return midnight - offsetOf(nearest(guess));
}

/** The date a stored text shows; null where it does not begin with one. */
export function dateOf(text: string | null): string | null {
  return text !== null && /^\d{4}-\d\d-\d\d/.test(text) ? text.slice(0, 10) : null;
}

/** The offset a datetime text ends with, in ms east of UTC; 0 where it says none. */
export function offsetOf(text: string | null): number {
  const zone = text === null ? null : /([+-])(\d\d):?(\d\d)$/.exec(text);
  if (zone === null) return 0;
  return (zone[1] === '-' ? -1 : 1) * (Number(zone[2]) * 60 + Number(zone[3])) * 60_000;
}

function dayAfter(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + DAY).toISOString().slice(0, 10);
}
