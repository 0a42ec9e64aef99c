import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addDays,
  countDaysBetween,
  isCalendarDate,
  isInDateRange,
  readDateAsWritten,
  toCalendarDate,
  toMonthRange,
} from '../../../src/domain/ledger/index.ts';

describe('calendar dates', () => {
  test('a datetime belongs to the date as written, not in UTC', () => {
    expect(readDateAsWritten('2016-10-24T23:59:59-04:00')).toBe('2016-10-24');
    expect(readDateAsWritten('2016-11-08 16:22:18 -0500')).toBe('2016-11-08');
    expect(readDateAsWritten('yesterday')).toBeNull();
    expect(readDateAsWritten('2016-02-30T00:00:00Z')).toBeNull();
    expect(readDateAsWritten(null)).toBeNull();
  });

  test('days are counted over months, years and leap days', () => {
    expect(addDays('2026-02-28', 1)).toBe('2026-03-01');
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
    expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
    expect(countDaysBetween('2026-10-01', '2026-11-01')).toBe(31);
    expect(countDaysBetween('2026-11-01', '2026-10-01')).toBe(-31);
    expect(() => addDays('2026-13-01', 1)).toThrow(RangeError);
  });

  test('invalid dates are rejected', () => {
    expect(['2026-02-29', '2026-2-1', '26-02-01', '2026-00-10', ''].filter(isCalendarDate)).toEqual([]);
  });

  test('adding and subtracting days round-trips', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -20_000, max: 40_000 }),
        fc.integer({ min: -9999, max: 9999 }),
        (day, days) => {
          const date = toCalendarDate(day);
          expect(addDays(addDays(date, days), -days)).toBe(date);
          expect(countDaysBetween(date, addDays(date, days))).toBe(days);
        },
      ),
    );
  });
});

describe('date ranges', () => {
  test('a month includes all its days', () => {
    expect(toMonthRange('2026-10-17')).toEqual({ first: '2026-10-01', last: '2026-10-31' });
    expect(toMonthRange('2028-02-01')).toEqual({ first: '2028-02-01', last: '2028-02-29' });
    expect(toMonthRange('2026-12-31')).toEqual({ first: '2026-12-01', last: '2026-12-31' });
  });

  test('both ends of a range are included', () => {
    const october = toMonthRange('2026-10-17');
    expect(
      ['2026-09-30', '2026-10-01', '2026-10-31', '2026-11-01'].map((date) => isInDateRange(october, date)),
    ).toEqual([false, true, true, false]);
  });
});
