import { counted } from '../counted.ts';
import { type Cents, money } from '../ledger/index.ts';
import type { ArithmeticLine } from './finding.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A moment in a sentence: `2026-10-24 20:21 UTC`. */
export function moment(at: number): string {
  if (!Number.isFinite(at) || Math.abs(at) > 8.64e15) return 'an impossible time';
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** A length of time in a sentence: `31 days`, `5 hours`. */
export function span(ms: number): string {
  const [unit, size] =
    Math.abs(ms) >= 2 * DAY ? ['day', DAY] : Math.abs(ms) >= 2 * HOUR ? ['hour', HOUR] : ['minute', MINUTE];
  return counted(Math.round(Math.abs(ms) / size), unit as string);
}

/** `1, 2 and 3` */
export function listed(items: readonly (string | number)[]): string {
  const last = items.at(-1) ?? '';
  return items.length < 2 ? String(last) : `${items.slice(0, -1).join(', ')} and ${last}`;
}

/** A line of the arithmetic that is shown; null where the amount is not known. */
export function line(label: string, amount_in_cents: Cents | null): ArithmeticLine {
  return { label, amount_in_cents };
}

export { counted, money };
