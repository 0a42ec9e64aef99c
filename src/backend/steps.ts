import { setImmediate as breathe } from 'node:timers/promises';

/** Work on many rows that stops now and then, so that it need not keep a thread to itself. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** So long such work goes on before others have their turn, in ms. */
const TURN_MS = 15;

/** Does it at once. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Does it in turns with whatever else the thread has to do. */
export async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (let since = performance.now(); ; ) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() - since < TURN_MS) continue;
    await breathe();
    since = performance.now();
  }
}
