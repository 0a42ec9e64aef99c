import { getNumberLocale } from './display-formats.ts';

const MINUS = '\u2212';

/** Formats cents as an exact decimal text for the clipboard and `Intl`: -123456 becomes `-1234.56`. */
export function formatDecimal(cents: number): `${number}` {
  if (!Number.isSafeInteger(cents)) throw new RangeError(`not whole cents: ${cents}`);
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}` as `${number}`;
}

/** Formats cents without a currency, for columns whose header names it, for example `−1,234.56`. */
export function formatAmount(cents: number, locale?: string): string {
  return withMinus(formatter(locale ?? getNumberLocale(), null).format(formatDecimal(cents)));
}

/** Formats cents with a currency, for example `−$1,234.56`. */
export function formatMoney(cents: number, currency: string, locale?: string): string {
  return withMinus(formatter(locale ?? getNumberLocale(), currency).format(formatDecimal(cents)));
}

/** Replaces the hyphen with the minus sign U+2212, which is as wide as a digit, so that columns stay aligned. */
function withMinus(text: string): string {
  return text.replace('-', MINUS);
}

const formatters = new Map<string, Intl.NumberFormat>();

function formatter(locale: string | undefined, currency: string | null): Intl.NumberFormat {
  const key = `${locale ?? ''} ${currency ?? ''}`;
  const cached = formatters.get(key);
  if (cached) return cached;
  const created = new Intl.NumberFormat(locale, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    ...(currency ? { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } : {}),
  });
  formatters.set(key, created);
  return created;
}

/**
 * Parses a typed amount, for example `1,234.50`, `1.234,5`, or `−3`, into cents. Returns null for any other text.
 * A separator before the last one or two digits is the decimal separator. One before three digits separates thousands.
 */
export function parseAmount(text: string): number | null {
  const plain = text.replace(/[\s’']/g, '').replace('\u2212', '-');
  const [, sign, digits, decimals = ''] =
    /^([-+]?)(\d+|\d{1,3}(?:,\d{3})+|\d{1,3}(?:\.\d{3})+)(?:[.,](\d{1,2}))?$/.exec(plain) ?? [];
  if (digits === undefined) return null;
  const cents = Number(digits.replace(/[.,]/g, '') + decimals.padEnd(2, '0'));
  if (!Number.isSafeInteger(cents)) return null;
  return sign === '-' ? 0 - cents : cents;
}
