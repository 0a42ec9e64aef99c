const CAPACITY_MS = 10_000;

/** Limits the webhooks sent per second. The bucket holds tokens for ten seconds of sending, but at most one batch. */
export class TokenBucket {
  readonly #rate: number | null;
  readonly #batchSize: number;
  readonly #delayScale: number;
  #tokens = 1;
  #filledAt: number;

  /** `rate` is the number of webhooks per second (null means no limit). Instants are milliseconds. */
  constructor(rate: number | null, batchSize: number, delayScale: number, startedAt: number) {
    this.#rate = rate;
    this.#batchSize = batchSize;
    this.#delayScale = delayScale;
    this.#filledAt = startedAt;
  }

  /** Returns the number of webhooks that may be sent now. */
  allowed(now: number): number {
    if (this.#rate === null) return this.#batchSize;
    this.#refill(now, this.#rate);
    return Math.max(0, Math.floor(this.#tokens));
  }

  spend(count: number): void {
    this.#tokens -= count;
  }

  /** Returns the time at which the next webhook may be sent (milliseconds), or null if it may be sent now. */
  readyAt(now: number): number | null {
    if (this.#rate === null) return null;
    this.#refill(now, this.#rate);
    return this.#tokens >= 1
      ? null
      : now + Math.ceil(((1 - this.#tokens) * 1000 * this.#delayScale) / this.#rate);
  }

  #refill(now: number, rate: number): void {
    const capacity = Math.max(1, Math.min(this.#batchSize, (rate * CAPACITY_MS) / 1000));
    const added = ((now - this.#filledAt) * rate) / 1000 / this.#delayScale;
    this.#tokens = Math.min(capacity, this.#tokens + added);
    this.#filledAt = now;
  }
}
