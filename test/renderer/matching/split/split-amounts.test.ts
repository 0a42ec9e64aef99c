import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  calculateSplit,
  type SplitItem,
  suggestSplitAmounts,
} from '../../../../src/renderer/matching/split/split-amounts.ts';
import { toSplitParts } from '../../../../src/renderer/matching/split/split-items.ts';
import { formatDecimal, parseAmount } from '../../../../src/renderer/texts/money.ts';

const line = (id: number, unmatched_in_cents: number): SplitItem => ({
  side: 'lines',
  id,
  unmatched_in_cents,
});
const payment = (id: number, unmatched_in_cents: number): SplitItem => ({
  side: 'payments',
  id,
  unmatched_in_cents,
});

describe('typed amount', () => {
  test.each([
    ['12', 1200],
    ['12.5', 1250],
    ['12,50', 1250],
    ['1,234.50', 123_450],
    ['1.234,50', 123_450],
    ['1 234,50', 123_450],
    ['1,234', 123_400],
    ['\u22123.00', -300],
    ['-0.05', -5],
  ])('“%s” is parsed', (text, cents) => expect(parseAmount(text)).toBe(cents));

  test.each(['', '-', '1.2.3', '12.3456', '1,23,4', 'abc', '1e3', '99999999999999999999'])(
    '“%s” is not an amount',
    (text) => expect(parseAmount(text)).toBeNull(),
  );

  test('parses amounts that formatDecimal has formatted', () => {
    fc.assert(fc.property(fc.maxSafeInteger(), (cents) => parseAmount(formatDecimal(cents)) === cents));
  });
});

describe('split match', () => {
  const items = [line(1, 10_000), payment(7, 6000), payment(8, 7000)];

  test('suggests the total of the smaller side for both sides', () => {
    expect(suggestSplitAmounts(items)).toEqual([10_000, 6000, 4000]);
    expect(suggestSplitAmounts([line(1, 5000), line(2, 8000), payment(7, 6000)])).toEqual([5000, 1000, 6000]);
    expect(suggestSplitAmounts([line(1, -5000), payment(7, -6000)])).toEqual([-5000, -5000]);
    expect(suggestSplitAmounts([line(1, 5000), payment(7, -6000)])).toEqual([5000, -6000]);
  });

  test('adds up each part, and an empty field allocates nothing', () => {
    const { parts, items: results } = calculateSplit(items, [['100'], ['60'], ['39.50']], 1);
    expect(parts).toEqual([
      { part: 1, lines_in_cents: 10_000, payments_in_cents: 9950, difference_in_cents: 50, hasAmounts: true },
    ]);
    expect(results.map(({ remaining_in_cents }) => remaining_in_cents)).toEqual([0, 0, 3050]);
    expect(calculateSplit(items, [], 2).parts.map(({ hasAmounts }) => hasAmounts)).toEqual([false, false]);
  });

  test('rejects more than the unmatched amount, a different sign, and text that is not an amount', () => {
    const { items: results } = calculateSplit(items, [['60', '41'], ['-1'], ['x']], 2);
    expect(results.map(({ error }) => error)).toEqual(['tooMuch', 'direction', 'amount']);
    expect(calculateSplit(items, [['60', '40']], 2).items[0]?.error).toBeNull();
  });

  test('only parts with amounts are sent, with their differences assigned to the category', () => {
    const amounts = calculateSplit(items, [['60', '40'], ['60'], ['', '39']], 3);
    expect(toSplitParts(items, amounts, { category: 'fee', reason: 'Kept.' })).toEqual([
      {
        lines: [{ id: 1, allocated_in_cents: 6000 }],
        transactions: [{ id: 7, allocated_in_cents: 6000 }],
        adjustments: [],
      },
      {
        lines: [{ id: 1, allocated_in_cents: 4000 }],
        transactions: [{ id: 8, allocated_in_cents: 3900 }],
        adjustments: [{ category: 'fee', amount_in_cents: 100, reason: 'Kept.' }],
      },
    ]);
  });

  test('without an error, the allocated total is at most the unmatched amount', () => {
    const cents = fc.integer({ min: -500, max: 500 });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 800 }),
        fc.array(cents, { minLength: 1, maxLength: 4 }),
        (unmatched, allocated) => {
          const [item] = calculateSplit(
            [line(1, unmatched)],
            [allocated.map(formatDecimal)],
            allocated.length,
          ).items;
          const sum = allocated.reduce((total, each) => total + each, 0);
          return (
            item?.error !== null ||
            (sum <= unmatched && sum >= 0 && item.remaining_in_cents === unmatched - sum)
          );
        },
      ),
    );
  });
});
