import type { Progress } from '../../contract/index.ts';

/** How fast a job goes and how long it will still take, from what it did over the last seconds. */
export interface Pace {
  /** Notes how much was done at a moment (ms of any clock that only goes forward). */
  note(at: number, progress: readonly Progress[]): void;
  /** Units a second; null until enough was seen. */
  rate(): number | null;
  /** Null where a total is not known or nothing moves: better no estimate than one that lies. */
  remaining(progress: readonly Progress[]): number | null;
}

const WATCHED_MS = 15_000;
const ENOUGH_MS = 1000;

export function createPace(): Pace {
  const samples: { at: number; done: number }[] = [];

  function rate(): number | null {
    const first = samples[0];
    const last = samples.at(-1);
    if (first === undefined || last === undefined || last.at - first.at < ENOUGH_MS) return null;
    return ((last.done - first.done) * 1000) / (last.at - first.at);
  }

  return {
    note(at, progress) {
      samples.push({ at, done: progress.reduce((sum, part) => sum + part.done + part.failed, 0) });
      while (samples.length > 2 && at - (samples[0] as { at: number }).at > WATCHED_MS) samples.shift();
    },
    rate,
    remaining(progress) {
      const now = rate();
      if (now === null || now <= 0 || progress.some((part) => part.total === null)) return null;
      const left = progress.reduce(
        (sum, part) => sum + Math.max(0, (part.total ?? 0) - part.done - part.failed),
        0,
      );
      return Math.round((left * 1000) / now);
    },
  };
}
