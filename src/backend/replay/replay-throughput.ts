import { median } from './polling-schedule.ts';

/** Throughput of a replay. Times are divided by the factor for delays. */
export interface ReplayThroughput {
  /** Records that a webhook was resolved `tookMs` milliseconds after it was posted. */
  recordResolved(now: number, tookMs: number): void;
  /** Returns the number of webhooks resolved per second over the last minute, or null if there were none. */
  perSecond(now: number): number | null;
  /** Returns the usual time from post to outcome in milliseconds, or null if it is unknown. */
  usualOutcomeMs(): number | null;
}

const RATE_PERIOD_MS = 60_000;
const MIN_PERIOD_MS = 1000;
const MAX_SAMPLES = 100;

export function createReplayThroughput(begun: number): ReplayThroughput {
  const times: number[] = [];
  /** Number of webhooks resolved in each second of the last minute. */
  let seconds: { second: number; count: number }[] = [];
  return {
    recordResolved(now, took) {
      times.push(took);
      if (times.length > MAX_SAMPLES) times.shift();
      const second = Math.floor(now / 1000);
      const last = seconds.at(-1);
      if (last?.second === second) last.count++;
      else seconds.push({ second, count: 1 });
    },
    perSecond(now) {
      seconds = seconds.filter(({ second }) => second * 1000 > now - RATE_PERIOD_MS);
      const count = seconds.reduce((sum, each) => sum + each.count, 0);
      const over = Math.max(MIN_PERIOD_MS, Math.min(RATE_PERIOD_MS, now - begun));
      return count === 0 ? null : Math.round((10_000 * count) / over) / 10;
    },
    usualOutcomeMs: () => median(times),
  };
}
