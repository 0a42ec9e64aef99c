import { expect, it } from 'vitest';
import type { PeriodProgress } from '../../../src/contract/index.ts';
import { describeRemainingWork } from '../../../src/renderer/periods/describe-remaining-work.ts';

const createProgress = (exceptions: number, proposals: number, unexplained: number): PeriodProgress => ({
  exceptions: { open: exceptions, accepted: 3 },
  proposals,
  outstanding: unexplained + 2,
  brought_forward: 1,
  unexplained,
  immaterial: 0,
  explained: unexplained === 0,
});

it.each([
  [createProgress(0, 0, 0), 'None'],
  [createProgress(1, 0, 0), '1 exception'],
  [createProgress(0, 1, 4), '1 match to decide, 4 unexplained items'],
  [createProgress(36, 2, 1), '36 exceptions, 2 matches to decide, 1 unexplained item'],
])('lists only the kinds of work that remain', (remaining, expected) => {
  expect(describeRemainingWork(remaining)).toBe(expected);
});
