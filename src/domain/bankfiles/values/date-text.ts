import { type CalendarDate, isCalendarDate } from '../../ledger/index.ts';
import type { DateOrder } from '../model/profile.ts';

const MAX_LENGTH = 48;

/** Month numbers by the first letters of the month name, without accents, in the languages that most banks use. */
const months = new Map<string, number>(
  [
    'jan ene gen sty',
    'feb fev lut',
    'mar mrz maa mrt',
    'apr abr avr kwi',
    'may mai maj mag mei',
    'jun giu cze juin',
    'jul lug lip juil',
    'aug ago aou sie',
    'sep set wrz',
    'oct okt ott out paz',
    'nov lis',
    'dec dez dic gru des',
  ].flatMap((names, month) => names.split(' ').map((name) => [name, month + 1] as const)),
);

/**
 * Matches the time of day and zone after a date. Both are ignored, because the date counts as written. Hungarian dates
 * end with a period.
 */
const TIME = /^\.?(?:[T, -]\s*\d{1,2}[:.h]\d{2}[^\n]{0,24})?$/;
const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/;
const YEAR_LAST = /^(\d{1,2})([-/. ])(\d{1,2})\2(\d{4}|\d{2})(?!\d)/;
const COMPACT = /^(\d{8}|\d{6})(?!\d)/;
const DAY_NAMED_MONTH =
  /^(\d{1,2})(?:st|nd|rd|th|er|\.)?[-/ ,]*(?:de )?(\p{L}{3,12})\.?[-/ ,]*(?:de )?(\d{4}|\d{2})(?!\d)/u;
const NAMED_MONTH_DAY = /^(\p{L}{3,12})\.?[- ]*(\d{1,2})(?:st|nd|rd|th)?[-, ]+(\d{4})(?!\d)/u;
const WEEKDAY = /^\p{L}{2,10}[.,]{0,2} (?=\d)/u;

/**
 * Parses a date in one of the forms that banks use; null if it is not a date. `order` resolves ambiguous dates. Time
 * and zone are ignored. Two-digit years below 70 belong to this century.
 */
export function parseDateText(text: string, order: DateOrder): CalendarDate | null {
  const plain = text.trim();
  if (plain.length < 6 || plain.length > MAX_LENGTH) return null;
  return (
    parseNumericDate(plain, order) ??
    parseNamedMonthDate(plain) ??
    parseNamedMonthDate(plain.replace(WEEKDAY, ''))
  );
}

function parseNumericDate(text: string, order: DateOrder): CalendarDate | null {
  const parts = YEAR_FIRST.exec(text) ?? YEAR_LAST.exec(text) ?? COMPACT.exec(text);
  if (parts === null || !TIME.test(text.slice(parts[0].length))) return null;
  const [digits, a = '', separator, b = '', c = ''] = parts;
  if (separator === undefined) return parseCompactDate(digits, order);
  if (a.length === 4) return order === 'ydm' ? toDate(a, c, b) : toDate(a, b, c);
  if (order === 'dmy') return toDate(c, b, a);
  if (order === 'mdy') return toDate(c, a, b);
  // A two-digit year comes first only if the date is written with dashes.
  if (c.length === 4 || a.length < 2 || separator !== '-') return null;
  return order === 'ydm' ? toDate(a, c, b) : toDate(a, b, c);
}

function parseCompactDate(digits: string, order: DateOrder): CalendarDate | null {
  const year = digits.length - 4;
  if (order === 'ymd') return toDate(digits.slice(0, year), digits.slice(year, -2), digits.slice(-2));
  if (order === 'ydm') return toDate(digits.slice(0, year), digits.slice(-2), digits.slice(year, -2));
  const [a, b] = [digits.slice(0, 2), digits.slice(2, 4)];
  return order === 'dmy' ? toDate(digits.slice(4), b, a) : toDate(digits.slice(4), a, b);
}

function parseNamedMonthDate(plain: string): CalendarDate | null {
  const dayFirst = DAY_NAMED_MONTH.exec(plain);
  if (dayFirst !== null) {
    const [match, day, name = '', year] = dayFirst;
    return TIME.test(plain.slice(match.length)) ? toDate(year, findMonthNumber(name), day) : null;
  }
  const monthFirst = NAMED_MONTH_DAY.exec(plain);
  if (monthFirst === null) return null;
  const [match, name = '', day, year] = monthFirst;
  return TIME.test(plain.slice(match.length)) ? toDate(year, findMonthNumber(name), day) : null;
}

function findMonthNumber(name: string): string {
  const letters = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return String(months.get(letters.slice(0, 4)) ?? months.get(letters.slice(0, 3)) ?? 0);
}

function toDate(year = '', month = '', day = ''): CalendarDate | null {
  const full = year.length === 2 ? (year < '70' ? `20${year}` : `19${year}`) : year;
  const date = `${full}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return full >= '1970' && full < '2100' && isCalendarDate(date) ? date : null;
}
