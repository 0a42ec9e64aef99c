import type { Progress } from '../../contract/index.ts';

/** Measures the speed of a job and estimates its remaining time, from its progress in the last 15 seconds. */
export interface ProgressRate {
  /** Records the progress at a time (milliseconds of a monotonic clock). */
  record(at: number, progress: readonly Progress[]): void;
  /** Returns the units per second of the part in progress, or null if it was not observed long enough. */
  rate(): number | null;
  /**
   * Returns the estimated remaining milliseconds. Returns null if a total is unknown, nothing is progressing, or other
   * parts have work left, because no estimate is better than a wrong one.
   */
  remainingMs(progress: readonly Progress[]): number | null;
}

const OBSERVATION_WINDOW_MS = 15_000;
const MIN_OBSERVATION_MS = 1000;
/** Minimum number of progress changes to observe before estimating, for parts that progress rarely. */
const MIN_PROGRESS_CHANGES = 5;

export function createProgressRate(): ProgressRate {
  /** Number of completed units at each change. */
  let samples: { at: number; done: number }[] = [];
  let now = 0;
  /** Name of the part in progress. The speed of one part does not predict the speed of another. */
  let currentPart: string | null = null;
  let before = new Map<string, number>();

  /**
   * Returns the speed in units per millisecond, the time since the last change, and the usual time between changes.
   * Returns null if the part was not observed long enough.
   */
  function measure(): { perMs: number; sinceLastChange: number; usualInterval: number } | null {
    const first = samples[0];
    const last = samples.at(-1);
    if (
      first === undefined ||
      last === undefined ||
      now - first.at < MIN_OBSERVATION_MS ||
      samples.length < 2
    )
      return null;
    const pauses = samples.slice(1).map(({ at }, index) => at - (samples[index] as { at: number }).at);
    const longest = Math.max(...pauses);
    const waited = now - last.at;
    if (waited > Math.max(OBSERVATION_WINDOW_MS, 2 * longest)) return null;
    const span = last.at - first.at + Math.max(0, waited - longest);
    return {
      perMs: (last.done - first.done) / span,
      sinceLastChange: waited,
      usualInterval: (last.at - first.at) / pauses.length,
    };
  }

  /** Switches to another part if only other parts have progressed, or if the part in progress has ended. */
  function updateCurrentPart(progress: readonly Progress[], done: ReadonlyMap<string, number>): void {
    const moved = progress
      .map(({ part }) => part)
      .filter((part) => (done.get(part) ?? 0) > (before.get(part) ?? 0));
    const other = moved.at(-1);
    if (other !== undefined && (currentPart === null || !moved.includes(currentPart))) {
      if (currentPart !== null) samples = [];
      currentPart = other;
    }
    // The speed of a finished part does not predict the speed of the part that starts after it.
    const [latest, current] = [progress.at(-1), progress.find(({ part }) => part === currentPart)];
    if (latest !== undefined && current !== undefined && isFinished(current) && !isFinished(latest)) {
      samples = [];
      currentPart = latest.part;
    }
  }

  return {
    record(at, progress) {
      now = at;
      const done = new Map(progress.map((part) => [part.part, part.done + part.failed]));
      updateCurrentPart(progress, done);
      before = done;
      const sample = { at, done: currentPart === null ? 0 : (done.get(currentPart) ?? 0) };
      if (sample.done !== samples.at(-1)?.done) samples.push(sample);
      while (
        samples.length > MIN_PROGRESS_CHANGES + 1 &&
        at - (samples[0] as { at: number }).at > OBSERVATION_WINDOW_MS
      )
        samples.shift();
    },
    rate() {
      const seen = measure();
      return seen === null ? null : seen.perMs * 1000;
    },
    remainingMs(progress) {
      const seen = measure();
      if (seen === null || seen.perMs <= 0) return null;
      let left = 0;
      for (const { part, done, failed, total } of progress) {
        if (total === null) return null;
        const more = Math.max(0, total - done - failed);
        if (part !== currentPart && more > 0) return null;
        left += more;
      }
      const all = left / seen.perMs;
      return Math.round(Math.max(0, all - Math.min(seen.sinceLastChange, seen.usualInterval)));
    },
  };
}

const isFinished = ({ done, failed, total }: Progress) => total !== null && done + failed >= total;
