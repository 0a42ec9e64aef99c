/**
 * Money as text. Cents are whole numbers from end to end: the decimal point is put between digits, and `Intl` is given
 * that text, never a fraction.
 */
const MINUS = '\u2212';

/** Cents as an exact decimal text: -123456 becomes `-1234.56`. The form for copying and for `Intl`. */
export function decimalOf(cents: number): `${number}` {
  if (!Number.isSafeInteger(cents)) throw new RangeError(`not whole cents: ${cents}`);
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}` as `${number}`;
}

/** An amount without its currency, for columns whose header names it: `−1,234.56`. */
export function amountText(cents: number, locale?: string): string {
  return withMinus(formatter(locale, null).format(decimalOf(cents)));
}

/** An amount with its currency, for figures that stand alone: `−$1,234.56`. */
export function moneyText(cents: number, currency: string, locale?: string): string {
  return withMinus(formatter(locale, currency).format(decimalOf(cents)));
}

/** A true minus sign, as wide as a digit, so that columns stay aligned. */
function withMinus(text: string): string {
  return text.replace('-', MINUS);
}

const formatters = new Map<string, Intl.NumberFormat>();

function formatter(locale: string | undefined, currency: string | null): Intl.NumberFormat {
  const key = `${locale ?? ''} ${currency ?? ''}`;
  const known = formatters.get(key);
  if (known) return known;
  const made = new Intl.NumberFormat(locale, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    ...(currency ? { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } : {}),
  });
  formatters.set(key, made);
  return made;
}
