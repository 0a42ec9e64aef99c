import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  extractDate,
  findStartOfDay,
  getRangeStartKey,
  getTimeRangeConditions,
  parseUtcOffset,
  toTimeRange,
} from '../../../../src/backend/store/lists/time-range.ts';
import { formatServiceTime } from '../sample-records.ts';

const HOUR = 3_600_000;

describe('calendar of a site', () => {
  it.each([
    ['2026-01-10T12:00:00-05:00', -5 * HOUR],
    ['2026-01-10 12:00:00 -0500', -5 * HOUR],
    ['2026-01-10T12:00:00+05:30', 5.5 * HOUR],
    ['2026-01-10T12:00:00Z', 0],
    ['2026-01-10T12:00:00', 0],
    [null, 0],
  ])('reads the offset of %j', (text, offset) => {
    expect(parseUtcOffset(text)).toBe(offset);
  });

  it('is UTC if nothing is stored', () => {
    expect(findStartOfDay('2026-03-01', () => null)).toBe(Date.UTC(2026, 2, 1));
  });

  it('starts a day at the offset in force, before and after a daylight saving change', () => {
    const change = Date.UTC(2026, 2, 8, 7);
    const nearest = (at: number) => formatServiceTime(at, at < change ? -300 : -240);
    expect(findStartOfDay('2026-03-08', nearest)).toBe(Date.UTC(2026, 2, 8, 5));
    expect(findStartOfDay('2026-03-09', nearest)).toBe(Date.UTC(2026, 2, 9, 4));
  });

  it('includes the first and the last day, and excludes rows without a time', () => {
    const stretch = toTimeRange({ since: '2026-01-01', until: '2026-01-01' }, (at) =>
      formatServiceTime(at, 120),
    );
    expect(stretch).toEqual({ from: Date.UTC(2025, 11, 31, 22), until: Date.UTC(2026, 0, 1, 22) });
    expect(toTimeRange({ until: '2026-01-01' }, () => null)?.from).toBe(1);
    expect(toTimeRange({}, () => null)).toBeNull();
  });

  it('assigns an instant to the day that its text shows', () => {
    const day = fc.integer({ min: 0, max: 20_000 });
    fc.assert(
      fc.property(
        day,
        fc.integer({ min: 0, max: 86_399 }),
        fc.integer({ min: -14 * 4, max: 14 * 4 }),
        (days, second, quarter) => {
          const at = (days * 86_400 + second) * 1000;
          const offset = quarter * 15;
          const text = formatServiceTime(at, offset);
          const date = text.slice(0, 10);
          const stretch = toTimeRange({ since: date, until: date }, () => text);
          expect(at).toBeGreaterThanOrEqual(stretch!.from);
          expect(at).toBeLessThan(stretch!.until);
        },
      ),
    );
  });

  it('returns a date only if the text contains one', () => {
    expect(extractDate('2026-01-10T12:00:00-05:00')).toBe('2026-01-10');
    expect(extractDate('soon')).toBeNull();
    expect(extractDate(null)).toBeNull();
  });
});

it('omits the bound at the start of a sorted list, where reading begins anyway', () => {
  const stretch = { from: 10, until: 20 };
  expect(getTimeRangeConditions(stretch, 'at', 'desc')).toEqual({ where: ['at >= ?'], bound: [10] });
  expect(getTimeRangeConditions(stretch, 'at', 'asc')).toEqual({ where: ['at < ?'], bound: [20] });
  expect(getTimeRangeConditions(stretch, 'at').bound).toEqual([10, 20]);
  expect(getRangeStartKey(stretch, 'desc', 2)).toEqual([20, -1]);
  expect(getRangeStartKey(stretch, 'asc', 3)).toEqual([10, -1, -1]);
});
