import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { daysOf, lastComplete, monthAfter, monthsBetween } from '../../../src/renderer/overview/periods.ts';

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
    expect(daysOf('2028-02')).toEqual({ since: '2028-02-01', until: '2028-02-29' });
    expect(daysOf('2026-12')).toEqual({ since: '2026-12-01', until: '2026-12-31' });
  });

  test('those held, the newest first', () => {
    expect(monthsBetween('2025-11-30', '2026-02-01')).toEqual(['2026-02', '2026-01', '2025-12', '2025-11']);
    expect(monthsBetween('2026-02-02', '2026-02-01')).toEqual(['2026-02']);
  });

  test.each([
    ['2026-01-10', '2026-03-15', '2026-02'],
    ['2026-01-10', '2026-03-31', '2026-03'],
    ['2026-03-02', '2026-03-15', '2026-03'],
  ])('from %s to %s the last complete month is %s', (first, last, expected) => {
    expect(lastComplete(first, last)).toBe(expected);
  });
});
