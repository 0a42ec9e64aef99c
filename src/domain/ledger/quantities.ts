/** A component's quantity: a whole number, or exact decimal text where the service allows fractions. */
export type Quantity = number | string;

/** Digits that any quantity has; a longer text is not taken for one. */
const MOST_DIGITS = 60;

/**
 * A quantity as a person writes it (`8`, `+8`, `2.50`, `-1`): a number where it is whole and exact, else plain decimal text.
 * Null where it is not one; separators of thousands and exponents are none, for they are read differently in different places.
 */
export function readQuantity(text: string): Quantity | null {
  const parts = text.length > MOST_DIGITS ? null : /^([+-]?)(\d+)(?:\.(\d+))?$/.exec(text.trim());
  if (parts === null) return null;
  const [, sign, whole = '', fraction = ''] = parts;
  const left = whole.replace(/^0+(?=\d)/, '');
  const right = fraction.replace(/0+$/, '');
  const plain = right === '' ? left : `${left}.${right}`;
  const signed = sign === '-' && plain !== '0' ? `-${plain}` : plain;
  const number = Number(signed);
  return right === '' && Number.isSafeInteger(number) ? number : signed;
}

/** What is to be added to `from` to come to `to`, exactly. */
export function differenceOf(from: Quantity, to: Quantity): Quantity {
  const [left, right] = [decimal(from), decimal(to)];
  const places = Math.max(left.places, right.places);
  const difference = scaled(right, places) - scaled(left, places);
  const digits = String(difference < 0n ? -difference : difference).padStart(places + 1, '0');
  const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  return readQuantity(difference < 0n ? `-${text}` : text) as Quantity;
}

interface Decimal {
  readonly digits: bigint;
  /** How many of the digits stand behind the point. */
  readonly places: number;
}

/** Less than, equal to or greater than zero, as `a` is less than, equal to or greater than `b`. Exact. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [left, right] = [decimal(a), decimal(b)];
  const places = Math.max(left.places, right.places);
  const difference = scaled(left, places) - scaled(right, places);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Whether two quantities are the same number, however they are written: 2, `"2"` and `"2.0"` are. */
export function sameQuantity(a: Quantity, b: Quantity): boolean {
  return a === b || compareQuantities(a, b) === 0;
}

function decimal(quantity: Quantity): Decimal {
  const parts = /^(-?\d+)(?:\.(\d+))?$/.exec(String(quantity));
  if (parts === null) throw new RangeError(`${quantity} is not a quantity`);
  const fraction = parts[2] ?? '';
  return { digits: BigInt((parts[1] as string) + fraction), places: fraction.length };
}

function scaled({ digits, places }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(to - places);
}
