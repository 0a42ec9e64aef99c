import { setImmediate as breathe } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runInTimeSlices } from '../../../src/backend/shared/time-slices.ts';
import { runToCompletion, type WorkSteps } from '../../../src/domain/work-steps/work-steps.ts';

/** Keeps the thread busy for so many ms in all. */
function* busy(ms: number): WorkSteps<string> {
  for (let done = 0; done < ms; done++) {
    const begun = performance.now();
    while (performance.now() - begun < 1);
    yield;
  }
  return 'done';
}

test('steps are done at once, or in turns with whatever else there is to do', async () => {
  expect(runToCompletion(busy(5))).toBe('done');
  let others = 0;
  let ended = false;
  const steps = runInTimeSlices(busy(200)).finally(() => {
    ended = true;
  });
  while (!ended) {
    await breathe();
    others++;
  }
  expect(await steps).toBe('done');
  expect(others).toBeGreaterThan(5);
});

test('what a step throws comes out', async () => {
  const fails = function* (): WorkSteps<never> {
    yield;
    throw new Error('a fault');
  };
  await expect(runInTimeSlices(fails())).rejects.toThrow('a fault');
  expect(() => runToCompletion(fails())).toThrow('a fault');
});
