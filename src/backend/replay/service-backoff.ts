import type { BillingError } from '../../billing/index.ts';

/** Milliseconds of continuous errors after which a replay stops. Chosen by judgment. */
const GIVE_UP_MS = 30 * 60_000;
const MAX_DELAY_MS = 60_000;

/** Backoff after errors of the service. Decides when to give up. Every delay is multiplied by `delayScale`. */
export class ServiceBackoff {
  readonly #delayScale: number;
  #failuresInRow = 0;
  #firstFailureAt = 0;
  /** The service's latest error, or null if the service has responded since. */
  lastError: BillingError | null = null;
  /** Time until which no request is sent, in UTC milliseconds by the local clock. */
  until = 0;

  constructor(delayScale: number) {
    this.#delayScale = delayScale;
  }

  recordFailure(error: BillingError, now: number): void {
    if (this.#failuresInRow++ === 0) this.#firstFailureAt = now;
    this.lastError = error;
    const backoff = Math.min(MAX_DELAY_MS, 1000 * 2 ** Math.min(this.#failuresInRow, 10));
    this.until = now + (error.retry_after_ms ?? backoff) * this.#delayScale;
  }

  /** Ends the backoff after a successful response. */
  recordSuccess(): void {
    this.lastError = null;
    this.#failuresInRow = 0;
    this.until = 0;
  }

  /** Returns the latest error if the service has failed for too long without a single success. Otherwise null. */
  findFatalError(now: number): BillingError | null {
    const hasFailed = this.#failuresInRow > 0 && now - this.#firstFailureAt > GIVE_UP_MS * this.#delayScale;
    return hasFailed ? this.lastError : null;
  }
}
