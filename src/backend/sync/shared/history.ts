import type { Allocation } from '../../../billing/index.ts';

/** Number of rows per page of an allocation list (interface 4.3). */
export const ALLOCATIONS_PER_PAGE = 50;

/**
 * Returns true if two allocations are the same. An allocation has no id, so all immutable fields are compared (interface
 * 2.2).
 */
export function isSame(a: Allocation, b: Allocation): boolean {
  return (
    a.timestamp === b.timestamp &&
    a.quantity === b.quantity &&
    a.previous_quantity === b.previous_quantity &&
    a.memo === b.memo
  );
}

/**
 * Returns how many rows at the head of a history, newest first, are not stored yet, or null if it does not meet the
 * stored rows. `whole` means that the history was read to its end, so all stored rows must be at its tail.
 */
export function newRows(
  read: readonly Allocation[],
  stored: readonly Allocation[],
  whole: boolean,
): number | null {
  if (stored.length === 0) return whole ? read.length : null;
  const from = whole ? read.length - stored.length : 0;
  if (from < 0) return null;
  const to = whole ? from : read.length - 1;
  for (let fresh = from; fresh <= to; fresh++) {
    const shared = Math.min(read.length - fresh, stored.length);
    let equal = 0;
    while (equal < shared && isSame(read[fresh + equal] as Allocation, stored[equal] as Allocation)) equal++;
    if (equal === shared) return fresh;
  }
  return null;
}

/** Returns true if new rows may have shifted the next page: it begins with the row that the previous page ended with. */
export function mayBeShifted(before: readonly Allocation[], after: readonly Allocation[]): boolean {
  const last = before.at(-1);
  const first = after[0];
  return last !== undefined && first !== undefined && isSame(last, first);
}

/**
 * Returns true if each row, newest first, starts at the quantity at which the older row ended. A break is a gap, a shift,
 * or a change made without a record, which the service allows. A history that was read twice is stored as it is.
 */
export function isChained(rows: readonly Allocation[]): boolean {
  return rows.every((row, index) => {
    const older = rows[index + 1];
    return older === undefined || older.quantity === row.previous_quantity;
  });
}
