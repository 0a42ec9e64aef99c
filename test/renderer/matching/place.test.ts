import { expect, test } from 'vitest';
import { matchingBehind, matchingItem, matchingPlace } from '../../../src/renderer/matching/place.ts';

test.each([
  [null, 'review', null],
  ['17', 'review', 17],
  ['hand', 'hand', null],
  ['payouts', 'payouts', null],
  ['payouts-3', 'payouts', 3],
  ['rules-12', 'rules', 12],
  ['runs', 'runs', null],
] as const)('%s', (item, part, id) => {
  expect(matchingPlace(item)).toEqual({ part, id });
  expect(matchingItem({ part, id })).toBe(item);
});

test('what is not known leads to the review; closing leads to the list', () => {
  expect(matchingPlace('payouts-x')).toEqual({ part: 'review', id: null });
  expect(matchingBehind('payouts-3')).toBe('payouts');
  expect(matchingBehind('17')).toBeNull();
});
