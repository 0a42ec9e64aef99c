/** Months of the site's calendar as text, `2026-10`; all arithmetic is by the calendar alone. */

const at = (year: number, month: number, day: number) =>
  new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);

function parts(month: string): readonly [year: number, month: number] {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return [year, number];
}

/** The month so many months on, or back. */
export function monthAfter(month: string, by: number): string {
  const [year, number] = parts(month);
  return at(year, number + by, 1).slice(0, 7);
}

/** First and last day of a month. */
export function daysOf(month: string): { readonly since: string; readonly until: string } {
  const [year, number] = parts(month);
  return { since: at(year, number, 1), until: at(year, number + 1, 0) };
}

/** The months from the one to the other day, the newest first. */
export function monthsBetween(first: string, last: string): string[] {
  const months: string[] = [];
  for (let month = last.slice(0, 7); month >= first.slice(0, 7); month = monthAfter(month, -1)) {
    months.push(month);
  }
  return months;
}

/** The last month that is held to its end; where none is, the month of the last day. */
export function lastComplete(first: string, last: string): string {
  const month = last.slice(0, 7);
  if (last === daysOf(month).until) return month;
  const before = monthAfter(month, -1);
  return before >= first.slice(0, 7) ? before : month;
}
