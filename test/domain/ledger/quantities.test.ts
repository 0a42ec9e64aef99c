import { expect, test } from 'vitest';
import {
  compareQuantities,
  computeQuantityDifference,
  isSameQuantity,
  parseQuantity,
} from '../../../src/domain/ledger/index.ts';

test('equal quantities in different notations are equal', () => {
  expect(isSameQuantity(2, '2.0')).toBe(true);
  expect(isSameQuantity('2.50', '2.5')).toBe(true);
  expect(isSameQuantity('0.1', '0.10000000000000000001')).toBe(false);
  expect(isSameQuantity('12345678901234567890', '12345678901234567891')).toBe(false);
});

test('quantities are compared exactly', () => {
  expect(compareQuantities(3, 5)).toBeLessThan(0);
  expect(compareQuantities('2.5', 2)).toBeGreaterThan(0);
  expect(compareQuantities('-0.5', '-0.25')).toBeLessThan(0);
  expect(() => compareQuantities('many', 1)).toThrow(RangeError);
});

test('quantities are parsed exactly, and invalid text is rejected', () => {
  expect(['8', '+8', '-1', '007', '2.50', '0.0', '-0', '9007199254740993'].map(parseQuantity)).toEqual([
    8,
    8,
    -1,
    7,
    '2.5',
    0,
    0,
    '9007199254740993',
  ]);
  for (const text of ['', '1,000', '1e3', '.5', '5.', '0x1', 'many', '١', '1'.repeat(80)]) {
    expect(parseQuantity(text)).toBeNull();
  }
});

test('differences between quantities are exact', () => {
  expect(computeQuantityDifference('0.1', '0.3')).toBe('0.2');
  expect(computeQuantityDifference(8, 5)).toBe(-3);
  expect(computeQuantityDifference('2.5', '2.50')).toBe(0);
  expect(computeQuantityDifference('12345678901234567890', '12345678901234567891')).toBe(1);
  expect(computeQuantityDifference('0.05', '0.01')).toBe('-0.04');
});
