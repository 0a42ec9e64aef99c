const MIN_SLIPPED_DIGITS = 3;
/** Maximum number of digits that a bank cuts from an id. Chosen by judgment. */
const MAX_CUT_DIGITS = 3;

/**
 * Returns true if a number may be written by mistake for an id: one wrong digit, two swapped neighbors, one digit more or
 * less, or digits cut at an end. A carry such as 199 for 200 counts as well.
 */
export function isSlip(value: number, id: number): boolean {
  if (value === id || id < 10 ** (MIN_SLIPPED_DIGITS - 1)) return false;
  let difference = Math.abs(value - id);
  while (difference % 10 === 0) difference /= 10;
  // Swapping the neighbors a and b changes a number by 9 × (a − b) × a power of ten.
  if (difference < 10 || (difference < 90 && difference % 9 === 0)) return true;
  const [short, long] = value < id ? [value, id] : [id, value];
  return isCut(short, long) || isWithoutOneDigit(short, long);
}

function isCut(short: number, long: number): boolean {
  if (short < 1000) return false;
  let rest = long;
  for (let cut = 0; cut < MAX_CUT_DIGITS; cut++) {
    rest = Math.floor(rest / 10);
    if (rest === short) return true;
  }
  const size = 10 ** Math.ceil(Math.log10(short + 1));
  return long % size === short && long < size * 10 ** MAX_CUT_DIGITS;
}

function isWithoutOneDigit(short: number, long: number): boolean {
  if (long >= short * 101 || long <= short * 9) return false;
  for (let power = 1; power <= long; power *= 10) {
    const shortened = Math.floor(long / (power * 10)) * power + (long % power);
    if (shortened === short) return true;
  }
  return false;
}
