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

/** Maximum number of days from a date in a text to the line's booking day. Chosen by judgment. */
const MAX_DAYS_TO_DATE = 400;

/** Returns true if a number can be read as a date near a day, or as its year. */
export function resemblesDate(value: number, day: number): boolean {
  const year = new Date(day * 86_400_000).getUTCFullYear();
  if (value >= year - 1 && value <= year + 1) return true;
  const text = String(value);
  if (text.length < 5 || text.length > 8) return false;
  return readDates(text).some((date) => Math.abs(date - day) <= MAX_DAYS_TO_DATE);
}

/** Returns the day numbers of all readings of digits as a date. */
function readDates(text: string): number[] {
  const isLong = text.length > 6;
  const digits = text.padStart(isLong ? 8 : 6, '0');
  const width = isLong ? 4 : 2;
  const readings: readonly (readonly [year: string, month: string, day: string])[] = [
    [digits.slice(0, width), digits.slice(width, width + 2), digits.slice(width + 2)],
    [digits.slice(4), digits.slice(2, 4), digits.slice(0, 2)],
    [digits.slice(4), digits.slice(0, 2), digits.slice(2, 4)],
  ];
  return readings.flatMap(([year, month, day]) => {
    const fullYear = isLong ? Number(year) : 2000 + Number(year);
    const isDate = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31;
    return isDate ? [Date.UTC(fullYear, Number(month) - 1, Number(day)) / 86_400_000] : [];
  });
}
