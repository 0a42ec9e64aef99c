import { setImmediate } from 'node:timers/promises';
import type { WorkSteps } from '../../domain/work-steps/work-steps.ts';

/** Lets the thread do other pending work, then resolves. */
export const yieldToEventLoop = (): Promise<void> => setImmediate();

/** Time slices of a long computation. Other work and cancellation take effect between the slices. */
export interface TimeSlices {
  /** Returns true if the time slice is over or the work was canceled. */
  readonly isOver: () => boolean;
  /** Yields to other work and starts the next time slice. Throws if the work was canceled. */
  next(): Promise<void>;
}

/** Length of a time slice in milliseconds. Chosen by judgment. */
const TIME_SLICE_MS = 15;

/** Starts the first time slice. `ms` is the length of each slice in milliseconds. */
export function createTimeSlices(signal: AbortSignal | null, ms = TIME_SLICE_MS): TimeSlices {
  let startedAt = performance.now();
  return {
    isOver: () => signal?.aborted === true || performance.now() - startedAt >= ms,
    async next() {
      await yieldToEventLoop();
      signal?.throwIfAborted();
      startedAt = performance.now();
    },
  };
}

/** Runs the steps of a long computation in time slices and returns the result. */
export async function runInTimeSlices<Result>(steps: WorkSteps<Result>): Promise<Result> {
  const slices = createTimeSlices(null);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (slices.isOver()) await slices.next();
  }
}
