import type { BillingError } from '../../billing/index.ts';

/** Backoff after failures of the service, and the decision to give up. */
export interface ServiceBackoff {
  /** Returns the service's last failure, or null if it answers. */
  text(): string | null;
  /** Returns until when nothing is requested, in milliseconds. */
  until(): number;
  meet(error: BillingError, now: number): void;
  /** Records a successful answer. */
  clear(): void;
  /** Returns the service's error if it has failed for too long without a single answer. */
  givenUp(now: number): BillingError | null;
}

/** Milliseconds of failures after which an unattended replay stops. Chosen by judgment. */
const GIVE_UP_MS = 30 * 60_000;
const LONGEST_MS = 60_000;

/** Every delay is multiplied by `waits`. */
export function createServiceBackoff(waits: number): ServiceBackoff {
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
