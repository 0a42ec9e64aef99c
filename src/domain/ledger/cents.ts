/**
 * Money is whole cents in a safe integer. Sums are exact or refused: a sum that a double cannot hold exactly is an error,
 * never a rounded figure.
 */
export type Cents = number;

/** The exact sum; RangeError where it cannot be held exactly. */
export function sumCents(amounts: Iterable<Cents>): Cents {
  let sum = 0;
  for (const amount of amounts) sum = addCents(sum, amount);
  return sum;
}

/** `a + b`, exact; RangeError where it is not. */
export function addCents(a: Cents, b: Cents): Cents {
  const sum = a + b;
  if (Number.isSafeInteger(sum)) return sum;
  throw new RangeError(`${a} + ${b} cents cannot be added exactly`);
}

/** The amount where it can be held exactly, else null. */
export function exactCents(amount: number): Cents | null {
  return Number.isSafeInteger(amount) ? amount : null;
}

/** Cents as people write them, without a currency: `1,234.50`, `-0.05`. */
export function money(cents: Cents): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  const whole = digits.slice(0, -2);
  const grouped = whole.length > 3 ? whole.replace(/\B(?=(\d{3})+$)/g, ',') : whole;
  return `${cents < 0 ? '-' : ''}${grouped}.${digits.slice(-2)}`;
}
