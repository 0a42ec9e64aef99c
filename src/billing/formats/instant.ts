const DAY_MS = 86_400_000;
const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Returns the two-digit number at position `at`; NaN if there is none. */
function readTwoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

/** Returns the number of days from 1970-01-01 to a Gregorian date; NaN if the date does not exist. */
function toEpochDay(year: number, month: number, day: number): number {
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

/** Parses the zone at `at` to minutes east of UTC. Returns 0 if the text ends there, NaN if invalid. */
function parseZoneMinutes(text: string, at: number): number {
  const zone = text.charCodeAt(at) === 32 ? at + 1 : at;
  const left = text.length - zone;
  if (left === 0) return zone === at ? 0 : Number.NaN;
  const sign = text[zone];
  if (sign !== '+' && sign !== '-') {
    const name = text.slice(zone);
    return name === 'Z' || name === 'UTC' ? 0 : Number.NaN;
  }
  const colon = text[zone + 3] === ':' ? 1 : 0;
  if (left !== 5 + colon) return Number.NaN;
  const hours = readTwoDigits(text, zone + 1);
  const minutes = readTwoDigits(text, zone + 3 + colon);
  if (!(hours <= 23 && minutes <= 59)) return Number.NaN;
  return (sign === '-' ? -1 : 1) * (hours * 60 + minutes);
}

/**
 * Converts a datetime of the service to UTC milliseconds; null if it is invalid.
 *
 * Accepts `2016-11-08T16:22:26-05:00` and `…Z`, `2016-11-08 16:22:18 -0500` and `… UTC` as in webhook payloads, and
 * fractions of a second, which are truncated to milliseconds. A time without a zone is read as UTC, never as local time;
 * see `hasTimeZone`. Invalid dates, hour 24 and text after the zone are rejected. Second 60 becomes the first second of
 * the next minute.
 */
export function parseInstant(text: string): number | null {
  if (text !== lastParsed.text) lastParsed = { text, ms: parseUncached(text) };
  return lastParsed.ms;
}

/** Caches the last parsed timestamp, because rows often repeat a timestamp and are read more than once. */
let lastParsed: { text: string; ms: number | null } = { text: '', ms: null };

function parseUncached(text: string): number | null {
  if (!hasDatetimeSeparators(text)) return null;
  const hours = readTwoDigits(text, 11);
  const minutes = readTwoDigits(text, 14);
  const seconds = readTwoDigits(text, 17);
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

  const day = toEpochDay(
    readTwoDigits(text, 0) * 100 + readTwoDigits(text, 2),
    readTwoDigits(text, 5),
    readTwoDigits(text, 8),
  );
  const zone = parseZoneMinutes(text, end);
  const ms = day * DAY_MS + ((hours * 60 + minutes - zone) * 60 + seconds) * 1000 + fraction;
  return Number.isNaN(ms) ? null : ms;
}

/** Returns true if the text has the separators of a datetime (`____-__-__T__:__:__`, with `T` or a space). */
function hasDatetimeSeparators(text: string): boolean {
  const separator = text.charCodeAt(10);
  return (
    text.length >= 19 &&
    (separator === 84 || separator === 32) &&
    text.charCodeAt(4) === 45 &&
    text.charCodeAt(7) === 45 &&
    text.charCodeAt(13) === 58 &&
    text.charCodeAt(16) === 58
  );
}

/** Returns true if a datetime accepted by `parseInstant` includes a time zone. */
export function hasTimeZone(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last === 90 || last === 67 || text.includes('+', 19) || text.includes('-', 19);
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Converts an HTTP date such as `Tue, 08 Nov 2016 21:22:26 GMT` to UTC milliseconds, or to null. */
export function parseHttpDate(text: string | undefined): number | null {
  if (text === undefined || !HTTP_DATE.test(text)) return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}
