/** A component's quantity: a whole number, or exact decimal text where the service allows fractions. */
export type Quantity = number | string;

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
