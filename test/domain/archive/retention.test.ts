import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ARCHIVE_CHECK_ROTATION_DAYS,
  findLastRetentionDay,
  findNewestDatePastRetention,
  isPastRetention,
  scheduleDailyCheck,
} from '../../../src/domain/archive/index.ts';
import { addDays, toCalendarDate } from '../../../src/domain/ledger/index.ts';

describe('retention of statement PDFs', () => {
  test.each([
    ['2019-11-20', 7, '2026-11-20'],
    ['2020-02-29', 7, '2027-03-01'],
    ['2020-02-29', 4, '2024-02-29'],
    ['2019-11-20', null, null],
  ])('a document of %s with %s years of retention is retained until %s', (date, years, until) => {
    expect(findLastRetentionDay(date, years)).toBe(until);
  });

  test('retention ends on the next day, not before', () => {
    expect(isPastRetention('2019-11-20', 7, '2026-11-20')).toBe(false);
    expect(isPastRetention('2019-11-20', 7, '2026-11-21')).toBe(true);
    expect(isPastRetention(null, 7, '2026-11-21')).toBe(false);
  });

  test('every closing date up to the newest expired one is expired, later ones are not', () => {
    const date = fc.integer({ min: 0, max: 40_000 }).map(toCalendarDate);
    fc.assert(
      fc.property(date, fc.integer({ min: 1, max: 30 }), (today, years) => {
        const newest = findNewestDatePastRetention(years, today) as string;
        expect(isPastRetention(newest, years, today)).toBe(true);
        expect(isPastRetention(addDays(newest, 1), years, today)).toBe(false);
      }),
      { numRuns: 2000 },
    );
    expect(findNewestDatePastRetention(7, '2028-02-29')).toBe('2021-02-28');
  });
});

describe('the daily archive check', () => {
  const DAY = 86_400_000;

  test('covers all files once in thirty days', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), (files) => {
        let round = scheduleDailyCheck(null, files, 0);
        let read = round.due;
        for (let day = 1; day < ARCHIVE_CHECK_ROTATION_DAYS; day++) {
          round = scheduleDailyCheck({ ...round, due: 0 }, files, day * DAY);
          expect(round.due).toBe(Math.ceil(files / ARCHIVE_CHECK_ROTATION_DAYS));
          read += round.due;
        }
        expect(read).toBeGreaterThanOrEqual(files);
        expect(read).toBeLessThanOrEqual(files + ARCHIVE_CHECK_ROTATION_DAYS);
      }),
    );
  });

  test('catches up on missed days without checking a file twice', () => {
    const first = scheduleDailyCheck(null, 3000, 0);
    expect(scheduleDailyCheck(first, 3000, DAY - 1)).toBe(first);
    expect(scheduleDailyCheck({ ...first, due: 40 }, 3000, DAY)).toEqual({ due: 140, granted_at: DAY });
    expect(scheduleDailyCheck({ ...first, due: 0 }, 3000, 12 * DAY).due).toBe(1200);
    expect(scheduleDailyCheck({ ...first, due: 40 }, 3000, 400 * DAY).due).toBe(3000);
    expect(scheduleDailyCheck({ due: 0, granted_at: 5 * DAY }, 3000, 0)).toEqual({ due: 100, granted_at: 0 });
  });
});
