const SERVICE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d([+-])(\d\d):([0-5]\d)$/;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * Returns the value that a `stored_…_text` column contains: the UTC offset in minutes if the text follows from it and the
 * instant `at` (UTC milliseconds), otherwise the text. The driver binds only a bigint as an integer.
 */
export function toStoredTime(text: string | null, at: number | null): string | bigint | null {
  const parts = text === null || at === null ? null : SERVICE_TIME.exec(text);
  if (parts === null) return text;
  const [all, sign, hours, minutes] = parts;
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  if (sign === '-' && offset === 0) return text;
  return new Date(at! + offset * MINUTE_MS).toISOString() === `${all.slice(0, 19)}.000Z`
    ? BigInt(offset)
    : text;
}

/**
 * Returns the text of a time that `toStoredTime` has shortened, like the column without the prefix `stored_`. For a page of
 * rows this takes less time than the generated column.
 */
export function toTimeText(stored: string | number | null, at: number): string | null {
  if (typeof stored !== 'number') return stored;
  const local = at + stored * MINUTE_MS;
  const day = Math.floor(local / DAY_MS);
  const seconds = (local - day * DAY_MS) / 1000;
  const time = `${twoDigits(seconds / 3600)}:${twoDigits((seconds / 60) % 60)}:${twoDigits(seconds % 60)}`;
  const offset = Math.abs(stored);
  return `${formatDay(day)}T${time}${stored < 0 ? '-' : '+'}${twoDigits(offset / 60)}:${twoDigits(offset % 60)}`;
}

const TWO_DIGITS = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));
const twoDigits = (value: number): string => TWO_DIGITS[Math.floor(value)]!;

/** Maximum number of cached days: ten years. */
const MAX_CACHED_DAYS = 3660;
const cachedDays = new Map<number, string>();

/** Returns a day since 1970 as YYYY-MM-DD. */
function formatDay(day: number): string {
  const cached = cachedDays.get(day);
  if (cached !== undefined) return cached;
  const text = new Date(day * DAY_MS).toISOString().slice(0, 10);
  if (cachedDays.size >= MAX_CACHED_DAYS) cachedDays.clear();
  cachedDays.set(day, text);
  return text;
}

/** Returns the value that `stored_signature` contains: the bytes if the text is their hexadecimal form. */
export function toStoredSignature(text: string | null): string | Buffer | null {
  return text !== null && /^(?:[0-9a-f]{2})+$/.test(text) ? Buffer.from(text, 'hex') : text;
}
