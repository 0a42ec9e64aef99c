/** Token bucket that limits webhooks per second. It holds the tokens of ten seconds, at most one batch. */
export interface TokenBucket {
  /** Returns how many webhooks may be sent now. */
  allowed(now: number): number;
  spend(count: number): void;
  /** Returns when the next webhook may be sent (milliseconds), or null if one may be sent now. */
  readyAt(now: number): number | null;
}

const HELD_MS = 10_000;

/** `rate` is webhooks per second, null for no limit. Instants are milliseconds. Every delay is multiplied by `waits`. */
export function createTokenBucket(
  rate: number | null,
  batch: number,
  waits: number,
  begun: number,
): TokenBucket {
  if (rate === null) return { allowed: () => batch, spend: () => {}, readyAt: () => null };
  const full = Math.max(1, Math.min(batch, (rate * HELD_MS) / 1000));
  let tokens = 1;
  let filledAt = begun;
  const fill = (now: number) => {
    tokens = Math.min(full, tokens + ((now - filledAt) * rate) / 1000 / waits);
    filledAt = now;
  };
  return {
    allowed(now) {
      fill(now);
      return Math.max(0, Math.floor(tokens));
    },
    spend(count) {
      tokens -= count;
    },
    readyAt(now) {
      fill(now);
      return tokens >= 1 ? null : now + Math.ceil(((1 - tokens) * 1000 * waits) / rate);
    },
  };
}
