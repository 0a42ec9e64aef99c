const whole = new Intl.NumberFormat();

/** A count with its thousands apart: `1,204`. */
export function countText(count: number): string {
  return whole.format(count);
}

/** A count with its noun: `1 webhook`, `1,204 webhooks`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}

/** A total that may be a bound: `10,000+`. */
export function totalText(total: { count: number; exact: boolean }): string {
  return total.exact ? countText(total.count) : `${countText(total.count)}+`;
}

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** `812 bytes`, `61 kB`, `2.4 GB`. */
export function bytesText(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return `${step > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[step]}`;
}

/** `0.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min`, `3 days`. */
export function durationText(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 1) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(Math.round(seconds) / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds) % 60} s`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return counted(Math.round(minutes / 1440), 'day');
}

/** Things a second. */
export function rateText(rate: number): string {
  return `${rate < 10 ? rate.toFixed(1) : countText(Math.round(rate))}/s`;
}

/** A quantity as held: a whole number, or its exact decimal text. */
export function quantityText(quantity: number | string): string {
  return typeof quantity === 'number'
    ? countText(quantity).replace('-', '\u2212')
    : quantity.replace('-', '\u2212');
}
