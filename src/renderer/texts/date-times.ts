import { createOffsetReader, parseFixedOffset } from '../../domain/ledger/service-time-zone.ts';
import { dateFormatLocales, getDateFormat } from './display-formats.ts';
import { useDisplayZone } from './display-zone.ts';

/** Locale and time zone for displaying dates and times. By default, the user's locale and the display zone apply. */
interface DisplayLocale {
  readonly locale?: string | undefined;
  readonly timeZone?: string | undefined;
}

const SPACE_SEPARATED = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?) ?(Z|UTC|[+-]\d\d:?\d\d)$/;

/** Parses a date and time. Returns UTC milliseconds, or null if the text is not a date and time. */
export function parseDateTime(text: string): number | null {
  const match = SPACE_SEPARATED.exec(text);
  const iso = match ? `${match[1]}T${match[2]}${normalizeOffset(match[3] as string)}` : text;
  const ms = Date.parse(iso);
  return Number.isNaN(ms) ? null : ms;
}

function normalizeOffset(text: string): string {
  return text === 'UTC' ? 'Z' : text.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2');
}

/** Formats a date and time as `7 Oct 2026, 14:02`. Returns any other text unchanged. */
export function formatDateTime(text: string, display: DisplayLocale = {}): string {
  return formatMoment(text, display, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });
}

/** Formats a date and time including seconds, for use in details. */
export function formatDateTimeWithSeconds(text: string, display: DisplayLocale = {}): string {
  return formatMoment(text, display, { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' });
}

/** Formats the date of a point in time in the display zone. */
export function formatLocalDay(text: string, display: DisplayLocale = {}): string {
  return formatMoment(text, display, { dateStyle: 'medium' });
}

/**
 * Formats a date and time for copies and exports in the display zone, with its UTC offset, for example
 * `2026-10-07T14:02:11-04:00`. Returns any other text unchanged.
 */
export function formatDateTimeWithOffset(text: string, display: DisplayLocale = {}): string {
  const ms = parseDateTime(text);
  if (ms === null) return text;
  const timeZone = display.timeZone ?? useDisplayZone.getState().timeZone;
  const offset = readOffset(timeZone, ms);
  const local = new Date(ms + (parseFixedOffset(offset) ?? 0));
  return `${local.toISOString().slice(0, 19)}${offset === '+00:00' ? 'Z' : offset}`;
}

const offsetReaders = new Map<string | undefined, (at: number) => string>();

function readOffset(timeZone: string | undefined, at: number): string {
  const reader = offsetReaders.get(timeZone) ?? createOffsetReader(timeZone);
  offsetReaders.set(timeZone, reader);
  return reader(at);
}

/** Formats ticks of a time axis in the display zone. `unit` is the smallest unit that the ticks differ in. */
export function createTickFormatter(unit: 'hour' | 'day' | 'month'): (at: number) => string {
  const options = {
    hour: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    day: { day: 'numeric', month: 'short' },
    month: { month: 'short', year: 'numeric' },
  } as const;
  const format = formatter({}, options[unit]);
  return (at) => format.format(at);
}

/** Returns today's date in the site's time zone as YYYY-MM-DD. `now` is in UTC milliseconds. */
export function getSiteToday(now = Date.now()): string {
  const display = { timeZone: useDisplayZone.getState().siteZone };
  return formatDateTimeWithOffset(new Date(now).toISOString(), display).slice(0, 10);
}

/** Formats a calendar date (`2026-10-07`) without any time zone conversion. */
export function formatDate(date: string, display: DisplayLocale = {}): string {
  return formatMoment(`${date}T00:00:00Z`, { ...display, timeZone: 'UTC' }, { dateStyle: 'medium' });
}

/** Formats a month (`2026-10`) as a name and year, for example `October 2026`. */
export function formatMonth(month: string, display: DisplayLocale = {}): string {
  return formatMoment(
    `${month}-01T00:00:00Z`,
    { ...display, timeZone: 'UTC' },
    { month: 'long', year: 'numeric' },
  );
}

/** Formats UTC milliseconds as text, for example `2026-10-07 19:02:11 UTC`. */
function formatUtc(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Returns the tooltip for a date and time: the UTC time and the original text. */
export function formatDateTimeTooltip(text: string): string {
  const ms = parseDateTime(text);
  return ms === null ? `As sent: ${text}` : `${formatUtc(ms)}\nAs sent: ${text}`;
}

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** Formats elapsed time in its largest unit, for example `just now`, `14 min ago`, or `3 days ago`. */
export function formatTimeAgo(ms: number, now: number, locale?: string): string {
  const elapsedMs = Math.max(0, now - ms);
  for (const [unit, unitMs] of UNITS) {
    if (elapsedMs >= unitMs) {
      const format = new Intl.RelativeTimeFormat(locale, { style: unit === 'day' ? 'long' : 'short' });
      return format.format(-Math.floor(elapsedMs / unitMs), unit).replace('.', '');
    }
  }
  return 'just now';
}

function formatMoment(text: string, display: DisplayLocale, options: Intl.DateTimeFormatOptions): string {
  const ms = parseDateTime(text);
  if (ms === null) return text;
  if (display.locale !== undefined) return formatter(display, options).format(ms);
  const format = getDateFormat();
  const isNumeric = (format === 'iso' || format === 'dots') && options.dateStyle !== undefined;
  const locale = dateFormatLocales[format];
  return formatter({ ...display, locale }, isNumeric ? toNumericDate(options) : options).format(ms);
}

/** Returns the options for a date with digits only, for example `2026-10-07 14:02`. */
function toNumericDate({ timeStyle, hourCycle }: Intl.DateTimeFormatOptions): Intl.DateTimeFormatOptions {
  return {
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
    ...(timeStyle && { hour: '2-digit', minute: '2-digit', hourCycle }),
    ...(timeStyle === 'medium' && { second: '2-digit' }),
  };
}

/** Formats UTC milliseconds. */
interface Formatter {
  format(ms: number): string;
}
const formatters = new Map<string, Formatter>();

function formatter(display: DisplayLocale, options: Intl.DateTimeFormatOptions): Formatter {
  const timeZone = display.timeZone ?? useDisplayZone.getState().timeZone;
  const key = JSON.stringify([display.locale, timeZone, options]);
  const cached = formatters.get(key);
  if (cached) return cached;
  const offsetMs = parseFixedOffset(timeZone);
  const zone = offsetMs === null ? timeZone : 'UTC';
  const dateFormat = new Intl.DateTimeFormat(display.locale, { ...options, timeZone: zone });
  const created = { format: (ms: number) => dateFormat.format(ms + (offsetMs ?? 0)) };
  formatters.set(key, created);
  return created;
}
