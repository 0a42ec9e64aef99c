import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  areQuantitiesContinuous,
  countNewAllocations,
  isHistoryPageShifted,
  isSameAllocation,
} from '../../../../src/backend/sync/shared/allocation-history-rows.ts';
import type { Allocation } from '../../../../src/billing/index.ts';

/** Creates a history of `count` changes, newest first, some within the same second or without effect. */
function createHistory(count: number, seed = 1): Allocation[] {
  const rows: Allocation[] = [];
  let quantity = 0;
  for (let n = 0; n < count; n++) {
    const next = (quantity + ((n * seed) % 3)) % 7;
    const second = String(Math.floor(n / 2)).padStart(2, '0');
    rows.push({
      subscription_id: 1,
      component_id: 2,
      quantity: next,
      previous_quantity: quantity,
      memo: null,
      timestamp: `2026-10-01T00:${second}:00Z`,
      proration_upgrade_scheme: null,
      proration_downgrade_scheme: null,
      extra: {},
    });
    quantity = next;
  }
  return rows.reverse();
}

test('rows before the first stored row are new', () => {
  const all = createHistory(12);
  expect(countNewAllocations(all, all.slice(3), true)).toBe(3);
  expect(countNewAllocations(all.slice(0, 8), all.slice(3), false)).toBe(3);
  expect(countNewAllocations(all, all, true)).toBe(0);
  expect(countNewAllocations(all, [], true)).toBe(12);
  expect(countNewAllocations(all.slice(0, 3), all.slice(3), false)).toBe(null);
});

test('a complete history that lacks stored rows has no number of new rows', () => {
  const all = createHistory(12);
  expect(countNewAllocations(all.slice(0, 6), all.slice(3), true)).toBe(null);
  const changed = all.map((row, index) => (index === 7 ? { ...row, memo: 'changed' } : row));
  expect(countNewAllocations(changed, all.slice(3), true)).toBe(null);
});

test('two equal allocations within one second are two rows', () => {
  const row = createHistory(1)[0] as Allocation;
  expect(isSameAllocation(row, { ...row })).toBe(true);
  expect(countNewAllocations([row, row], [row], true)).toBe(1);
  expect(countNewAllocations([row, row], [row, row], true)).toBe(0);
});

test('finds the number of new rows wherever the read ends', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 60 }),
      fc.nat(60),
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 5 }),
      (count, countNewRows, read, seed) => {
        const all = createHistory(count, seed).map((row, index) => ({ ...row, memo: String(index) }));
        fc.pre(countNewRows < count && read > countNewRows);
        expect(countNewAllocations(all.slice(0, read), all.slice(countNewRows), read >= count)).toBe(
          countNewRows,
        );
      },
    ),
  );
});

test("a page that begins with the previous page's last row may be shifted", () => {
  const all = createHistory(12);
  expect(isHistoryPageShifted(all.slice(0, 6), all.slice(5))).toBe(true);
  expect(isHistoryPageShifted(all.slice(0, 6), all.slice(6))).toBe(false);
  expect(isHistoryPageShifted([], all)).toBe(false);
});

test('quantities are not continuous if one does not start at the previous quantity', () => {
  const all = createHistory(6);
  expect(areQuantitiesContinuous(all)).toBe(true);
  const moved = all.findIndex((row, index) => index > 0 && row.quantity !== row.previous_quantity);
  expect(areQuantitiesContinuous(all.toSpliced(moved, 1))).toBe(false);
});
