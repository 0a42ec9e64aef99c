/** Formats counts, money, times and sizes for people. Money is never converted to a floating-point number. */

/** Rounds to an integer and groups its digits: `12,345`. Avoids `Intl`, which takes longer to load than most commands run. */
export const formatNumber = (value: number): string => groupDigits(String(Math.round(value)));

/** Groups the digits before the decimal point. At most two digits follow it. */
function groupDigits(digits: string): string {
  return digits.replace(/\B(?=(?:\d{3})+(?:\.|$))/g, ',');
}

/** Formats a count with its noun: `3 webhooks`, `1 webhook`. */
export function formatCount(value: number, one: string, many = `${one}s`): string {
  return `${formatNumber(value)} ${value === 1 ? one : many}`;
}

/** Formats cents as `1,234.56`, without the currency, or as an empty string if there is no amount. */
export function formatMoney(cents: number | null | undefined): string {
  return cents == null ? '' : groupDigits(toDecimal(cents));
}

/** Converts cents to exact decimal text: `-1234.56`. */
export function toDecimal(cents: number): `${number}` {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}` as `${number}`;
}

/** Cuts a timestamp to the minute, in the offset in which the service wrote it: `2026-10-03 14:05`. Returns other text unchanged. */
export function formatMinute(timestamp: string | null | undefined): string {
  const parts = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)/.exec(timestamp ?? '');
  return parts ? `${parts[1]} ${parts[2]}` : (timestamp ?? '');
}

/** Returns the calendar day of a timestamp as the service wrote it. */
export function formatDay(timestamp: string | null | undefined): string {
  return /^\d{4}-\d\d-\d\d/.exec(timestamp ?? '')?.[0] ?? timestamp ?? '';
}

/** Formats a duration in its two largest units: `45 s`, `3 min 20 s`, `2 h 5 min`, `4 d 3 h`. */
export function formatDuration(ms: number): string {
  if (ms < 9950) return `${Math.round(ms / 100) / 10} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return joinUnits(minutes, 'min', seconds % 60, 's');
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return joinUnits(hours, 'h', minutes % 60, 'min');
  return joinUnits(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

function joinUnits(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

/** Formats how long ago a UTC timestamp was: `just now`, `14 min ago`, `never` for null. */
export function formatAge(timestamp: string | null, now: number): string {
  if (timestamp === null) return 'never';
  const elapsed = now - Date.parse(timestamp);
  return elapsed < 60_000 ? 'just now' : `${formatDuration(elapsed - (elapsed % 60_000))} ago`;
}

/** Formats a size in decimal units: `61 kB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const unit = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${formatNumber(Math.round(bytes / 1000 ** unit))} ${units[unit]}`;
}
