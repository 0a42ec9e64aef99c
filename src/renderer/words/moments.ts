/**
 * Moments as text. A moment comes as the service wrote it (`2026-10-07T14:02:11-05:00`, or with blanks as in webhook
 * bodies) or as our own ISO UTC. It is shown in the user's zone; UTC and the text as sent are a hover away.
 */
export interface Place {
  readonly locale?: string | undefined;
  readonly timeZone?: string | undefined;
}

const SPACED = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?) ?(Z|UTC|[+-]\d\d:?\d\d)$/;

/** Milliseconds UTC; null where the text is no moment. */
export function instantOf(text: string): number | null {
  const spaced = SPACED.exec(text);
  const iso = spaced ? `${spaced[1]}T${spaced[2]}${offset(spaced[3] as string)}` : text;
  const ms = Date.parse(iso);
  return Number.isNaN(ms) ? null : ms;
}

function offset(text: string): string {
  return text === 'UTC' ? 'Z' : text.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2');
}

/** `7 Oct 2026, 14:02` in the user's zone; what is no moment is shown as it is. */
export function momentText(text: string, place: Place = {}): string {
  return shown(text, place, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });
}

/** The same to the second, for details. */
export function momentSecondsText(text: string, place: Place = {}): string {
  return shown(text, place, { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' });
}

/** The day alone, in the user's zone. */
export function dayText(text: string, place: Place = {}): string {
  return shown(text, place, { dateStyle: 'medium' });
}

/** A calendar date as it is (`2026-10-07`), with no zone to shift it. */
export function dateText(date: string, place: Place = {}): string {
  return shown(`${date}T00:00:00Z`, { ...place, timeZone: 'UTC' }, { dateStyle: 'medium' });
}

/** A month (`2026-10`) as `October 2026`. */
export function monthText(month: string, place: Place = {}): string {
  return shown(`${month}-01T00:00:00Z`, { ...place, timeZone: 'UTC' }, { month: 'long', year: 'numeric' });
}

/** UTC to the second: `2026-10-07 19:02:11 UTC`. */
function utcText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** What a hover over a moment says: UTC, and the text as the service sent it. */
export function momentTitle(text: string): string {
  const ms = instantOf(text);
  return ms === null ? `As sent: ${text}` : `${utcText(ms)}\nAs sent: ${text}`;
}

const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** How long ago, coarsely: `just now`, `14 min ago`, `3 days ago`. */
export function agoText(ms: number, now: number, locale?: string): string {
  const past = Math.max(0, now - ms);
  for (const [unit, length] of STEPS) {
    if (past >= length) {
      const format = new Intl.RelativeTimeFormat(locale, { style: unit === 'day' ? 'long' : 'short' });
      return format.format(-Math.floor(past / length), unit).replace('.', '');
    }
  }
  return 'just now';
}

function shown(text: string, place: Place, options: Intl.DateTimeFormatOptions): string {
  const ms = instantOf(text);
  return ms === null ? text : formatter(place, options).format(ms);
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(place: Place, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([place.locale, place.timeZone, options]);
  const known = formatters.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(place.locale, { ...options, timeZone: place.timeZone });
  formatters.set(key, made);
  return made;
}
