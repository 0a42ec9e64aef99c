import { addDays, type CalendarDate } from './dates.ts';

/** A range of calendar days, both ends included. */
export interface DateRange {
  readonly first: CalendarDate;
  readonly last: CalendarDate;
}

/** Returns the month of a date as a range. */
export function monthOf(date: CalendarDate): DateRange {
  const first = `${date.slice(0, 7)}-01`;
  return { first, last: lastDayOfMonth(first) };
}

export function isInDateRange(period: DateRange, date: CalendarDate): boolean {
  return period.first <= date && date <= period.last;
}

/** Returns the month this many months later, or earlier if negative: `2026-10` plus one is `2026-11`. */
export function addMonths(month: string, by: number): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7);
}

/** Returns the months (`2026-10`) from one day to another, newest first. */
export function monthsBetween(first: CalendarDate, last: CalendarDate): string[] {
  const months: string[] = [];
  for (let month = last.slice(0, 7); month >= first.slice(0, 7); month = addMonths(month, -1)) {
    months.push(month);
  }
  return months;
}

/** A month with the number of items still to decide. */
export interface MonthWithRemainingWork {
  /** For example `2026-10`. */
  readonly period: string;
  readonly open: number;
}

/**
 * Suggests the month to close: the latest one that is over, or if it has no remaining work, the newest one that has. `months`
 * are newest first. Returns null if there are none.
 */
export function suggestMonthToClose(
  months: readonly MonthWithRemainingWork[],
  today: CalendarDate,
): string | null {
  const over = months.find(({ period }) => monthOf(`${period}-01`).last <= today) ?? months[0];
  if (over === undefined) return null;
  const busy = over.open > 0 ? over : months.find(({ open }) => open > 0);
  return (busy ?? over).period;
}

function lastDayOfMonth(first: CalendarDate): CalendarDate {
  return addDays(`${addDays(first, 31).slice(0, 7)}-01`, -1);
}
