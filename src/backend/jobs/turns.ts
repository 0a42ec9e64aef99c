import { setImmediate as breathe } from 'node:timers/promises';

/** Turns of long work: others get theirs in between, and a cancel acts there. */
export interface Turns {
  /** Whether this turn has taken long enough, or the work was cancelled. */
  readonly over: () => boolean;
  /** Ends it and begins the next one. Throws where the work was cancelled. */
  next(): Promise<void>;
}

/** `ms`: how long a turn takes. */
export function createTurns(signal: AbortSignal, ms: number): Turns {
  let begun = performance.now();
  return {
    over: () => signal.aborted || performance.now() - begun >= ms,
    async next() {
      await breathe();
      signal.throwIfAborted();
      begun = performance.now();
    },
  };
}
