import fc from 'fast-check';
import { expect, test } from 'vitest';
import { footed } from '../../../src/renderer/exceptions/footing.ts';

const lines = (...amounts: (number | null)[]) =>
  amounts.map((amount_in_cents, place) => ({ label: String(place), amount_in_cents }));
const standings = (...amounts: (number | null)[]) =>
  footed(lines(...amounts)).map(({ standing }) => standing);

test('a statement added up, and what it differs by from what is stated', () => {
  expect(standings(10_000, 4_900, -10_000, 4_900, 6_150, 1_250)).toEqual([
    'plain',
    'plain',
    'plain',
    'sum',
    'plain',
    'difference',
  ]);
});

test('a figure alone is no sum, nor are two that do not add up', () => {
  expect(standings(4_900)).toEqual(['plain']);
  expect(standings(4_900, 4_900)).toEqual(['plain', 'plain']);
  expect(standings(1, 2, 4)).toEqual(['plain', 'plain', 'plain']);
});

test('expected, stated, difference', () => {
  expect(standings(500, 450, -50)).toEqual(['plain', 'plain', 'difference']);
  expect(standings(500, 450, 50)).toEqual(['plain', 'plain', 'difference']);
});

test('a line without a figure is passed over', () => {
  expect(standings(100, null, 250, 350, 400)).toEqual(['plain', 'plain', 'plain', 'sum', 'plain']);
});

test('a rule is drawn above nothing that does not come to it', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -500, max: 500 }), { maxLength: 12 }), (amounts) => {
      let block: number[] = [];
      for (const { amount_in_cents: amount, standing } of footed(lines(...amounts))) {
        if (standing === 'sum') expect(block.reduce((sum, one) => sum + one, 0)).toBe(amount);
        block = standing === 'plain' ? [...block, amount ?? 0] : [];
      }
    }),
  );
});
