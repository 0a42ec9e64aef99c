/**
 * Token bucket that limits webhooks per second. It has capacity for ten seconds of sending, but for at most one batch.
 */
export interface TokenBucket {
  /** Returns the number of webhooks that may be sent now. */
  allowed(now: number): number;
  spend(count: number): void;
  /** Returns the time at which the next webhook may be sent (milliseconds), or null if it may be sent now. */
  readyAt(now: number): number | null;
}

const CAPACITY_MS = 10_000;

/**
 * Creates a bucket for `rate` webhooks per second (null means no limit). Instants are milliseconds. Every delay is
 * multiplied by `delayScale`.
 */
export function createTokenBucket(
  rate: number | null,
  batch: number,
  delayScale: number,
  startedAt: number,
): TokenBucket {
  if (rate === null) return { allowed: () => batch, spend: () => {}, readyAt: () => null };
  const capacity = Math.max(1, Math.min(batch, (rate * CAPACITY_MS) / 1000));
  let tokens = 1;
  let filledAt = startedAt;
  const refill = (now: number) => {
    tokens = Math.min(capacity, tokens + ((now - filledAt) * rate) / 1000 / delayScale);
    filledAt = now;
  };
  return {
    allowed(now) {
      refill(now);
      return Math.max(0, Math.floor(tokens));
    },
    spend(count) {
      tokens -= count;
    },
    readyAt(now) {
      refill(now);
      return tokens >= 1 ? null : now + Math.ceil(((1 - tokens) * 1000 * delayScale) / rate);
    },
  };
}
