import { expect, test } from 'vitest';
import { resolveWorkingMonth } from '../../../../src/renderer/periods/shared/working-month.ts';

const months = [{ period: '2026-10' }, { period: '2026-09' }];

test('the month due for closing is shown while the first sync adds months', () => {
  expect(resolveWorkingMonth(undefined, { months: [{ period: '2026-09' }], due: '2026-09' })).toBe('2026-09');
  expect(resolveWorkingMonth(undefined, { months, due: '2026-10' })).toBe('2026-10');
  expect(resolveWorkingMonth(undefined, { months: [], due: null })).toBe('all');
});

test('the chosen month stays selected while it exists', () => {
  expect(resolveWorkingMonth('2026-09', { months, due: '2026-10' })).toBe('2026-09');
  expect(resolveWorkingMonth('all', { months, due: '2026-10' })).toBe('all');
  expect(resolveWorkingMonth('2019-01', { months, due: '2026-10' })).toBe('2026-10');
});
