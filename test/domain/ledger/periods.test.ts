import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addDays,
  monthAfter,
  monthOf,
  monthsBetween,
  monthToClose,
} from '../../../src/domain/ledger/index.ts';

const month = fc
  .record({ year: fc.integer({ min: 1990, max: 2090 }), number: fc.integer({ min: 1, max: 12 }) })
  .map(({ year, number }) => `${year}-${String(number).padStart(2, '0')}`);

describe('months of the calendar', () => {
  test('on and back again is where one was', () => {
    fc.assert(
      fc.property(month, fc.integer({ min: -500, max: 500 }), (from, by) => {
        expect(monthAfter(monthAfter(from, by), -by)).toBe(from);
      }),
    );
  });

  test('a month ends on the day before the next begins', () => {
    fc.assert(
      fc.property(month, (given) => {
        expect(addDays(monthOf(`${given}-15`).last, 1)).toBe(`${monthAfter(given, 1)}-01`);
      }),
    );
  });

  test('those held, the newest first', () => {
    expect(monthsBetween('2025-11-30', '2026-02-01')).toEqual(['2026-02', '2026-01', '2025-12', '2025-11']);
    expect(monthsBetween('2026-02-02', '2026-02-01')).toEqual(['2026-02']);
  });
});

describe('the month to close', () => {
  const held = (open: Record<string, number>) =>
    monthsBetween('2026-07-03', '2026-10-31').map((period) => ({ period, open: open[period] ?? 0 }));

  test.each([
    ['is the last one that is over', '2026-10-24', { '2026-09': 2, '2026-10': 40, '2026-08': 1 }, '2026-09'],
    ['ends with its last day', '2026-10-31', { '2026-09': 2, '2026-10': 40 }, '2026-10'],
    ['that ties out, gives way to where something is open', '2026-10-24', { '2026-10': 40 }, '2026-10'],
    ['or to an older one', '2026-10-24', { '2026-07': 1 }, '2026-07'],
    ['is the last one that is over where nothing is open anywhere', '2026-10-24', {}, '2026-09'],
  ])('%s', (_, today, open, expected) => {
    expect(monthToClose(held(open), today)).toBe(expected);
  });

  test('is the one there is, before any is over; none where nothing is held', () => {
    expect(monthToClose([{ period: '2026-10', open: 0 }], '2026-10-02')).toBe('2026-10');
    expect(monthToClose([], '2026-10-02')).toBeNull();
  });
});
