const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;
/** Maximum number of digits of a number. No quantity or amount is longer. Longer text is not treated as a number. */
const MAX_DIGITS = 400;

/** Returns the exact decimal without exponent, padding zeros and `-0`; null if the text is not a decimal number. */
export function normalizeDecimal(text: string): string | null {
  const parts = text.length > MAX_DIGITS ? null : DECIMAL.exec(text.trim());
  if (parts === null) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (digits === '' || Math.abs(point) > MAX_DIGITS) return null;

  const padded = point < 0 ? '0'.repeat(-point) + digits : digits.padEnd(point, '0');
  const cut = Math.max(point, 0);
  const left = padded.slice(0, cut).replace(/^0+/, '') || '0';
  const right = padded.slice(cut).replace(/0+$/, '');
  const plain = right === '' ? left : `${left}.${right}`;
  return sign === '-' && plain !== '0' ? `-${plain}` : plain;
}

/** Returns a safe integer as a number, another decimal as normalized text, and null for other text. */
export function toExactQuantity(text: string): number | string | null {
  const plain = normalizeDecimal(text);
  if (plain === null) return null;
  const number = Number(plain);
  return Number.isSafeInteger(number) && String(number) === plain ? number : plain;
}

/** Converts the source text of a JSON number to a number. Returns the text unchanged if a double would lose digits. */
export function toExactNumber(source: string): number | string {
  const number = Number(source);
  return Number.isFinite(number) && normalizeDecimal(String(number)) === normalizeDecimal(source)
    ? number
    : source;
}
