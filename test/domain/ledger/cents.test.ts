import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addCents, formatMoney, sumCents } from '../../../src/domain/ledger/index.ts';

test('cents are formatted as money', () => {
  expect([0, 5, 50, 4250, 123_450, 100_000_000].map(formatMoney)).toEqual([
    '0.00',
    '0.05',
    '0.50',
    '42.50',
    '1,234.50',
    '1,000,000.00',
  ]);
  expect([-5, -123_450].map(formatMoney)).toEqual(['-0.05', '-1,234.50']);
});

test('a sum of cents is exact or throws', () => {
  expect(sumCents([4000, 250, -4250])).toBe(0);
  expect(sumCents([])).toBe(0);
  expect(() => addCents(Number.MAX_SAFE_INTEGER, 1)).toThrow(RangeError);
});

test('a sum of cents does not depend on the order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1e9, max: 1e9 })), (amounts) => {
      expect(sumCents(amounts.toReversed())).toBe(sumCents(amounts));
    }),
  );
});
