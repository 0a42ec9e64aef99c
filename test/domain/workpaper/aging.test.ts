import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createAgingBuckets,
  DEFAULT_AGING_BUCKETS,
  DEFAULT_TICK_MARKS,
  findAgingBucket,
  findAgingBucketsError,
  findTickMarksError,
} from '../../../src/domain/workpaper/index.ts';

describe('aging buckets', () => {
  test('are the default ones unless custom ones are set', () => {
    expect(createAgingBuckets(DEFAULT_AGING_BUCKETS)).toEqual([
      { from_days: 0, to_days: 7 },
      { from_days: 8, to_days: 30 },
      { from_days: 31, to_days: 60 },
      { from_days: 61, to_days: 90 },
      { from_days: 91, to_days: null },
    ]);
    expect([0, 7, 8, 30, 31, 90, 91, 4000].map((age) => findAgingBucket(DEFAULT_AGING_BUCKETS, age))).toEqual(
      [0, 0, 1, 1, 2, 3, 4, 4],
    );
  });

  test('contain every age once', () => {
    const firsts = fc
      .uniqueArray(fc.integer({ min: 1, max: 400 }), { maxLength: 8 })
      .map((days) => [0, ...days.sort((a, b) => a - b)]);
    fc.assert(
      fc.property(firsts, fc.integer({ min: 0, max: 500 }), (days, age) => {
        expect(findAgingBucketsError(days)).toBeNull();
        const holding = createAgingBuckets(days).flatMap(({ from_days, to_days }, at) =>
          age >= from_days && (to_days === null || age <= to_days) ? [at] : [],
        );
        expect(holding).toEqual([findAgingBucket(days, age)]);
      }),
    );
  });

  test('start at day 0 and increase', () => {
    expect(findAgingBucketsError([1, 8])).toContain('must start at day 0');
    expect(findAgingBucketsError([0, 8, 8])).toContain('later than the previous one');
  });
});

describe('tick marks', () => {
  test('can be reworded and extended, but must include the default marks', () => {
    expect(findTickMarksError(DEFAULT_TICK_MARKS)).toBeNull();
    expect(
      findTickMarksError([...DEFAULT_TICK_MARKS, { mark: 'X', meaning: 'Asked the client', usual: false }]),
    ).toBeNull();
    expect(findTickMarksError(DEFAULT_TICK_MARKS.slice(1))).toContain('The mark F');
    expect(findTickMarksError([...DEFAULT_TICK_MARKS, DEFAULT_TICK_MARKS[0]!])).toContain('twice');
  });
});
