import { type BankProfileField, dateOrders } from '../model/profile.ts';
import { parseAmount } from '../values/amount-text.ts';
import { parseCurrencyCode } from '../values/currency.ts';
import { parseDateText } from '../values/date-text.ts';
import { type ColumnMeaning, PARTIAL_MATCH_RANK } from './column-header-words.ts';
import { rankCurrencyName } from './partial-header-matches.ts';
import { isDash, normalizeColumnName, type TableRow } from './table-rows.ts';

/** Number of filled cells of a column that are compared with a meaning of its header. */
export const MAX_COMPARED_TEXTS = 40;

export function listColumnTexts(rows: readonly TableRow[], header: number, column: number): string[] {
  const texts: string[] = [];
  for (let at = header + 1; at < rows.length && texts.length < MAX_COMPARED_TEXTS; at++) {
    const text = rows[at]?.cells[column]?.trim();
    if (text) texts.push(text);
  }
  return texts;
}

export const isDate = (text: string): boolean =>
  dateOrders.some((order) => parseDateText(text, order) !== null);
/** Returns true for dates and for texts in the form of a date, even if the day does not exist. */
const isDateLike = (text: string): boolean => isDate(text) || /\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}/.test(text);
export const isAmount = (text: string): boolean =>
  !isDate(text) && ('cents' in parseAmount(text, '.', null) || 'cents' in parseAmount(text, ',', null));
const isAccountNumber = (text: string): boolean => /^[A-Z]{2}\d{2}[A-Z0-9 ]{6,}$|^[\d\s./-]{6,}$/.test(text);
/** Returns true for texts with digits, even for invalid amounts, but not for dates. */
const isPossibleAmount = (text: string): boolean =>
  hasDigit(text) && !/^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}/.test(text);
const hasDigit = (text: string): boolean => /\d/.test(text);

/** Returns true if a column's contents allow a meaning of its header. An empty column allows every meaning. */
export function fitsField({ field, rank }: ColumnMeaning, written: readonly string[]): boolean {
  const texts = field === 'direction' ? written : written.filter((text) => !isDash(text));
  if (texts.length === 0) return true;
  const share = (fits: (text: string) => boolean) => texts.filter(fits).length / texts.length;
  const isPartialMatch = rank >= PARTIAL_MATCH_RANK;
  switch (field) {
    case 'booked_on':
    case 'value_on':
      return share(isPartialMatch ? isDate : isDateLike) >= 0.5;
    case 'currency':
    case 'foreign_currency':
      return texts.some((text) => parseCurrencyCode(text) !== null);
    case 'direction':
      return share(hasDigit) < 0.5;
    case 'counterparty':
      return share(isAccountNumber) < 0.5;
    case 'amount':
    case 'credit':
    case 'debit':
    case 'fee':
    case 'balance':
    case 'foreign_amount':
      return share(isPartialMatch ? isAmount : isPossibleAmount) >= 0.5;
    default:
      return true;
  }
}

/** Greater than the rank of every meaning that is found by a part of the header. */
export const SPARSE_PENALTY = 2 * PARTIAL_MATCH_RANK;

/** Returns the rank penalty of a meaning for the contents of the column and for further words in its header. */
export function getRankPenalty(field: BankProfileField, name: string, texts: readonly string[]): number {
  if (field === 'currency') {
    const isVarying = new Set(texts).size > 1;
    return rankCurrencyName(normalizeColumnName(name)) * 4000 + (isVarying ? 2000 : 0);
  }
  const isEmptyText = texts.length === 0 && (field === 'counterparty' || field === 'description');
  return isEmptyText ? 2 * PARTIAL_MATCH_RANK : 0;
}
