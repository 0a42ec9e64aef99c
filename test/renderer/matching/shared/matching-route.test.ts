import { expect, test } from 'vitest';
import {
  formatMatchingRoute,
  getMatchingParentRoute,
  parseMatchingRoute,
} from '../../../../src/renderer/matching/shared/matching-route.ts';

test.each([
  [null, 'review', null],
  ['17', 'review', 17],
  ['manual', 'manual', null],
  ['payouts', 'payouts', null],
  ['payouts-3', 'payouts', 3],
  ['rules-12', 'rules', 12],
  ['runs', 'runs', null],
] as const)('the route item %s can be parsed and formatted', (item, part, id) => {
  expect(parseMatchingRoute(item)).toEqual({ part, id });
  expect(formatMatchingRoute({ part, id })).toBe(item);
});

test('unknown items open the review tab, and closing a detail returns to its list', () => {
  expect(parseMatchingRoute('payouts-x')).toEqual({ part: 'review', id: null });
  expect(getMatchingParentRoute('payouts-3')).toBe('payouts');
  expect(getMatchingParentRoute('17')).toBeNull();
});
