import { setImmediate } from 'node:timers/promises';
import type { WorkSteps } from '../../domain/work-steps/work-steps.ts';

/** Lets the thread do its other pending work, then resolves. */
export const yieldToEventLoop = (): Promise<void> => setImmediate();

/** Time slices of long work. Other work runs between them, and a cancel takes effect there. */
export interface TimeSlices {
  /** Splits long work into time slices. Other work runs between them, and a cancellation takes effect there. */
  readonly isOver: () => boolean;
  /** Yields and starts the next time slice. Throws if the work was canceled. */
  next(): Promise<void>;
}

/** Starts the first time slice. `ms` is the length of a time slice. */
export function createTimeSlices(signal: AbortSignal | null, ms: number): TimeSlices {
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

/** Time slice in milliseconds. */
const TIME_SLICE_MS = 15;

/** Length of a time slice in milliseconds. */
export async function runInTimeSlices<Result>(steps: WorkSteps<Result>): Promise<Result> {
  const slices = createTimeSlices(null, TIME_SLICE_MS);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (slices.isOver()) await slices.next();
  }
}
