import type { BillingError } from '../../billing/index.ts';

/** What keeps the service from being talked to: how long it is left alone, and when that has gone on for too long. */
export interface Trouble {
  /** The service's last failure in words; null where it answers. */
  text(): string | null;
  /** Up to when nothing is asked of it, ms. */
  until(): number;
  meet(error: BillingError, now: number): void;
  /** It answered. */
  clear(): void;
  /** What it failed with, once it has for too long without a single answer in between. */
  givenUp(now: number): BillingError | null;
}

/** A replay that nobody watches must end: so long the service may fail on everything. */
const GIVE_UP_MS = 30 * 60_000;
const LONGEST_MS = 60_000;

/** Every wait is multiplied by `waits`. */
export function createTrouble(waits: number): Trouble {
  let last: BillingError | null = null;
  let inRow = 0;
  let since = 0;
  let until = 0;
  return {
    text: () => last?.message ?? null,
    until: () => until,
    meet(error, now) {
      if (inRow++ === 0) since = now;
      last = error;
      until = now + (error.retry_after_ms ?? Math.min(LONGEST_MS, 1000 * 2 ** Math.min(inRow, 10))) * waits;
    },
    clear() {
      last = null;
      inRow = 0;
      until = 0;
    },
    givenUp: (now) => (inRow > 0 && now - since > GIVE_UP_MS * waits ? last : null),
  };
}
