/**
 * The service's view of the merchant's endpoint. Too many rejected webhooks in a row pause the endpoint.
 * While it is paused, only an occasional probe is sent. One accepted probe ends the pause.
 */
export class EndpointHealth {
  /** Number of webhooks in a row whose first attempt was rejected. Retries of a webhook do not count. */
  failures = 0;
  mostFailures = 0;
  /** Number of webhooks not sent because of a pause. */
  withheld = 0;
  readonly #pauseAfter: number;
  readonly #probeEvery: number;
  #triedAt: number | null = null;

  /** `pauseAfter` 0 never pauses. `probeEvery` is in seconds. */
  constructor(pauseAfter: number, probeEvery: number) {
    this.#pauseAfter = pauseAfter;
    this.#probeEvery = probeEvery;
  }

  get paused(): boolean {
    return this.#triedAt !== null;
  }

  /**
   * Returns true if a webhook may be sent at an instant (seconds): always, or only as a probe during a pause.
   */
  allows(at: number): boolean {
    if (this.#triedAt === null) return true;
    if (at - this.#triedAt >= this.#probeEvery) {
      this.#triedAt = at;
      return true;
    }
    this.withheld++;
    return false;
  }

  recordOutcome(accepted: boolean, attempt: number, at: number): void {
    if (accepted) this.reset();
    else if (attempt === 1) {
      this.mostFailures = Math.max(this.mostFailures, ++this.failures);
      if (this.#pauseAfter > 0 && this.failures > this.#pauseAfter) this.#triedAt ??= at;
    }
  }

  /** Called when the merchant tests or changes the endpoint. */
  reset(): void {
    this.failures = 0;
    this.#triedAt = null;
  }
}
