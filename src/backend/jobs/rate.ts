import type { Progress } from '../../contract/index.ts';

/** How fast a job goes and how long it will still take, from what it did over the last seconds. */
export interface Pace {
  /** Notes how much was done at a moment (ms of any clock that only goes forward). */
  note(at: number, progress: readonly Progress[]): void;
  /** Units of the part that moves, a second; null until enough was seen. */
  rate(): number | null;
  /** Null where a total is not known, nothing moves, or another part has more to come: better no estimate than one that lies. */
  remaining(progress: readonly Progress[]): number | null;
}

const WATCHED_MS = 15_000;
const ENOUGH_MS = 1000;

export function createPace(): Pace {
  let samples: { at: number; done: number }[] = [];
  /** The part that moves; a row of one part says nothing of how soon another's comes. */
  let moving: string | null = null;
  let before = new Map<string, number>();

  function rate(): number | null {
    const first = samples[0];
    const last = samples.at(-1);
    if (first === undefined || last === undefined || last.at - first.at < ENOUGH_MS) return null;
    return ((last.done - first.done) * 1000) / (last.at - first.at);
  }

  return {
    note(at, progress) {
      const now = new Map(progress.map(({ part, done, failed }) => [part, done + failed]));
      const moved = progress
        .map(({ part }) => part)
        .filter((part) => (now.get(part) ?? 0) > (before.get(part) ?? 0));
      const other = moved.at(-1);
      if (other !== undefined && (moving === null || !moved.includes(moving))) {
        if (moving !== null) samples = [];
        moving = other;
      }
      before = now;
      samples.push({ at, done: moving === null ? 0 : (now.get(moving) ?? 0) });
      while (samples.length > 2 && at - (samples[0] as { at: number }).at > WATCHED_MS) samples.shift();
    },
    rate,
    remaining(progress) {
      const now = rate();
      if (now === null || now <= 0) return null;
      let left = 0;
      for (const { part, done, failed, total } of progress) {
        if (total === null) return null;
        const more = Math.max(0, total - done - failed);
        if (part !== moving && more > 0) return null;
        left += more;
      }
      return Math.round((left * 1000) / now);
    },
  };
}
