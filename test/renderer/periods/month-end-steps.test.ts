import { expect, test } from 'vitest';
import { listMonthEndSteps } from '../../../src/renderer/periods/month-end-steps.ts';

test.each([
  [
    'import a bank file first, then open the month',
    { lineCount: 0, isMatchingStale: false, hasOpenPeriod: false, hasDueMonth: true },
    ['import', 'open'],
  ],
  [
    'match imported lines',
    { lineCount: 34, isMatchingStale: true, hasOpenPeriod: false, hasDueMonth: true },
    ['match', 'open'],
  ],
  [
    'an open month still needs its bank file',
    { lineCount: 0, isMatchingStale: true, hasOpenPeriod: true, hasDueMonth: true },
    ['import'],
  ],
  [
    'no steps once lines are matched and the month is open',
    { lineCount: 34, isMatchingStale: false, hasOpenPeriod: true, hasDueMonth: true },
    [],
  ],
  [
    'unknown line count is not treated as missing',
    { lineCount: undefined, isMatchingStale: false, hasOpenPeriod: false, hasDueMonth: true },
    ['open'],
  ],
  [
    'no steps without a month to close',
    { lineCount: 0, isMatchingStale: false, hasOpenPeriod: false, hasDueMonth: false },
    [],
  ],
] as const)('month-end steps: %s', (_what, state, steps) => {
  expect(listMonthEndSteps(state)).toEqual(steps);
});
