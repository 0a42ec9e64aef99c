import { expect, test } from 'vitest';
import type { AllocationDetail } from '../../../src/contract/index.ts';
import { getQuantityDifference, toQuantitySteps } from '../../../src/renderer/allocations/quantity-steps.ts';

const allocation = (
  timestamp: string,
  quantity: number | string,
  previous_quantity: number | string,
  direction: AllocationDetail['direction'] = 'upgrade',
): AllocationDetail => ({
  subscription_id: 1,
  component_id: 2,
  timestamp,
  ordinal: 0,
  quantity,
  previous_quantity,
  memo: null,
  proration_upgrade_scheme: null,
  proration_downgrade_scheme: null,
  chained: true,
  extra: {},
  direction,
  webhook: null,
  transactions: [],
});

test('quantity steps are sorted by time', () => {
  const quantityHistory = [
    allocation('2026-03-03T00:00:00Z', 5, 5, 'none'),
    allocation('2026-03-02T00:00:00Z', 5, 7, 'downgrade'),
    allocation('2026-03-01T00:00:00Z', '2.5', 0),
  ];
  expect(toQuantitySteps(quantityHistory)).toEqual([
    { at: Date.UTC(2026, 2, 1), value: 2.5, direction: 'up' },
    { at: Date.UTC(2026, 2, 2), value: 5, direction: 'down' },
    { at: Date.UTC(2026, 2, 3), value: 5 },
  ]);
});

test('fractional quantity changes are calculated exactly', () => {
  expect(getQuantityDifference(allocation('2026-03-02T00:00:00Z', 5, 8))).toBe(-3);
  expect(getQuantityDifference(allocation('2026-03-02T00:00:00Z', '2.5', 2))).toBe('0.5');
  expect(getQuantityDifference(allocation('2026-03-02T00:00:00Z', '0.1', '0.3'))).toBe('-0.2');
});
