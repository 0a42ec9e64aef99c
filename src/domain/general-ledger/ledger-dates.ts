import { parseDateText } from '../bankfiles/values/date-text.ts';
import type { CalendarDate } from '../ledger/index.ts';

const DATE_IN_TEXT =
  /\d{4}-\d{2}-\d{2}|\d{1,2}[./-]\d{1,2}[./-]\d{4}|\p{L}{3,12}\.? \d{1,2}, \d{4}|\d{1,2}\.? \p{L}{3,12}\.? \d{4}/gu;

/** Returns the dates in a text that have only one meaning, for example in `As of October 31, 2026`. */
export function findTextDates(text: string): CalendarDate[] {
  return (text.slice(0, 300).match(DATE_IN_TEXT) ?? []).flatMap((part) => {
    const meanings = new Set(
      (['ymd', 'dmy', 'mdy'] as const).flatMap((order) => parseDateText(part, order) ?? []),
    );
    return meanings.size === 1 ? [...meanings] : [];
  });
}

/** Range of the dates in a DATEV posting batch, whose rows state only day and month. */
export interface DatevRange {
  readonly first: CalendarDate;
  readonly last: CalendarDate;
}

const toDate = (digits: string): CalendarDate | null =>
  /^\d{8}$/.test(digits) ? parseDateText(digits, 'ymd') : null;

/** Returns the date range in the first line of a DATEV posting batch (fields 15 and 16 of the EXTF header), or null. */
export function findDatevRange(cells: readonly string[]): DatevRange | null {
  if (!/^(?:EXTF|DTVF)$/.test(cells[0] ?? '')) return null;
  const [first, last] = [toDate(cells[14] ?? ''), toDate(cells[15] ?? '')];
  return first === null || last === null ? null : { first, last };
}

/** Parses the day and month of a DATEV posting (`DDMM` or `DMM`) within its batch; null if it is no such date. */
export function parseDatevDay(text: string, { first, last }: DatevRange): CalendarDate | null {
  if (!/^\d{3,4}$/.test(text)) return null;
  const digits = text.padStart(4, '0');
  for (const year of [first.slice(0, 4), last.slice(0, 4)]) {
    const date = parseDateText(`${year}-${digits.slice(2)}-${digits.slice(0, 2)}`, 'ymd');
    if (date !== null && date >= first && date <= last) return date;
  }
  return null;
}
