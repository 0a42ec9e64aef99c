/** Times as the service writes them. Inside the sandbox an instant is whole seconds since 1970, UTC. */

const pad = (n: number): string => (n < 10 ? `0${n}` : String(n));

export const DAY = 86_400;

/** A time zone by its IANA name; the offset is looked up once an hour of time and remembered. */
export class Zone {
  readonly name: string;
  readonly #format: Intl.DateTimeFormat;
  readonly #offsets = new Map<number, number>();

  constructor(name: string) {
    this.name = name;
    this.#format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  }

  /** Seconds east of UTC at that instant. */
  offset(at: number): number {
    const hour = Math.floor(at / 3600);
    const known = this.#offsets.get(hour);
    if (known !== undefined) return known;
    const text = this.#format.formatToParts(at * 1000).find((part) => part.type === 'timeZoneName')?.value;
    const match = /GMT([+-])(\d\d):(\d\d)/.exec(text ?? '');
    const offset = match
      ? (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 3600 + Number(match[3]) * 60)
      : 0;
    this.#offsets.set(hour, offset);
    return offset;
  }

  /** `2016-11-08T16:22:26-05:00`, the form of JSON and XML datetimes. */
  iso(at: number): string {
    const offset = this.offset(at);
    const local = at + offset;
    return `${day(local)}T${clock(local)}${offsetText(offset, ':')}`;
  }

  /** `2016-11-08 16:22:18 -0500`, the form inside webhook bodies. */
  payload(at: number): string {
    const offset = this.offset(at);
    const local = at + offset;
    return `${day(local)} ${clock(local)} ${offsetText(offset, '')}`;
  }

  /** The calendar date there, `YYYY-MM-DD`. */
  date(at: number): string {
    return day(at + this.offset(at));
  }

  /** The calendar date as memos write it, `MM/DD/YYYY`. */
  usDate(at: number): string {
    const date = this.date(at);
    return `${date.slice(5, 7)}/${date.slice(8)}/${date.slice(0, 4)}`;
  }

  /** The first instant of a calendar day there. */
  dayStart(date: string): number {
    const midnight = Date.parse(`${date}T00:00:00Z`) / 1000;
    const guess = midnight - this.offset(midnight);
    return midnight - this.offset(guess);
  }
}

const days = new Map<number, string>();

/** The date of a moment, remembered: few days are asked for often. */
function day(at: number): string {
  const number = Math.floor(at / DAY);
  let text = days.get(number);
  if (text === undefined) {
    text = new Date(number * DAY * 1000).toISOString().slice(0, 10);
    days.set(number, text);
  }
  return text;
}

function clock(at: number): string {
  const second = ((at % DAY) + DAY) % DAY;
  return `${pad(Math.floor(second / 3600))}:${pad(Math.floor(second / 60) % 60)}:${pad(second % 60)}`;
}

function offsetText(offset: number, colon: string): string {
  const minutes = Math.abs(offset) / 60;
  return `${offset < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}${colon}${pad(minutes % 60)}`;
}

/** `2012-11-19T16:59:13Z`, the form of allocation timestamps. */
export const utc = (at: number): string => `${day(at)}T${clock(at)}Z`;

/** The first day of the month `months` away from the month of a date. */
export function monthStart(date: string, months: number): string {
  const index = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1 + months;
  return `${Math.floor(index / 12)}-${pad((index % 12) + 1)}-01`;
}

export function validDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** The instant `months` later at the same time of day, on the anchor's day of the month or the month's last. */
export function addMonths(anchor: number, months: number): number {
  const from = new Date(anchor * 1000);
  const index = from.getUTCFullYear() * 12 + from.getUTCMonth() + months;
  const last = new Date(Date.UTC(Math.floor(index / 12), (index % 12) + 1, 0)).getUTCDate();
  const day = Math.min(from.getUTCDate(), last);
  return Date.UTC(Math.floor(index / 12), index % 12, day) / 1000 + (anchor % DAY);
}
