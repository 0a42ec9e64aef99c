import { addDays, type CalendarDate } from './dates.ts';

/** Whole calendar days, the first and the last included. */
export interface Period {
  readonly first: CalendarDate;
  readonly last: CalendarDate;
}

/** The month a date is in. */
export function monthOf(date: CalendarDate): Period {
  const first = `${date.slice(0, 7)}-01`;
  return { first, last: lastOfMonth(first) };
}

export function isWithin(period: Period, date: CalendarDate): boolean {
  return period.first <= date && date <= period.last;
}

/** The month so many months on, or back: of `2026-10`, one on, `2026-11`. */
export function monthAfter(month: string, by: number): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7);
}

/** The months from one day to another (`2026-10`), the newest first. */
export function monthsBetween(first: CalendarDate, last: CalendarDate): string[] {
  const months: string[] = [];
  for (let month = last.slice(0, 7); month >= first.slice(0, 7); month = monthAfter(month, -1)) {
    months.push(month);
  }
  return months;
}

/** A month, and how much is open in it. */
export interface OpenMonth {
  /** `2026-10` */
  readonly period: string;
  readonly open: number;
}

/**
 * The month somebody most likely means to close: the last one that is over on a day; where nothing is open in it, the newest
 * in which something is. `months` are the newest first; null where there are none.
 */
export function monthToClose(months: readonly OpenMonth[], today: CalendarDate): string | null {
  const over = months.find(({ period }) => monthOf(`${period}-01`).last <= today) ?? months[0];
  if (over === undefined) return null;
  const busy = over.open > 0 ? over : months.find(({ open }) => open > 0);
  return (busy ?? over).period;
}

/** The month after the one that begins on `first`, less a day. */
function lastOfMonth(first: CalendarDate): CalendarDate {
  return addDays(`${addDays(first, 31).slice(0, 7)}-01`, -1);
}
