import { addDays, type CalendarDate, isCalendarDate } from '../ledger/index.ts';

/** Default retention in years: the period that most laws require, plus one year. */
export const DEFAULT_RETENTION_YEARS = 7;

/** Returns the last day of retention; null if it is unlimited. February 29 becomes March 1. */
export const findLastRetentionDay = (date: CalendarDate, years: number | null): CalendarDate | null =>
  years === null ? null : addYears(date, years);

export function isPastRetention(
  date: CalendarDate | null,
  years: number | null,
  today: CalendarDate,
): boolean {
  return date !== null && years !== null && addYears(date, years) < today;
}

/** Returns the latest document date whose retention has ended by today; null if retention is unlimited. */
export function findNewestDatePastRetention(years: number | null, today: CalendarDate): CalendarDate | null {
  if (years === null) return null;
  let date = addDays(addYears(today, -years), -1);
  while (!isPastRetention(date, years, today)) date = addDays(date, -1);
  return date;
}

function addYears(date: CalendarDate, years: number): CalendarDate {
  const year = String(Number(date.slice(0, 4)) + years).padStart(4, '0');
  const sameDay = `${year}${date.slice(4)}`;
  return isCalendarDate(sameDay) ? sameDay : `${year}-03-01`;
}
