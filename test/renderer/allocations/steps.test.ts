import { expect, test } from 'vitest';
import type { Allocation } from '../../../src/contract/index.ts';
import { changeOf, stepsOf } from '../../../src/renderer/allocations/steps.ts';

const allocation = (
  timestamp: string,
  quantity: number | string,
  previous_quantity: number | string,
): Allocation => ({
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
});

test('steps run from the oldest change to the newest', () => {
  const history = [allocation('2026-03-02T00:00:00Z', 5, 3), allocation('2026-03-01T00:00:00Z', '2.5', 0)];
  expect(stepsOf(history)).toEqual([
    { at: Date.UTC(2026, 2, 1), value: 2.5 },
    { at: Date.UTC(2026, 2, 2), value: 5 },
  ]);
});

test('a change is told where it is a whole number', () => {
  expect(changeOf(allocation('2026-03-02T00:00:00Z', 5, 8))).toBe(-3);
  expect(changeOf(allocation('2026-03-02T00:00:00Z', '2.5', 2))).toBeNull();
});
