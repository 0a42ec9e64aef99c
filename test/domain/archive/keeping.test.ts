import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  grantRound,
  isPastRetention,
  keptUntil,
  newestPastRetention,
  ROUND_DAYS,
} from '../../../src/domain/archive/index.ts';
import { addDays, dateOfDay } from '../../../src/domain/ledger/index.ts';

describe('retention', () => {
  test.each([
    ['2019-11-20', 7, '2026-11-20'],
    ['2020-02-29', 7, '2027-03-01'],
    ['2020-02-29', 4, '2024-02-29'],
    ['2019-11-20', null, null],
  ])('a document of %s kept for %s years is kept to the end of %s', (date, years, until) => {
    expect(keptUntil(date, years)).toBe(until);
  });

  test('it is past on the day after, and not before', () => {
    expect(isPastRetention('2019-11-20', 7, '2026-11-20')).toBe(false);
    expect(isPastRetention('2019-11-20', 7, '2026-11-21')).toBe(true);
    expect(isPastRetention(null, 7, '2026-11-21')).toBe(false);
  });

  test('the newest date past its retention divides all dates', () => {
    const date = fc.integer({ min: 0, max: 40_000 }).map(dateOfDay);
    fc.assert(
      fc.property(date, fc.integer({ min: 1, max: 30 }), (today, years) => {
        const newest = newestPastRetention(years, today) as string;
        expect(isPastRetention(newest, years, today)).toBe(true);
        expect(isPastRetention(addDays(newest, 1), years, today)).toBe(false);
      }),
      { numRuns: 2000 },
    );
    expect(newestPastRetention(7, '2028-02-29')).toBe('2021-02-28');
  });
});

describe('the daily reading', () => {
  const DAY = 86_400_000;

  test('on thirty days in a row all files come about once, whatever their number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), (files) => {
        let round = grantRound(null, files, 0);
        let read = round.due;
        for (let day = 1; day < ROUND_DAYS; day++) {
          round = grantRound({ ...round, due: 0 }, files, day * DAY);
          expect(round.due).toBe(Math.ceil(files / ROUND_DAYS));
          read += round.due;
        }
        expect(read).toBeGreaterThanOrEqual(files);
        expect(read).toBeLessThanOrEqual(files + ROUND_DAYS);
      }),
    );
  });

  test('what was left is carried on, days away are made up for, and nothing is read twice in a round', () => {
    const first = grantRound(null, 3000, 0);
    expect(grantRound(first, 3000, DAY - 1)).toBe(first);
    expect(grantRound({ ...first, due: 40 }, 3000, DAY)).toEqual({ due: 140, granted_at: DAY });
    expect(grantRound({ ...first, due: 0 }, 3000, 12 * DAY).due).toBe(1200);
    expect(grantRound({ ...first, due: 40 }, 3000, 400 * DAY).due).toBe(3000);
    expect(grantRound({ due: 0, granted_at: 5 * DAY }, 3000, 0)).toEqual({ due: 100, granted_at: 0 });
  });
});
