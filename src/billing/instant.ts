const DAY = 86_400_000;
const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** The two digits at `at`, or NaN. */
function two(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

/** Days from 1970-01-01 to a date of the Gregorian calendar; NaN for a date that does not exist. */
function epochDay(year: number, month: number, day: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const last = month === 2 && leap ? 29 : DAYS_IN_MONTH[month - 1];
  if (last === undefined || !(day >= 1 && day <= last)) return Number.NaN;
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** The zone at `at` in minutes east of UTC; 0 where the text ends without one, NaN where it is no zone. */
function zoneMinutes(text: string, at: number): number {
  const zone = text.charCodeAt(at) === 32 ? at + 1 : at;
  const left = text.length - zone;
  if (left === 0) return zone === at ? 0 : Number.NaN;
  const sign = text[zone];
  if (sign === 'Z') return left === 1 ? 0 : Number.NaN;
  if (sign === 'U') return text.slice(zone) === 'UTC' ? 0 : Number.NaN;
  if (sign !== '+' && sign !== '-') return Number.NaN;
  const colon = text[zone + 3] === ':' ? 1 : 0;
  if (left !== 5 + colon) return Number.NaN;
  const hours = two(text, zone + 1);
  const minutes = two(text, zone + 3 + colon);
  if (!(hours <= 23 && minutes <= 59)) return Number.NaN;
  return (sign === '-' ? -1 : 1) * (hours * 60 + minutes);
}

/**
 * The moment a datetime text of the service means, in ms UTC; null where it is not one.
 *
 * Reads `2016-11-08T16:22:26-05:00`, `…Z`, the form of webhook payloads `2016-11-08 16:22:18 -0500`, `… UTC`, and
 * fractions of a second (cut to ms). A time without a zone is read as UTC, never as local time; `hasZone` tells.
 * Dates that do not exist, hour 24 and anything behind the zone are refused; second 60 is the next minute's first.
 */
export function instant(text: string): number | null {
  if (text !== latest.text) latest = { text, ms: read(text) };
  return latest.ms;
}

/** A row names one moment several times, and is looked at more than once. */
let latest: { text: string; ms: number | null } = { text: '', ms: null };

function read(text: string): number | null {
  const separator = text.charCodeAt(10);
  if (
    text.length < 19 ||
    (separator !== 84 && separator !== 32) ||
    text.charCodeAt(4) !== 45 ||
    text.charCodeAt(7) !== 45 ||
    text.charCodeAt(13) !== 58 ||
    text.charCodeAt(16) !== 58
  ) {
    return null;
  }
  const hours = two(text, 11);
  const minutes = two(text, 14);
  const seconds = two(text, 17);
  if (!(hours <= 23 && minutes <= 59 && seconds <= 60)) return null;

  let end = 19;
  let fraction = 0;
  if (text.charCodeAt(end) === 46) {
    const from = ++end;
    for (let digit = text.charCodeAt(end) - 48; digit >= 0 && digit <= 9; digit = text.charCodeAt(end) - 48) {
      if (end - from < 3) fraction += digit * 10 ** (2 - (end - from));
      end++;
    }
    if (end === from) return null;
  }

  const day = epochDay(two(text, 0) * 100 + two(text, 2), two(text, 5), two(text, 8));
  const zone = zoneMinutes(text, end);
  const ms = day * DAY + ((hours * 60 + minutes - zone) * 60 + seconds) * 1000 + fraction;
  return Number.isNaN(ms) ? null : ms;
}

/** Whether a datetime text that `instant` reads says its zone. */
export function hasZone(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last === 90 || last === 67 || text.includes('+', 19) || text.includes('-', 19);
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** An HTTP date header (`Tue, 08 Nov 2016 21:22:26 GMT`) in ms UTC, or null. */
export function httpDate(text: string | undefined): number | null {
  if (text === undefined || !HTTP_DATE.test(text)) return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}
