/** A calendar date, `YYYY-MM-DD`: a day of somebody's calendar, not a moment. Such dates compare as texts. */
export type CalendarDate = string;

const DAY = 86_400_000;
const PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Days from 1970-01-01; null for a text that is no date of the calendar. */
export function dayNumber(date: CalendarDate): number | null {
  const parts = PATTERN.exec(date);
  if (parts === null) return null;
  const day = Date.parse(`${date}T00:00:00Z`) / DAY;
  return Number.isNaN(day) || dateOfDay(day) !== date ? null : day;
}

export function dateOfDay(day: number): CalendarDate {
  return new Date(day * DAY).toISOString().slice(0, 10);
}

/** Whether a text is a date that exists, as `2028-02-29`. */
export function isCalendarDate(text: string): boolean {
  return dayNumber(text) !== null;
}

/** The date so many days later, or earlier. RangeError for a text that is no date. */
export function addDays(date: CalendarDate, days: number): CalendarDate {
  return dateOfDay(known(date) + days);
}

/** Days from one date to another; negative where the other is earlier. RangeError for a text that is no date. */
export function daysBetween(from: CalendarDate, to: CalendarDate): number {
  return known(to) - known(from);
}

/**
 * The day a moment falls on in the calendar of whoever wrote it: the date part of its text, whatever zone follows. So a
 * payment the service dates `2016-10-24T23:59:59-04:00` is of the 24th, although it is the 25th in UTC.
 */
export function dateAsWritten(moment: string | null): CalendarDate | null {
  if (moment === null) return null;
  const date = moment.slice(0, 10);
  return isCalendarDate(date) ? date : null;
}

function known(date: CalendarDate): number {
  const day = dayNumber(date);
  if (day === null) throw new RangeError(`${date} is not a date`);
  return day;
}
