import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runInTimeSlices } from '../../../src/backend/shared/time-slices.ts';
import { runAllSteps, type WorkSteps } from '../../../src/domain/work-steps/work-steps.ts';

/** Keeps the thread busy for this many milliseconds in total. */
function* busy(ms: number): WorkSteps<string> {
  for (let done = 0; done < ms; done++) {
    const begun = performance.now();
    while (performance.now() - begun < 1);
    yield;
  }
  return 'done';
}

test('steps run at once or in time slices between which other work runs', async () => {
  expect(runAllSteps(busy(5))).toBe('done');
  let others = 0;
  let ended = false;
  const steps = runInTimeSlices(busy(200)).finally(() => {
    ended = true;
  });
  while (!ended) {
    await yieldToEventLoop();
    others++;
  }
  expect(await steps).toBe('done');
  expect(others).toBeGreaterThan(5);
});

test('an error of a step rejects the run', async () => {
  const fails = function* (): WorkSteps<never> {
    yield;
    throw new Error('failed step');
  };
  await expect(runInTimeSlices(fails())).rejects.toThrow('failed step');
  expect(() => runAllSteps(fails())).toThrow('failed step');
});
