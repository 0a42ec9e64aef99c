/**
 * How the service thinks of the merchant's endpoint: after so many webhooks in a row that it did not take, it is paused, and
 * nothing is sent but one webhook now and then that tries whether it is back. One that it takes makes all well again.
 */
export class Health {
  /** Webhooks in a row whose first attempt was not accepted; retries of the same one count as little as it. */
  failures = 0;
  mostFailures = 0;
  /** Webhooks that were not sent because of a pause. */
  withheld = 0;
  readonly #pauseAfter: number;
  readonly #probeEvery: number;
  #triedAt: number | null = null;

  /** `pauseAfter` 0: never. `probeEvery`: seconds. */
  constructor(pauseAfter: number, probeEvery: number) {
    this.#pauseAfter = pauseAfter;
    this.#probeEvery = probeEvery;
  }

  get paused(): boolean {
    return this.#triedAt !== null;
  }

  /** Whether a webhook is sent at an instant (seconds): any, or while paused the one that tries. */
  allows(at: number): boolean {
    if (this.#triedAt === null) return true;
    if (at - this.#triedAt >= this.#probeEvery) {
      this.#triedAt = at;
      return true;
    }
    this.withheld++;
    return false;
  }

  hear(accepted: boolean, attempt: number, at: number): void {
    if (accepted) this.reset();
    else if (attempt === 1) {
      this.mostFailures = Math.max(this.mostFailures, ++this.failures);
      if (this.#pauseAfter > 0 && this.failures > this.#pauseAfter) this.#triedAt ??= at;
    }
  }

  /** The merchant tested the endpoint, or changed it. */
  reset(): void {
    this.failures = 0;
    this.#triedAt = null;
  }
}
