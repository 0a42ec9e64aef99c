import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addCalculationRoles } from '../../../src/renderer/exceptions/calculation-roles.ts';

const createLines = (...amounts: (number | null)[]) =>
  amounts.map((amount_in_cents, place) => ({ label: String(place), amount_in_cents }));
const listRoles = (...amounts: (number | null)[]) =>
  addCalculationRoles(createLines(...amounts)).map(({ role }) => role);

test('recognizes the sum of a statement and its difference from the stated balance', () => {
  expect(listRoles(10_000, 4_900, -10_000, 4_900, 6_150, 1_250)).toEqual([
    'plain',
    'plain',
    'plain',
    'sum',
    'plain',
    'difference',
  ]);
});

test('a single figure, or two that do not add up, are not shown as a sum', () => {
  expect(listRoles(4_900)).toEqual(['plain']);
  expect(listRoles(4_900, 4_900)).toEqual(['plain', 'plain']);
  expect(listRoles(1, 2, 4)).toEqual(['plain', 'plain', 'plain']);
});

test('recognizes an expected figure, a stated figure and their difference', () => {
  expect(listRoles(500, 450, -50)).toEqual(['plain', 'plain', 'difference']);
  expect(listRoles(500, 450, 50)).toEqual(['plain', 'plain', 'difference']);
});

test('skips lines without an amount', () => {
  expect(listRoles(100, null, 250, 350, 400)).toEqual(['plain', 'plain', 'plain', 'sum', 'plain']);
});

test('a figure that differs from the total above it is not shown as a sum', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -500, max: 500 }), { maxLength: 12 }), (amounts) => {
      let block: number[] = [];
      for (const { amount_in_cents: amount, role } of addCalculationRoles(createLines(...amounts))) {
        if (role === 'sum') expect(block.reduce((sum, one) => sum + one, 0)).toBe(amount);
        block = role === 'plain' ? [...block, amount ?? 0] : [];
      }
    }),
  );
});
