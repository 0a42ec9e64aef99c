import { getNumberLocale } from './display-formats.ts';

const integerFormats = new Map<string | undefined, Intl.NumberFormat>();

/** Formats a count with thousands separators, for example `1,204`. */
export function formatCount(count: number): string {
  const locale = getNumberLocale();
  const format = integerFormats.get(locale) ?? new Intl.NumberFormat(locale);
  integerFormats.set(locale, format);
  return format.format(count);
}

/** Formats a count with its noun, for example `1 webhook` or `1,204 webhooks`. */
export function formatCountWithNoun(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}

/** Formats a total. If the total is a lower bound, a plus sign is appended, as in `10,000+`. */
export function formatTotalCount(total: { count: number; exact: boolean }): string {
  return total.exact ? formatCount(total.count) : `${formatCount(total.count)}+`;
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** Formats a file size, for example `812 bytes`, `61 kB`, or `2.4 GB`. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return `${step > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[step]}`;
}

/** Formats a duration, for example `0.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min`, or `3 days`. */
export function formatDuration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 1) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(Math.round(seconds) / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds) % 60} s`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return formatCountWithNoun(Math.round(minutes / 1440), 'day');
}

/** Formats a rate per second, for example `3.5/s`. */
export function formatRate(rate: number): string {
  return `${rate < 10 ? rate.toFixed(1) : formatCount(Math.round(rate))}/s`;
}

/** Formats a quantity with a minus sign if it is negative. A decimal text keeps all its digits. */
export function formatQuantity(quantity: number | string): string {
  return typeof quantity === 'number'
    ? formatCount(quantity).replace('-', '\u2212')
    : quantity.replace('-', '\u2212');
}
