/** Formats counts, money, times and sizes for people. Money is never converted to floating point. */

/** Rounds a number and groups its digits, for example `12,345`. Loading `Intl` would take longer than most commands. */
export const formatNumber = (value: number): string => groupDigits(String(Math.round(value)));

/** Groups the digits before the decimal point. The text has at most two decimal places. */
function groupDigits(digits: string): string {
  return digits.replace(/\B(?=(?:\d{3})+(?:\.|$))/g, ',');
}

/** Formats a count with its noun, for example `3 webhooks` or `1 webhook`. */
export function formatCount(value: number, one: string, many = `${one}s`): string {
  return `${formatNumber(value)} ${value === 1 ? one : many}`;
}

/** Formats cents without the currency, for example `1,234.56`. Returns an empty string if there is no amount. */
export function formatMoney(cents: number | null | undefined): string {
  return cents == null ? '' : groupDigits(formatDecimalAmount(cents));
}

/** Formats cents as an exact decimal number, for example `-1234.56`. */
export function formatDecimalAmount(cents: number): `${number}` {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}` as `${number}`;
}

/** Truncates a timestamp to the minute in its own time zone, for example `2026-10-03 14:05`. */
export function formatMinute(timestamp: string | null | undefined): string {
  const parts = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)/.exec(timestamp ?? '');
  return parts ? `${parts[1]} ${parts[2]}` : (timestamp ?? '');
}

/** Returns the calendar date of a timestamp as the service wrote it. */
export function formatDay(timestamp: string | null | undefined): string {
  return /^\d{4}-\d\d-\d\d/.exec(timestamp ?? '')?.[0] ?? timestamp ?? '';
}

/** Formats a duration in its two largest units, for example `45 s`, `3 min 20 s`, `2 h 5 min` or `4 d 3 h`. */
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

/** Formats the time since a UTC timestamp, for example `just now` or `14 min ago`. Null becomes `never`. */
export function formatAge(timestamp: string | null, now: number): string {
  if (timestamp === null) return 'never';
  const elapsed = now - Date.parse(timestamp);
  return elapsed < 60_000 ? 'just now' : `${formatDuration(elapsed - (elapsed % 60_000))} ago`;
}

/** Formats a size in decimal units, for example `61 kB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const unit = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${formatNumber(Math.round(bytes / 1000 ** unit))} ${units[unit]}`;
}
