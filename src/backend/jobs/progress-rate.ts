import type { JobProgress } from '../../contract/index.ts';

const OBSERVATION_WINDOW_MS = 15_000;
const MIN_OBSERVATION_MS = 1000;
/** Minimum number of progress changes before estimating, for parts with rare progress. Chosen by judgment. */
const MIN_PROGRESS_CHANGES = 5;

/** Number of completed units after a progress change. `at` is milliseconds of a monotonic clock. */
interface ProgressSample {
  readonly at: number;
  readonly done: number;
}

/** Measures the speed of a job and estimates its remaining time, from its progress in the last 15 seconds. */
export class ProgressRate {
  /** Samples of the current part, one per progress change, oldest first. */
  #samples: ProgressSample[] = [];
  #now = 0;
  /** Name of the part in progress. The speed of one part does not predict the speed of another. */
  #currentPart: string | null = null;
  /** Number of completed units of each part when the progress was last recorded. */
  #doneBefore: ReadonlyMap<string, number> = new Map();

  /** Records the job's progress. `at` is milliseconds of a monotonic clock. */
  record(at: number, progress: readonly JobProgress[]): void {
    this.#now = at;
    const done = new Map(progress.map((part) => [part.part, part.done + part.failed]));
    this.#updateCurrentPart(progress, done);
    this.#doneBefore = done;
    const sample = { at, done: this.#currentPart === null ? 0 : (done.get(this.#currentPart) ?? 0) };
    if (sample.done !== this.#samples.at(-1)?.done) this.#samples.push(sample);
    while (this.#samples.length > MIN_PROGRESS_CHANGES + 1) {
      const [oldest = sample] = this.#samples;
      if (at - oldest.at <= OBSERVATION_WINDOW_MS) break;
      this.#samples.shift();
    }
  }

  /** Returns the units per second of the current part, or null if it was observed too briefly. */
  rate(): number | null {
    const speed = measureSpeed(this.#samples, this.#now);
    return speed === null ? null : speed.perMs * 1000;
  }

  /** Returns the estimated remaining milliseconds, or null if any part has no reliable estimate. */
  remainingMs(progress: readonly JobProgress[]): number | null {
    const speed = measureSpeed(this.#samples, this.#now);
    if (speed === null || speed.perMs <= 0) return null;
    let left = 0;
    for (const { part, done, failed, total } of progress) {
      if (total === null) return null;
      const more = Math.max(0, total - done - failed);
      if (part !== this.#currentPart && more > 0) return null;
      left += more;
    }
    const elapsed = Math.min(speed.sinceLastChange, speed.usualInterval);
    return Math.round(Math.max(0, left / speed.perMs - elapsed));
  }

  /** Makes another part current if only other parts have progressed, or if the current part has ended. */
  #updateCurrentPart(progress: readonly JobProgress[], done: ReadonlyMap<string, number>): void {
    const moved = progress
      .map(({ part }) => part)
      .filter((part) => (done.get(part) ?? 0) > (this.#doneBefore.get(part) ?? 0));
    const other = moved.at(-1);
    if (other !== undefined && (this.#currentPart === null || !moved.includes(this.#currentPart))) {
      if (this.#currentPart !== null) this.#samples = [];
      this.#currentPart = other;
    }
    // The speed of a finished part does not predict the speed of the part that starts after it.
    const latest = progress.at(-1);
    const current = progress.find(({ part }) => part === this.#currentPart);
    if (latest !== undefined && current !== undefined && isFinished(current) && !isFinished(latest)) {
      this.#samples = [];
      this.#currentPart = latest.part;
    }
  }
}

/**
 * Returns the speed, the usual interval between progress changes and the time since the last change. Null if observed
 * too briefly.
 */
function measureSpeed(
  samples: readonly ProgressSample[],
  now: number,
): { perMs: number; sinceLastChange: number; usualInterval: number } | null {
  const [first, ...later] = samples;
  const last = later.at(-1);
  if (first === undefined || last === undefined || now - first.at < MIN_OBSERVATION_MS) return null;
  const intervals = later.map(({ at }, index) => at - (samples[index] as ProgressSample).at);
  const longest = Math.max(...intervals);
  const sinceLastChange = now - last.at;
  if (sinceLastChange > Math.max(OBSERVATION_WINDOW_MS, 2 * longest)) return null;
  const observed = last.at - first.at;
  return {
    perMs: (last.done - first.done) / (observed + Math.max(0, sinceLastChange - longest)),
    sinceLastChange,
    usualInterval: observed / intervals.length,
  };
}

const isFinished = ({ done, failed, total }: JobProgress) => total !== null && done + failed >= total;
