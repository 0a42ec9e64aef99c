import { expect, test } from 'vitest';
import { compareQuantities, sameQuantity } from '../../../src/domain/ledger/index.ts';

test('quantities are the same number however they are written', () => {
  expect(sameQuantity(2, '2.0')).toBe(true);
  expect(sameQuantity('2.50', '2.5')).toBe(true);
  expect(sameQuantity('0.1', '0.10000000000000000001')).toBe(false);
  expect(sameQuantity('12345678901234567890', '12345678901234567891')).toBe(false);
});

test('quantities are compared exactly', () => {
  expect(compareQuantities(3, 5)).toBeLessThan(0);
  expect(compareQuantities('2.5', 2)).toBeGreaterThan(0);
  expect(compareQuantities('-0.5', '-0.25')).toBeLessThan(0);
  expect(() => compareQuantities('many', 1)).toThrow(RangeError);
});
