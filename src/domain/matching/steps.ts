/** Work in small steps: between two of them others may go on, and it may be given up. */
export type Steps<Result = void> = Generator<undefined, Result, undefined>;

/** Rows looked at in a step: some milliseconds. */
const STRIDE = 4096;

/** Whether a step ends with this row. */
export const endsStep = (at: number): boolean => (at & (STRIDE - 1)) === STRIDE - 1;

/** Does all of it at once. */
export function whole<Result>(steps: Generator<unknown, Result, undefined>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
