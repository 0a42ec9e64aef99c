import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bucketOf,
  bucketsFault,
  bucketsOf,
  legendFault,
  usualBuckets,
  usualLegend,
} from '../../../src/domain/workpaper/index.ts';

describe('buckets of age', () => {
  test('are the usual ones unless somebody sets others', () => {
    expect(bucketsOf(usualBuckets)).toEqual([
      { from_days: 0, to_days: 7 },
      { from_days: 8, to_days: 30 },
      { from_days: 31, to_days: 60 },
      { from_days: 61, to_days: 90 },
      { from_days: 91, to_days: null },
    ]);
    expect([0, 7, 8, 30, 31, 90, 91, 4000].map((age) => bucketOf(usualBuckets, age))).toEqual([
      0, 0, 1, 1, 2, 3, 4, 4,
    ]);
  });

  test('hold every age once, whatever days they begin on', () => {
    const firsts = fc
      .uniqueArray(fc.integer({ min: 1, max: 400 }), { maxLength: 8 })
      .map((days) => [0, ...days.sort((a, b) => a - b)]);
    fc.assert(
      fc.property(firsts, fc.integer({ min: 0, max: 500 }), (days, age) => {
        expect(bucketsFault(days)).toBeNull();
        const holding = bucketsOf(days).flatMap(({ from_days, to_days }, at) =>
          age >= from_days && (to_days === null || age <= to_days) ? [at] : [],
        );
        expect(holding).toEqual([bucketOf(days, age)]);
      }),
    );
  });

  test('begin with the first day and rise', () => {
    expect(bucketsFault([1, 8])).toContain('begins with day 0');
    expect(bucketsFault([0, 8, 8])).toContain('later than the one before');
  });
});

describe('the legend', () => {
  test('may be worded anew and added to, but keeps the marks the app sets', () => {
    expect(legendFault(usualLegend)).toBeNull();
    expect(
      legendFault([...usualLegend, { mark: 'X', meaning: 'Asked the client', usual: false }]),
    ).toBeNull();
    expect(legendFault(usualLegend.slice(1))).toContain('The mark F');
    expect(legendFault([...usualLegend, usualLegend[0]!])).toContain('twice');
  });
});
