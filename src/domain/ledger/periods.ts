import { addDays, type CalendarDate } from './dates.ts';

/** A range of calendar days, including both ends. */
export type DateRange = { readonly first: CalendarDate; readonly last: CalendarDate };

/** Returns the calendar month of a date as a range of days. */
export function toMonthRange(date: CalendarDate): DateRange {
  const first = `${date.slice(0, 7)}-01`;
  return { first, last: findLastDayOfMonth(first) };
}

export const isInDateRange = (period: DateRange, date: CalendarDate): boolean =>
  period.first <= date && date <= period.last;

/** Adds months to a month, for example 1 to `2026-10` gives `2026-11`. A negative number gives an earlier month. */
export function addMonths(month: string, by: number): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7);
}

/** Returns the months between two dates, newest first, for example `2026-10`. */
export function listMonthsBetween(first: CalendarDate, last: CalendarDate): string[] {
  const months: string[] = [];
  for (let month = last.slice(0, 7); month >= first.slice(0, 7); month = addMonths(month, -1))
    months.push(month);
  return months;
}

/**
 * Suggests the month to close: the latest one that is over. Decisions do not change the suggestion, so that the window
 * does not jump to another month. `months` are newest first. Returns null if there are none.
 */
export function suggestMonthToClose(
  months: readonly { readonly period: string }[],
  today: CalendarDate,
): string | null {
  const latest = months.find(({ period }) => toMonthRange(`${period}-01`).last <= today) ?? months[0];
  return latest?.period ?? null;
}

const findLastDayOfMonth = (first: CalendarDate): CalendarDate =>
  addDays(`${addDays(first, 31).slice(0, 7)}-01`, -1);
