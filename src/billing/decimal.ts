const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;
/** More digits than any quantity or amount has; beyond it a text is not taken for a number. */
const DIGITS_CAP = 400;

/**
 * The plain form of a decimal text: no exponent, no leading or trailing zeros, no `-0`. Exact: digits are moved, never
 * computed. Null where the text is not a decimal number.
 */
export function plainDecimal(text: string): string | null {
  const parts = text.length > DIGITS_CAP ? null : DECIMAL.exec(text.trim());
  if (parts === null) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (digits === '' || Math.abs(point) > DIGITS_CAP) return null;

  const padded = point < 0 ? '0'.repeat(-point) + digits : digits.padEnd(point, '0');
  const cut = Math.max(point, 0);
  const left = padded.slice(0, cut).replace(/^0+/, '') || '0';
  const right = padded.slice(cut).replace(/0+$/, '');
  const plain = right === '' ? left : `${left}.${right}`;
  return sign === '-' && plain !== '0' ? `-${plain}` : plain;
}

/** The decimal text as a number where that is exact as a safe integer, else the plain text; null: not a number. */
export function exactQuantity(text: string): number | string | null {
  const plain = plainDecimal(text);
  if (plain === null) return null;
  const number = Number(plain);
  return Number.isSafeInteger(number) && String(number) === plain ? number : plain;
}

/** A JSON number from its source text: a number where a double holds it exactly enough to print it again, else the text. */
export function exactNumber(source: string): number | string {
  const number = Number(source);
  return Number.isFinite(number) && plainDecimal(String(number)) === plainDecimal(source) ? number : source;
}
