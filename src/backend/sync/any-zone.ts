/**
 * Days of a calendar whose time zone is not known. The service's date filters count days in some zone (interface 4.1 does
 * not say which); bounds chosen here hold in every zone there is, UTC-12 to UTC+14, so that no row is ever left out.
 */
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEST = -12 * HOUR;
const EAST = 14 * HOUR;

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** The moment at which a day begins in UTC. */
export function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

/** The earliest day a moment falls on anywhere. As `since_date` it leaves out nothing from that moment on. */
export function earliestDay(ms: number): string {
  return dayOf(ms + WEST);
}

/** The latest day a moment falls on anywhere. As `until_date` it leaves out nothing up to that moment. */
export function latestDay(ms: number): string {
  return dayOf(ms + EAST);
}

export function addDays(day: string, days: number): string {
  return dayOf(startOf(day) + days * DAY);
}

/** The first moment at which the day is over everywhere. */
export function endOfDay(day: string): number {
  return startOf(day) + DAY - WEST;
}

/** Whether a day is over everywhere, and has been for the hour that late rows may take. */
export function isDayClosed(day: string, now: number): boolean {
  return now > endOfDay(day) + HOUR;
}

/** A day near the middle of two moments that is later than the one and earlier than the other everywhere; null: too near. */
export function dayBetween(from: number, to: number): string | null {
  const day = dayOf((from + to) / 2);
  return day > latestDay(from) && day < earliestDay(to) ? day : null;
}
