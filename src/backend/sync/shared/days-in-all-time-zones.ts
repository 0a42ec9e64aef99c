/**
 * Calendar days in an unknown time zone. The interface does not state the time zone of its date filters (interface
 * 4.1). The functions below allow for every time zone from UTC-12 to UTC+14, so that no row is missed.
 */
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WESTMOST_OFFSET_MS = -12 * HOUR_MS;
const EASTMOST_OFFSET_MS = 14 * HOUR_MS;

const formatUtcDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Returns the start of a UTC day in UTC milliseconds. */
export function getStartOfUtcDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

/** Returns the earliest date of an instant in any time zone. Used as `since_date`, it includes all later instants. */
export function getEarliestLocalDay(ms: number): string {
  return formatUtcDay(ms + WESTMOST_OFFSET_MS);
}

/** Returns the latest date of an instant in any time zone. Used as `until_date`, it includes all earlier instants. */
export function getLatestLocalDay(ms: number): string {
  return formatUtcDay(ms + EASTMOST_OFFSET_MS);
}

export function addDays(day: string, days: number): string {
  return formatUtcDay(getStartOfUtcDay(day) + days * DAY_MS);
}

/** Returns the first instant (UTC milliseconds) at which a day is over in every time zone. */
export function getDayEndInAllTimeZones(day: string): number {
  return getStartOfUtcDay(day) + DAY_MS - WESTMOST_OFFSET_MS;
}

/** Returns true if a day ended in every time zone more than an hour ago. The extra hour allows for late rows. */
export function isDayOverInAllTimeZones(day: string, now: number): boolean {
  return now > getDayEndInAllTimeZones(day) + HOUR_MS;
}

/** Returns a day about halfway between two instants that contains neither in any time zone. Null if there is none. */
export function findDayBetweenInstants(from: number, to: number): string | null {
  const day = formatUtcDay((from + to) / 2);
  return day > getLatestLocalDay(from) && day < getEarliestLocalDay(to) ? day : null;
}
