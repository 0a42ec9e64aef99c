const MINUS = '\u2212';

/** Formats cents as an exact decimal text for the clipboard and `Intl`: -123456 becomes `-1234.56`. */
export function formatDecimal(cents: number): `${number}` {
  if (!Number.isSafeInteger(cents)) throw new RangeError(`not whole cents: ${cents}`);
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}` as `${number}`;
}

/** Formats cents without a currency, for columns whose header names it, for example `−1,234.56`. */
export function formatAmount(cents: number, locale?: string): string {
  return withMinus(formatter(locale, null).format(formatDecimal(cents)));
}

/** Formats cents with a currency, for example `−$1,234.56`. */
export function formatMoney(cents: number, currency: string, locale?: string): string {
  return withMinus(formatter(locale, currency).format(formatDecimal(cents)));
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
