/** Quantity of a component: an integer, or an exact decimal text if the service allows fractions. */
export type Quantity = number | string;

/** Maximum length of a quantity in characters, chosen by judgment. Longer text is rejected. */
const MAX_QUANTITY_DIGITS = 60;

/**
 * Parses a quantity (`8`, `+8`, `2.50`, `-1`): a number if it is an exact integer, decimal text for fractions, null
 * if invalid. Thousands separators and exponents are rejected, because their meaning varies.
 */
export function parseQuantity(text: string): Quantity | null {
  const parts = text.length > MAX_QUANTITY_DIGITS ? null : /^([+-]?)(\d+)(?:\.(\d+))?$/.exec(text.trim());
  if (parts === null) return null;
  const [, sign, whole = '', fraction = ''] = parts;
  const left = whole.replace(/^0+(?=\d)/, '');
  const right = fraction.replace(/0+$/, '');
  const plain = right === '' ? left : `${left}.${right}`;
  const signed = sign === '-' && plain !== '0' ? `-${plain}` : plain;
  const number = Number(signed);
  return right === '' && Number.isSafeInteger(number) ? number : signed;
}

/** Parses the quantity of a requested change: an integer of at least 0 (interface 4.4), null if invalid. */
export function parseRequestedQuantity(text: string): number | null {
  const quantity = parseQuantity(text);
  return typeof quantity === 'number' && quantity >= 0 ? quantity : null;
}

/** Returns the exact difference `to` minus `from`. */
export function computeQuantityDifference(from: Quantity, to: Quantity): Quantity {
  const [left, right] = [toDecimal(from), toDecimal(to)];
  const decimalPlaces = Math.max(left.places, right.places);
  const difference = scaleTo(right, decimalPlaces) - scaleTo(left, decimalPlaces);
  const digits = String(difference < 0n ? -difference : difference).padStart(decimalPlaces + 1, '0');
  const text =
    decimalPlaces === 0 ? digits : `${digits.slice(0, -decimalPlaces)}.${digits.slice(-decimalPlaces)}`;
  return parseQuantity(difference < 0n ? `-${text}` : text) as Quantity;
}

interface Decimal {
  readonly digits: bigint;
  /** Number of digits after the decimal point. */
  readonly places: number;
}

/** Compares two quantities exactly. Returns a number below, equal to or above zero, as for sorting. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [left, right] = [toDecimal(a), toDecimal(b)];
  const places = Math.max(left.places, right.places);
  const difference = scaleTo(left, places) - scaleTo(right, places);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Returns true if two quantities are equal, whatever their notation: 2, `"2"` and `"2.0"` are equal. */
export const isSameQuantity = (a: Quantity, b: Quantity): boolean => a === b || compareQuantities(a, b) === 0;

function toDecimal(quantity: Quantity): Decimal {
  const parts = /^(-?\d+)(?:\.(\d+))?$/.exec(String(quantity));
  if (parts === null) throw new RangeError(`${quantity} is not a quantity`);
  const fraction = parts[2] ?? '';
  return { digits: BigInt((parts[1] as string) + fraction), places: fraction.length };
}

const scaleTo = ({ digits, places }: Decimal, to: number): bigint => digits * 10n ** BigInt(to - places);
