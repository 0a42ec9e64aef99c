/** Formats times in the style of the service. An instant is whole seconds since 1970, UTC. */

const pad = (n: number): string => (n < 10 ? `0${n}` : String(n));

export const SECONDS_PER_DAY = 86_400;

/** A time zone, identified by its IANA name. Offsets are cached per hour. */
export class TimeZone {
  readonly name: string;
  readonly #format: Intl.DateTimeFormat;
  readonly #offsets = new Map<number, number>();

  constructor(name: string) {
    this.name = name;
    this.#format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  }

  /** Returns the UTC offset at a time in seconds. East of UTC is positive. */
  offset(at: number): number {
    const hour = Math.floor(at / 3600);
    const cached = this.#offsets.get(hour);
    if (cached !== undefined) return cached;
    const text = this.#format.formatToParts(at * 1000).find((part) => part.type === 'timeZoneName')?.value;
    const [, sign, hours = 0, minutes = 0] = /GMT([+-])(\d\d):(\d\d)/.exec(text ?? '') ?? [];
    const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
    this.#offsets.set(hour, offset);
    return offset;
  }

  /** Formats a time as `2016-11-08T16:22:26-05:00`, for JSON and XML. */
  iso(at: number): string {
    const offset = this.offset(at);
    const local = at + offset;
    return `${dateText(local)}T${timeText(local)}${offsetText(offset, ':')}`;
  }

  /** Formats a time as `2016-11-08 16:22:18 -0500`, for webhook bodies. */
  payload(at: number): string {
    const offset = this.offset(at);
    const local = at + offset;
    return `${dateText(local)} ${timeText(local)} ${offsetText(offset, '')}`;
  }

  /** Returns the local calendar date of a time, `YYYY-MM-DD`. */
  date(at: number): string {
    return dateText(at + this.offset(at));
  }

  /** Returns the calendar date of a time as written in memos, `MM/DD/YYYY`. */
  usDate(at: number): string {
    const date = this.date(at);
    return `${date.slice(5, 7)}/${date.slice(8)}/${date.slice(0, 4)}`;
  }

  /** Returns the start time of a local calendar day. */
  dayStart(date: string): number {
    const midnight = Date.parse(`${date}T00:00:00Z`) / 1000;
    const guess = midnight - this.offset(midnight);
    return midnight - this.offset(guess);
  }
}

const days = new Map<number, string>();

/** Returns the date of a time. Dates are cached, because only a few days are requested often. */
function dateText(at: number): string {
  const number = Math.floor(at / SECONDS_PER_DAY);
  let text = days.get(number);
  if (text === undefined) {
    text = new Date(number * SECONDS_PER_DAY * 1000).toISOString().slice(0, 10);
    days.set(number, text);
  }
  return text;
}

function timeText(at: number): string {
  const second = ((at % SECONDS_PER_DAY) + SECONDS_PER_DAY) % SECONDS_PER_DAY;
  return `${pad(Math.floor(second / 3600))}:${pad(Math.floor(second / 60) % 60)}:${pad(second % 60)}`;
}

function offsetText(offset: number, colon: string): string {
  const minutes = Math.abs(offset) / 60;
  return `${offset < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}${colon}${pad(minutes % 60)}`;
}

/** Formats a time as `2012-11-19T16:59:13Z`, for allocation timestamps. */
export const formatUtcTimestamp = (at: number): string => `${dateText(at)}T${timeText(at)}Z`;

/** Returns the first day of the month that is `months` after the month of a date. */
export function findMonthStart(date: string, months: number): string {
  const index = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1 + months;
  return `${Math.floor(index / 12)}-${pad((index % 12) + 1)}-01`;
}

export function isValidDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** Returns the same time of day `months` later, on the same day of the month or on its last day. */
export function addMonths(anchor: number, months: number): number {
  const from = new Date(anchor * 1000);
  const index = from.getUTCFullYear() * 12 + from.getUTCMonth() + months;
  const last = new Date(Date.UTC(Math.floor(index / 12), (index % 12) + 1, 0)).getUTCDate();
  const day = Math.min(from.getUTCDate(), last);
  return Date.UTC(Math.floor(index / 12), index % 12, day) / 1000 + (anchor % SECONDS_PER_DAY);
}
