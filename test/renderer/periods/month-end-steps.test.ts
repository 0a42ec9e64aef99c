import { expect, test } from 'vitest';
import { findMonthToClose, listMonthEndSteps } from '../../../src/renderer/periods/month-end-steps.ts';

test.each([
  [
    'import a bank file first, then open the month',
    { hasLines: false, isMatchingStale: false, status: null },
    ['import', 'open'],
  ],
  ['match imported lines', { hasLines: true, isMatchingStale: true, status: null }, ['match', 'open']],
  [
    'an open month still needs its bank file',
    { hasLines: false, isMatchingStale: false, status: 'open' },
    ['import'],
  ],
  [
    'no steps once lines are matched and the month is open',
    { hasLines: true, isMatchingStale: false, status: 'open' },
    [],
  ],
  [
    'lines that are still loading are not treated as missing',
    { hasLines: undefined, isMatchingStale: false, status: null },
    ['open'],
  ],
  ['no steps for a closed month', { hasLines: false, isMatchingStale: true, status: 'closed' }, []],
] as const)('month-end steps: %s', (_what, state, steps) => {
  expect(listMonthEndSteps(state)).toEqual(steps);
});

test('the card is about the working month, even if another period is open', () => {
  const periods = [{ period: '2026-08', state: 'open' } as never];
  const list = { periods, months: ['2026-10', '2026-09'], due: '2026-08' };
  expect(findMonthToClose(list, '2026-10')).toBe('2026-10');
  expect(findMonthToClose(list, null)).toBe('2026-08');
  expect(findMonthToClose(list, '2026-01')).toBeNull();
  expect(findMonthToClose({ periods: [], months: [], due: null }, null)).toBeNull();
});
