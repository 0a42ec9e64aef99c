import { addDays, type CalendarDate, isCalendarDate } from '../ledger/index.ts';

/** The usual practice, until somebody decides otherwise: the years most laws ask for, and one more. */
export const USUAL_YEARS = 7;

/** The last day a document of this date is kept; null: without end. A 29 February is kept to the 1 March. */
export function keptUntil(date: CalendarDate, years: number | null): CalendarDate | null {
  return years === null ? null : yearsLater(date, years);
}

export function isPastRetention(
  date: CalendarDate | null,
  years: number | null,
  today: CalendarDate,
): boolean {
  return date !== null && years !== null && yearsLater(date, years) < today;
}

/** The newest date of a document that is past its retention today; null where none ever is. */
export function newestPastRetention(years: number | null, today: CalendarDate): CalendarDate | null {
  if (years === null) return null;
  let date = addDays(yearsLater(today, -years), -1);
  while (!isPastRetention(date, years, today)) date = addDays(date, -1);
  return date;
}

function yearsLater(date: CalendarDate, years: number): CalendarDate {
  const year = String(Number(date.slice(0, 4)) + years).padStart(4, '0');
  const same = `${year}${date.slice(4)}`;
  return isCalendarDate(same) ? same : `${year}-03-01`;
}
