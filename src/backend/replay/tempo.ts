import { median } from './polling.ts';

/** Throughput of a replay. Times exclude the factor for delays. */
export interface Throughput {
  /** Records that a webhook was resolved `took` milliseconds after its post. */
  note(now: number, took: number): void;
  /** Returns the webhooks resolved per second over the last minute, or null if there were none. */
  perSecond(now: number): number | null;
  /** Returns the usual milliseconds from post to outcome, or null if unknown. */
  usual(): number | null;
}

const OVER_MS = 60_000;
const LEAST_MS = 1000;
const KEPT = 100;

export function createThroughput(begun: number): Throughput {
  const times: number[] = [];
  /** Number of webhooks resolved per second of the last minute. */
  let seconds: { second: number; count: number }[] = [];
  return {
    note(now, took) {
      times.push(took);
      if (times.length > KEPT) times.shift();
      const second = Math.floor(now / 1000);
      const last = seconds.at(-1);
      if (last?.second === second) last.count++;
      else seconds.push({ second, count: 1 });
    },
    perSecond(now) {
      seconds = seconds.filter(({ second }) => second * 1000 > now - OVER_MS);
      const count = seconds.reduce((sum, each) => sum + each.count, 0);
      const over = Math.max(LEAST_MS, Math.min(OVER_MS, now - begun));
      return count === 0 ? null : Math.round((10_000 * count) / over) / 10;
    },
    usual: () => median(times),
  };
}
