import { expect, test } from 'vitest';
import { periodToShow } from '../../../src/renderer/overview/use-periods.ts';

const months = [{ period: '2026-10' }, { period: '2026-09' }];

test('while a first sync brings the months, what is shown goes along with what is due', () => {
  expect(periodToShow(undefined, { months: [{ period: '2026-09' }], due: '2026-09' })).toBe('2026-09');
  expect(periodToShow(undefined, { months, due: '2026-10' })).toBe('2026-10');
  expect(periodToShow(undefined, { months: [], due: null })).toBe('all');
});

test('what somebody chose stays, as long as there is such a month', () => {
  expect(periodToShow('2026-09', { months, due: '2026-10' })).toBe('2026-09');
  expect(periodToShow('all', { months, due: '2026-10' })).toBe('all');
  expect(periodToShow('2019-01', { months, due: '2026-10' })).toBe('2026-10');
});
