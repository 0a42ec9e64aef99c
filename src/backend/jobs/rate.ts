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
/** Where little comes at a time, and seldom, so many arrivals are watched, however long they take. */
const ENOUGH_ARRIVALS = 5;

export function createPace(): Pace {
  /** How much was done whenever that had changed. */
  let samples: { at: number; done: number }[] = [];
  let now = 0;
  /** The part that moves; a row of one part says nothing of how soon another's comes. */
  let moving: string | null = null;
  let before = new Map<string, number>();

  /** Units a ms between the samples, how long the next arrival is waited for, and how long one usually is; null until enough was seen. */
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

  return {
    note(at, progress) {
      now = at;
      const done = new Map(progress.map((part) => [part.part, part.done + part.failed]));
      const moved = progress
        .map(({ part }) => part)
        .filter((part) => (done.get(part) ?? 0) > (before.get(part) ?? 0));
      const other = moved.at(-1);
      if (other !== undefined && (moving === null || !moved.includes(moving))) {
        if (moving !== null) samples = [];
        moving = other;
      }
      // What is through says nothing of what has begun behind it.
      const [latest, moves] = [progress.at(-1), progress.find(({ part }) => part === moving)];
      if (latest !== undefined && moves !== undefined && isThrough(moves) && !isThrough(latest)) {
        samples = [];
        moving = latest.part;
      }
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
