/**
 * Calendar days in an unknown time zone. The interface does not say in which zone the date filters count days (interface
 * 4.1). The functions below allow for every zone from UTC-12 to UTC+14, so that no row is missed.
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

/** Returns an instant's earliest date in any time zone. As `since_date`, it includes everything from the instant on. */
export function getEarliestLocalDay(ms: number): string {
  return formatUtcDay(ms + WESTMOST_OFFSET_MS);
}

/** Returns an instant's latest date in any time zone. As `until_date`, it includes everything up to the instant. */
export function getLatestLocalDay(ms: number): string {
  return formatUtcDay(ms + EASTMOST_OFFSET_MS);
}

export function addDays(day: string, days: number): string {
  return formatUtcDay(getStartOfUtcDay(day) + days * DAY_MS);
}

/** Returns the first instant at which the day is over in every time zone, in UTC milliseconds. */
export function getEndOfDayInAllZones(day: string): number {
  return getStartOfUtcDay(day) + DAY_MS - WESTMOST_OFFSET_MS;
}

/** Returns true if the day ended in every time zone more than an hour ago. The hour allows for rows that arrive late. */
export function isDayOverInAllZones(day: string, now: number): boolean {
  return now > getEndOfDayInAllZones(day) + HOUR_MS;
}

/** Returns a day near the middle of two instants that lies between them in every time zone, or null if there is none. */
export function findDayBetween(from: number, to: number): string | null {
  const day = formatUtcDay((from + to) / 2);
  return day > getLatestLocalDay(from) && day < getEarliestLocalDay(to) ? day : null;
}
