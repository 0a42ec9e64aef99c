import type { BillingError } from '../../billing/index.ts';

/** Backoff after errors of the service. It also decides when to give up. */
export interface ServiceBackoff {
  /** Returns the message of the service's latest error, or null if the service has answered since. */
  lastErrorText(): string | null;
  /** Returns the time until which nothing is requested, in milliseconds. */
  until(): number;
  recordFailure(error: BillingError, now: number): void;
  /** Ends the backoff after a successful answer. */
  recordSuccess(): void;
  /**
   * Returns the service's latest error if the service has failed for too long without a single answer, or null if not.
   */
  errorToGiveUpWith(now: number): BillingError | null;
}

/** Milliseconds of continuous errors after which a replay stops. Chosen by judgment. */
const GIVE_UP_MS = 30 * 60_000;
const MAX_DELAY_MS = 60_000;

/** Creates the backoff of a replay. Every delay is multiplied by `delayScale`. */
export function createServiceBackoff(delayScale: number): ServiceBackoff {
  let last: BillingError | null = null;
  let inRow = 0;
  let since = 0;
  let until = 0;
  return {
    lastErrorText: () => last?.message ?? null,
    until: () => until,
    recordFailure(error, now) {
      if (inRow++ === 0) since = now;
      last = error;
      until =
        now + (error.retry_after_ms ?? Math.min(MAX_DELAY_MS, 1000 * 2 ** Math.min(inRow, 10))) * delayScale;
    },
    recordSuccess() {
      last = null;
      inRow = 0;
      until = 0;
    },
    errorToGiveUpWith: (now) => (inRow > 0 && now - since > GIVE_UP_MS * delayScale ? last : null),
  };
}
