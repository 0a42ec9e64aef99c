import { addDays, type CalendarDate, isCalendarDate } from './dates.ts';

/** Whole calendar days, the first and the last included. */
export interface Period {
  readonly first: CalendarDate;
  readonly last: CalendarDate;
}

/** `2026-10` (a month), `2026` (a year) or `2026-10-01..2026-10-31`; null for anything else. */
export function parsePeriod(text: string): Period | null {
  const [first, last, ...rest] = text.split('..');
  if (first !== undefined && last !== undefined && rest.length === 0) {
    return isCalendarDate(first) && isCalendarDate(last) && first <= last ? { first, last } : null;
  }
  if (/^\d{4}$/.test(text)) return { first: `${text}-01-01`, last: `${text}-12-31` };
  const month = `${text}-01`;
  if (!/^\d{4}-\d{2}$/.test(text) || !isCalendarDate(month)) return null;
  return { first: month, last: lastOfMonth(month) };
}

/** The month a date is in. */
export function monthOf(date: CalendarDate): Period {
  const first = `${date.slice(0, 7)}-01`;
  return { first, last: lastOfMonth(first) };
}

export function isWithin(period: Period, date: CalendarDate): boolean {
  return period.first <= date && date <= period.last;
}

/** The month after the one that begins on `first`, less a day. */
function lastOfMonth(first: CalendarDate): CalendarDate {
  return addDays(`${addDays(first, 31).slice(0, 7)}-01`, -1);
}
