import type { Progress } from '../../contract/index.ts';

/** Speed and estimated remaining time of a job, from the last seconds. */
export interface ProgressRate {
  /** Records the progress at an instant (milliseconds of a monotonic clock). */
  note(at: number, progress: readonly Progress[]): void;
  /** Returns units per second of the moving part, or null before enough was observed. */
  rate(): number | null;
  /**
   * Returns milliseconds. Null if a total is unknown, nothing moves, or another part has more to come, because no
   * estimate is better than a wrong one.
   */
  remaining(progress: readonly Progress[]): number | null;
}

const WATCHED_MS = 15_000;
const ENOUGH_MS = 1000;
/** Minimum number of progress changes to observe for parts with rare progress. */
const ENOUGH_ARRIVALS = 5;

export function createProgressRate(): ProgressRate {
  /** Amounts done at each change. */
  let samples: { at: number; done: number }[] = [];
  let now = 0;
  /** Name of the moving part. Units of one part say nothing about the speed of another. */
  let moving: string | null = null;
  let before = new Map<string, number>();

  /**
   * Returns units per millisecond, the time since the last change, and the usual time between changes, or null before
   * enough was observed.
   */
  function watched(): { perMs: number; waited: number; usual: number } | null {
    const first = samples[0];
    const last = samples.at(-1);
    if (first === undefined || last === undefined || now - first.at < ENOUGH_MS || samples.length < 2)
      return null;
    const pauses = samples.slice(1).map(({ at }, index) => at - (samples[index] as { at: number }).at);
    const longest = Math.max(...pauses);
    const waited = now - last.at;
    if (waited > Math.max(WATCHED_MS, 2 * longest)) return null;
    const span = last.at - first.at + Math.max(0, waited - longest);
    return { perMs: (last.done - first.done) / span, waited, usual: (last.at - first.at) / pauses.length };
  }

  /** Switches to another part if only others have moved, or the moving part has ended. */
  function followMovingPart(progress: readonly Progress[], done: ReadonlyMap<string, number>): void {
    const moved = progress
      .map(({ part }) => part)
      .filter((part) => (done.get(part) ?? 0) > (before.get(part) ?? 0));
    const other = moved.at(-1);
    if (other !== undefined && (moving === null || !moved.includes(moving))) {
      if (moving !== null) samples = [];
      moving = other;
    }
    // A finished part says nothing about the part started after it.
    const [latest, current] = [progress.at(-1), progress.find(({ part }) => part === moving)];
    if (latest !== undefined && current !== undefined && isThrough(current) && !isThrough(latest)) {
      samples = [];
      moving = latest.part;
    }
  }

  return {
    note(at, progress) {
      now = at;
      const done = new Map(progress.map((part) => [part.part, part.done + part.failed]));
      followMovingPart(progress, done);
      before = done;
      const sample = { at, done: moving === null ? 0 : (done.get(moving) ?? 0) };
      if (sample.done !== samples.at(-1)?.done) samples.push(sample);
      while (samples.length > ENOUGH_ARRIVALS + 1 && at - (samples[0] as { at: number }).at > WATCHED_MS)
        samples.shift();
    },
    rate() {
      const seen = watched();
      return seen === null ? null : seen.perMs * 1000;
    },
    remaining(progress) {
      const seen = watched();
      if (seen === null || seen.perMs <= 0) return null;
      let left = 0;
      for (const { part, done, failed, total } of progress) {
        if (total === null) return null;
        const more = Math.max(0, total - done - failed);
        if (part !== moving && more > 0) return null;
        left += more;
      }
      const all = left / seen.perMs;
      return Math.round(Math.max(0, all - Math.min(seen.waited, seen.usual)));
    },
  };
}

const isThrough = ({ done, failed, total }: Progress) => total !== null && done + failed >= total;
