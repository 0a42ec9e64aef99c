import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addDays,
  addMonths,
  listMonthsBetween,
  suggestMonthToClose,
  toMonthRange,
} from '../../../src/domain/ledger/index.ts';

const month = fc
  .record({ year: fc.integer({ min: 1990, max: 2090 }), number: fc.integer({ min: 1, max: 12 }) })
  .map(({ year, number }) => `${year}-${String(number).padStart(2, '0')}`);

describe('calendar months', () => {
  test('adding and subtracting months round-trips', () => {
    fc.assert(
      fc.property(month, fc.integer({ min: -500, max: 500 }), (from, by) => {
        expect(addMonths(addMonths(from, by), -by)).toBe(from);
      }),
    );
  });

  test('a month ends on the day before the next one starts', () => {
    fc.assert(
      fc.property(month, (given) => {
        expect(addDays(toMonthRange(`${given}-15`).last, 1)).toBe(`${addMonths(given, 1)}-01`);
      }),
    );
  });

  test('months between two days are listed newest first', () => {
    expect(listMonthsBetween('2025-11-30', '2026-02-01')).toEqual([
      '2026-02',
      '2026-01',
      '2025-12',
      '2025-11',
    ]);
    expect(listMonthsBetween('2026-02-02', '2026-02-01')).toEqual(['2026-02']);
  });
});

describe('the month to close', () => {
  const stored = (open: Record<string, number>) =>
    listMonthsBetween('2026-07-03', '2026-10-31').map((period) => ({ period, open: open[period] ?? 0 }));

  test.each([
    [
      'is the last month that has ended',
      '2026-10-24',
      { '2026-09': 2, '2026-10': 40, '2026-08': 1 },
      '2026-09',
    ],
    ['has ended on the day after its last day', '2026-10-31', { '2026-09': 2, '2026-10': 40 }, '2026-10'],
    [
      'stays the same after its last item has been decided and an older month has open items',
      '2026-10-24',
      { '2026-07': 1, '2026-10': 40 },
      '2026-09',
    ],
    ['is the last month that has ended if no month has open items', '2026-10-24', {}, '2026-09'],
  ])('%s', (_, today, open, expected) => {
    expect(suggestMonthToClose(stored(open), today)).toBe(expected);
  });

  test('is the only month if none is over, and none without months', () => {
    expect(suggestMonthToClose([{ period: '2026-10' }], '2026-10-02')).toBe('2026-10');
    expect(suggestMonthToClose([], '2026-10-02')).toBeNull();
  });
});
