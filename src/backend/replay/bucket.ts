/** A bound on webhooks a second: a bucket that fills with time and holds what ten seconds bring, a batch at most. */
export interface Bucket {
  /** How many may be sent now. */
  allowed(now: number): number;
  spend(count: number): void;
  /** When there is room for one again; null where there is now. */
  readyAt(now: number): number | null;
}

const HELD_MS = 10_000;

/** `rate`: webhooks a second, null: no bound. Instants in ms; every wait is multiplied by `waits`. */
export function createBucket(rate: number | null, batch: number, waits: number, begun: number): Bucket {
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
