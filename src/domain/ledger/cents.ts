/** Money in integer cents, within the safe integer range. An inexact sum is an error and is never rounded. */
export type Cents = number;

/** Returns the sum of the amounts. Throws RangeError if it is not exact. */
export function sumCents(amounts: Iterable<Cents>): Cents {
  let sum = 0;
  for (const amount of amounts) sum = addCents(sum, amount);
  return sum;
}

/** Returns `a + b`. Throws RangeError if the sum is not exact. */
export function addCents(a: Cents, b: Cents): Cents {
  const sum = a + b;
  if (Number.isSafeInteger(sum)) return sum;
  throw new RangeError(`${a} + ${b} cents cannot be added exactly`);
}

/** Returns the amount if it is an exact integer; otherwise null. */
export const toExactCents = (amount: number): Cents | null => (Number.isSafeInteger(amount) ? amount : null);

/** Formats an amount in cents without its currency, for example `1,234.50` or `-0.05`. */
export function formatMoney(cents: Cents): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  const whole = digits.slice(0, -2);
  const grouped = whole.length > 3 ? whole.replace(/\B(?=(\d{3})+$)/g, ',') : whole;
  return `${cents < 0 ? '-' : ''}${grouped}.${digits.slice(-2)}`;
}
