import type { Allocation } from '../../../billing/index.ts';

/** Number of rows per page of an allocation list (interface 4.3). */
export const ALLOCATIONS_PER_PAGE = 50;

/** Returns true if the immutable fields of two allocations are equal. Allocations have no id (interface 2.2). */
export function isSameAllocation(a: Allocation, b: Allocation): boolean {
  return (
    a.timestamp === b.timestamp &&
    a.quantity === b.quantity &&
    a.previous_quantity === b.previous_quantity &&
    a.memo === b.memo
  );
}

/**
 * Returns the number of new rows at the start of a history that was read newest first. Returns null if the history does
 * not connect to the stored rows. If the read is complete, all stored rows must be at the end.
 */
export function countNewAllocations(
  read: readonly Allocation[],
  stored: readonly Allocation[],
  isComplete: boolean,
): number | null {
  if (stored.length === 0) return isComplete ? read.length : null;
  const from = isComplete ? read.length - stored.length : 0;
  if (from < 0) return null;
  const to = isComplete ? from : read.length - 1;
  for (let fresh = from; fresh <= to; fresh++) {
    const shared = Math.min(read.length - fresh, stored.length);
    let equal = 0;
    while (equal < shared && isSameAllocation(read[fresh + equal] as Allocation, stored[equal] as Allocation))
      equal++;
    if (equal === shared) return fresh;
  }
  return null;
}

/** Returns true if a page begins with the previous page's last row, so that new rows may have shifted the pages. */
export function isHistoryPageShifted(before: readonly Allocation[], after: readonly Allocation[]): boolean {
  const last = before.at(-1);
  const first = after[0];
  return last !== undefined && first !== undefined && isSameAllocation(last, first);
}

/**
 * Returns true if each row's previous quantity is the quantity of the next older row. Rows are sorted newest first. A
 * mismatch may mean a missing row, a shifted page or a change that the service did not record.
 */
export function areQuantitiesContinuous(rows: readonly Allocation[]): boolean {
  return rows.every((row, index) => {
    const older = rows[index + 1];
    return older === undefined || older.quantity === row.previous_quantity;
  });
}
