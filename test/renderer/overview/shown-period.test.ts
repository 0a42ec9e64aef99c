import { expect, test } from 'vitest';
import { resolveShownPeriod } from '../../../src/renderer/overview/shown-period.ts';

const months = [{ period: '2026-10' }, { period: '2026-09' }];

test('the month due for closing is shown while the first sync adds months', () => {
  expect(resolveShownPeriod(undefined, { months: [{ period: '2026-09' }], due: '2026-09' })).toBe('2026-09');
  expect(resolveShownPeriod(undefined, { months, due: '2026-10' })).toBe('2026-10');
  expect(resolveShownPeriod(undefined, { months: [], due: null })).toBe('all');
});

test('the chosen month stays selected while it exists', () => {
  expect(resolveShownPeriod('2026-09', { months, due: '2026-10' })).toBe('2026-09');
  expect(resolveShownPeriod('all', { months, due: '2026-10' })).toBe('all');
  expect(resolveShownPeriod('2019-01', { months, due: '2026-10' })).toBe('2026-10');
});
