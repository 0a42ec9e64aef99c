import { median } from './polling.ts';

/** How fast a replay goes. Times without the stretching of waits. */
export interface Tempo {
  /** A webhook was resolved, so many ms after its post. */
  note(now: number, took: number): void;
  /** Resolved a second over the last minute; null where nothing was. */
  perSecond(now: number): number | null;
  /** How long webhooks usually take from post to outcome, ms; null where none did. */
  usual(): number | null;
}

const OVER_MS = 60_000;
const LEAST_MS = 1000;
const KEPT = 100;

export function createTempo(begun: number): Tempo {
  const times: number[] = [];
  /** Resolved in each second of the last minute. */
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
