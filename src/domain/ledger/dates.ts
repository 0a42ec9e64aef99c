/** A calendar date, `YYYY-MM-DD`, without time and time zone. Dates can be compared as strings. */
export type CalendarDate = string;

const DAY_MS = 86_400_000;
const DATE_PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Returns the number of days since 1970-01-01; null for an invalid date. */
export function toDayNumber(date: CalendarDate): number | null {
  const parts = DATE_PATTERN.exec(date);
  if (parts === null) return null;
  const day = Date.parse(`${date}T00:00:00Z`) / DAY_MS;
  return Number.isNaN(day) || toCalendarDate(day) !== date ? null : day;
}

export const toCalendarDate = (day: number): CalendarDate =>
  new Date(day * DAY_MS).toISOString().slice(0, 10);

/** Returns true if the text is an existing date, for example `2028-02-29`. */
export const isCalendarDate = (text: string): boolean => toDayNumber(text) !== null;

/** Adds days to a date. A negative number gives an earlier date. Throws RangeError for an invalid date. */
export const addDays = (date: CalendarDate, days: number): CalendarDate =>
  toCalendarDate(requireDayNumber(date) + days);

/** Returns the number of days between two dates, negative if `to` is earlier. Throws RangeError if one is invalid. */
export const countDaysBetween = (from: CalendarDate, to: CalendarDate): number =>
  requireDayNumber(to) - requireDayNumber(from);

/** Returns the nth working day (Monday to Friday) after a date. Does not consider holidays. */
export function addWorkingDays(date: CalendarDate, count: number): CalendarDate {
  let day = requireDayNumber(date);
  for (let left = count; left > 0; ) if (!isWeekend(++day)) left--;
  return toCalendarDate(day);
}

const isWeekend = (day: number): boolean => new Date(day * DAY_MS).getUTCDay() % 6 === 0;

/**
 * Returns the date part of a datetime as written, whatever its time zone: `2016-10-24T23:59:59-04:00` belongs to
 * October 24 in the writer's calendar.
 */
export function readDateAsWritten(moment: string | null): CalendarDate | null {
  if (moment === null) return null;
  const date = moment.slice(0, 10);
  return isCalendarDate(date) ? date : null;
}

function requireDayNumber(date: CalendarDate): number {
  const day = toDayNumber(date);
  if (day === null) throw new RangeError(`${date} is not a date`);
  return day;
}
