import { formatMoney } from '../../ledger/index.ts';
import { formatCount } from '../../text/format-count.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Formats a time for use in a sentence, for example `2026-10-24 20:21 UTC`. */
export function formatInstant(at: number): string {
  if (!Number.isFinite(at) || Math.abs(at) > 8.64e15) return 'an impossible time';
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Formats a duration for use in a sentence, for example `31 days` or `5 hours`. */
export function formatDuration(ms: number): string {
  const [unit, unitMs] =
    Math.abs(ms) >= 2 * DAY_MS
      ? ['day', DAY_MS]
      : Math.abs(ms) >= 2 * HOUR_MS
        ? ['hour', HOUR_MS]
        : ['minute', MINUTE_MS];
  return formatCount(Math.round(Math.abs(ms) / unitMs), unit as string);
}

/** Joins items for use in a sentence, for example `1, 2 and 3`. */
export function joinList(items: readonly (string | number)[]): string {
  const last = items.at(-1) ?? '';
  return items.length < 2 ? String(last) : `${items.slice(0, -1).join(', ')} and ${last}`;
}

export { formatCount, formatMoney };
