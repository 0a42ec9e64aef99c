import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isChained, isSame, mayBeShifted, newRows } from '../../../../src/backend/sync/shared/history.ts';
import type { Allocation } from '../../../../src/billing/index.ts';

/** A history of `count` changes, newest first; several in a second, and no-op changes, occur. */
function history(count: number, seed = 1): Allocation[] {
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

test('rows that are not held yet are those before the place where both histories are one', () => {
  const all = history(12);
  expect(newRows(all, all.slice(3), true)).toBe(3);
  expect(newRows(all.slice(0, 8), all.slice(3), false)).toBe(3);
  expect(newRows(all, all, true)).toBe(0);
  expect(newRows(all, [], true)).toBe(12);
  expect(newRows(all.slice(0, 3), all.slice(3), false)).toBe(null);
});

test('a whole history that lacks what is held, or has it otherwise, does not meet it', () => {
  const all = history(12);
  expect(newRows(all.slice(0, 6), all.slice(3), true)).toBe(null);
  const changed = all.map((row, index) => (index === 7 ? { ...row, memo: 'changed' } : row));
  expect(newRows(changed, all.slice(3), true)).toBe(null);
});

test('two equal allocations of one second are two rows', () => {
  const row = history(1)[0] as Allocation;
  expect(isSame(row, { ...row })).toBe(true);
  expect(newRows([row, row], [row], true)).toBe(1);
  expect(newRows([row, row], [row, row], true)).toBe(0);
});

test('however many are new, and wherever the reading ends, the number of new rows is found', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 60 }),
      fc.nat(60),
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 5 }),
      (count, fresh, read, seed) => {
        const all = history(count, seed).map((row, index) => ({ ...row, memo: String(index) }));
        fc.pre(fresh < count && read > fresh);
        expect(newRows(all.slice(0, read), all.slice(fresh), read >= count)).toBe(fresh);
      },
    ),
  );
});

test('a page that begins with the last row of the one before may have been shifted', () => {
  const all = history(12);
  expect(mayBeShifted(all.slice(0, 6), all.slice(5))).toBe(true);
  expect(mayBeShifted(all.slice(0, 6), all.slice(6))).toBe(false);
  expect(mayBeShifted([], all)).toBe(false);
});

test('a chain breaks where a quantity does not begin with the one before', () => {
  const all = history(6);
  expect(isChained(all)).toBe(true);
  const moved = all.findIndex((row, index) => index > 0 && row.quantity !== row.previous_quantity);
  expect(isChained(all.toSpliced(moved, 1))).toBe(false);
});
