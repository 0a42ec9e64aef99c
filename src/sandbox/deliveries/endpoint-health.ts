/**
 * The service's record of the health of the merchant's endpoint. Too many consecutive failures pause the endpoint. During
 * a pause, only an occasional probe is sent, and one accepted probe ends the pause.
 */
export class EndpointHealth {
  /** Number of consecutive webhooks whose first attempt failed. Retries do not count. */
  failures = 0;
  mostFailures = 0;
  /** Number of webhooks that were not sent because the endpoint was paused. */
  withheld = 0;
  readonly #pauseAfter: number;
  readonly #probeEvery: number;
  #triedAt: number | null = null;

  /** `pauseAfter` 0 never pauses the endpoint. `probeEvery` is in seconds. */
  constructor(pauseAfter: number, probeEvery: number) {
    this.#pauseAfter = pauseAfter;
    this.#probeEvery = probeEvery;
  }

  get paused(): boolean {
    return this.#triedAt !== null;
  }

  /** Returns true if a webhook may be sent at the given time (in seconds). During a pause, only probes may be sent. */
  allowsSending(at: number): boolean {
    if (this.#triedAt === null) return true;
    const isProbe = at - this.#triedAt >= this.#probeEvery;
    if (isProbe) this.#triedAt = at;
    else this.withheld++;
    return isProbe;
  }

  recordOutcome(accepted: boolean, attempt: number, at: number): void {
    if (accepted) this.reset();
    else if (attempt === 1) {
      this.mostFailures = Math.max(this.mostFailures, ++this.failures);
      if (this.#pauseAfter > 0 && this.failures > this.#pauseAfter) this.#triedAt ??= at;
    }
  }

  /** Ends a pause. Called when the merchant tests or changes the endpoint. */
  reset(): void {
    this.failures = 0;
    this.#triedAt = null;
  }
}
