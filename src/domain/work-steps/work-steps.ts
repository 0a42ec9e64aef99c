/** Work in small steps, so that other work can run between steps and the work can be canceled. */
export type WorkSteps<Result = void> = Generator<undefined, Result, undefined>;

/** Number of rows per step, which is a few milliseconds of work. */
const ROWS_PER_STEP = 4096;

/** Returns true if a step ends after the row at this zero-based index. */
export const isLastRowOfStep = (at: number): boolean => (at & (ROWS_PER_STEP - 1)) === ROWS_PER_STEP - 1;

/** Runs all steps of a generator without pauses and returns its result. */
export function runAllSteps<Result>(steps: Generator<unknown, Result, undefined>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
