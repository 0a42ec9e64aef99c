import { expect, test } from 'vitest';
import { createQuitGuard } from '../../../src/main/jobs/quit-guard.ts';
import { createEvent } from '../../doubles/electron.ts';

/** Creates a guard for the given number of sending jobs. `answer` resolves the question. */
function createGuardTest(sendingJobs: number) {
  const questions: ((agreed: boolean) => void)[] = [];
  let quits = 0;
  const guard = createQuitGuard({
    countSendingJobs: () => sendingJobs,
    confirm: () => new Promise((resolve) => questions.push(resolve)),
    quit: () => {
      quits += 1;
    },
  });
  const isPrevented = () => {
    const event = createEvent();
    guard(event);
    return event.prevented;
  };
  return { isPrevented, questions, countQuits: () => quits };
}

test('the app quits at once if no job is sending', () => {
  const { isPrevented, questions } = createGuardTest(0);
  expect(isPrevented()).toBe(false);
  expect(questions).toEqual([]);
});

test('the app asks once while a job is sending, and quits after the user agreed', async () => {
  const { isPrevented, questions, countQuits } = createGuardTest(2);
  expect([isPrevented(), isPrevented()]).toEqual([true, true]);
  expect(questions).toHaveLength(1);
  questions[0]?.(true);
  await expect.poll(countQuits).toBe(1);
  expect(isPrevented()).toBe(false);
});

test('the app continues if the user refuses, and asks again the next time', async () => {
  const { isPrevented, questions, countQuits } = createGuardTest(1);
  isPrevented();
  questions[0]?.(false);
  await expect.poll(() => isPrevented() && questions.length).toBe(2);
  expect(countQuits()).toBe(0);
});
