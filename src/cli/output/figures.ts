/** Figures as people read them: counts, money, times. Money never passes through a floating-point number. */

/** To the next whole number, as `12,345`. By hand: `Intl` takes longer to begin than most commands to end. */
export const count = (value: number): string => grouped(String(Math.round(value)));

/** A number's digits before the point in groups of three; behind it there are fewer. */
function grouped(digits: string): string {
  return digits.replace(/\B(?=(?:\d{3})+(?:\.|$))/g, ',');
}

/** `3 webhooks`, `1 webhook`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** Integer cents as `1,234.56`; the unit stands in the column's header. Empty where there is none. */
export function money(cents: number | null | undefined): string {
  return cents == null ? '' : grouped(decimalOf(cents));
}

/** Integer cents as exact decimal text, `-1234.56`. */
export function decimalOf(cents: number): `${number}` {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}` as `${number}`;
}

/** A moment to the minute, in the offset the service wrote it in: `2026-10-03 14:05`. Other texts stay as they are. */
export function minute(moment: string | null | undefined): string {
  const parts = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)/.exec(moment ?? '');
  return parts ? `${parts[1]} ${parts[2]}` : (moment ?? '');
}

/** The calendar day of a moment, as the service writes it. */
export function day(moment: string | null | undefined): string {
  return /^\d{4}-\d\d-\d\d/.exec(moment ?? '')?.[0] ?? moment ?? '';
}

/** A span of time in its two largest units: `45 s`, `3 min 20 s`, `2 h 5 min`, `4 d 3 h`. */
export function span(ms: number): string {
  if (ms < 9950) return `${Math.round(ms / 100) / 10} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return two(minutes, 'min', seconds % 60, 's');
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return two(hours, 'h', minutes % 60, 'min');
  return two(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

function two(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

/** How long ago an instant of ours was: `just now`, `14 min ago`. */
export function ago(moment: string | null, now: number): string {
  if (moment === null) return 'never';
  const passed = now - Date.parse(moment);
  return passed < 60_000 ? 'just now' : `${span(passed - (passed % 60_000))} ago`;
}

/** `61 kB`, in steps of 1000. */
export function size(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const unit = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${count(Math.round(bytes / 1000 ** unit))} ${units[unit]}`;
}
