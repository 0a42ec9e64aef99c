/**
 * Calendar days in an unknown time zone. The interface does not say in which zone the date filters count days (interface
 * 4.1). These bounds hold in every zone from UTC-12 to UTC+14, so that no row is left out.
 */
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEST = -12 * HOUR;
const EAST = 14 * HOUR;

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Returns the UTC milliseconds at which a day begins in UTC. */
export function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

/** Returns the earliest date of an instant in any zone. As `since_date`, it includes everything from that instant on. */
export function earliestDay(ms: number): string {
  return dayOf(ms + WEST);
}

/** Returns the latest date of an instant in any zone. As `until_date`, it includes everything up to that instant. */
export function latestDay(ms: number): string {
  return dayOf(ms + EAST);
}

export function addDays(day: string, days: number): string {
  return dayOf(startOf(day) + days * DAY);
}

/** Returns the first instant at which the day is over in every zone. */
export function endOfDay(day: string): number {
  return startOf(day) + DAY - WEST;
}

/** Returns true if the day has been over in every zone for at least an hour, the time allowed for late rows. */
export function isDayClosed(day: string, now: number): boolean {
  return now > endOfDay(day) + HOUR;
}

/**
 * Returns a day between two instants, near their middle, that is after the one and before the other in every zone.
 * Returns null if they are too close.
 */
export function dayBetween(from: number, to: number): string | null {
  const day = dayOf((from + to) / 2);
  return day > latestDay(from) && day < earliestDay(to) ? day : null;
}
