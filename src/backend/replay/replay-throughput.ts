const RATE_PERIOD_MS = 60_000;
const MIN_PERIOD_MS = 1000;
const MAX_SAMPLES = 100;

/** Measures the throughput of a replay. Times are divided by the delay scale. */
export class ReplayThroughput {
  readonly #startedAt: number;
  /** Latest times from post to outcome in milliseconds. */
  readonly #outcomeTimes: number[] = [];
  /** Number of webhooks resolved per second, for the seconds of the last minute in which any were resolved. */
  #seconds: { second: number; count: number }[] = [];

  constructor(startedAt: number) {
    this.#startedAt = startedAt;
  }

  /** Records that a webhook was resolved `tookMs` milliseconds after it was posted. */
  recordResolved(now: number, tookMs: number): void {
    this.#outcomeTimes.push(tookMs);
    if (this.#outcomeTimes.length > MAX_SAMPLES) this.#outcomeTimes.shift();
    const second = Math.floor(now / 1000);
    const last = this.#seconds.at(-1);
    if (last?.second === second) last.count++;
    else this.#seconds.push({ second, count: 1 });
  }

  /** Returns the number of webhooks resolved per second over the last minute, or null if there were none. */
  perSecond(now: number): number | null {
    this.#seconds = this.#seconds.filter(({ second }) => second * 1000 > now - RATE_PERIOD_MS);
    const count = this.#seconds.reduce((sum, each) => sum + each.count, 0);
    const period = Math.max(MIN_PERIOD_MS, Math.min(RATE_PERIOD_MS, now - this.#startedAt));
    return count === 0 ? null : Math.round((10_000 * count) / period) / 10;
  }

  /** Returns the median time from post to outcome in milliseconds, or null if it is unknown. */
  usualOutcomeMs(): number | null {
    const times = this.#outcomeTimes.toSorted((a, b) => a - b);
    return times[Math.floor(times.length / 2)] ?? null;
  }
}
