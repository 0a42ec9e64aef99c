import type { Allocation } from '../../billing/index.ts';

/** Rows of a list of allocations (interface 4.3). */
export const ALLOCATIONS_PER_PAGE = 50;

/** An allocation has no id (interface 2.2): two are the same where all that cannot change is. */
export function isSame(a: Allocation, b: Allocation): boolean {
  return (
    a.timestamp === b.timestamp &&
    a.quantity === b.quantity &&
    a.previous_quantity === b.previous_quantity &&
    a.memo === b.memo
  );
}

/**
 * How many rows at the head of a history just read, newest first, are not held yet; null where it does not meet what is
 * held. `whole` says that the history was read to its end: then all that is held must stand at its tail.
 */
export function newRows(
  read: readonly Allocation[],
  held: readonly Allocation[],
  whole: boolean,
): number | null {
  if (held.length === 0) return whole ? read.length : null;
  const from = whole ? read.length - held.length : 0;
  if (from < 0) return null;
  const to = whole ? from : read.length - 1;
  for (let fresh = from; fresh <= to; fresh++) {
    const shared = Math.min(read.length - fresh, held.length);
    let equal = 0;
    while (equal < shared && isSame(read[fresh + equal] as Allocation, held[equal] as Allocation)) equal++;
    if (equal === shared) return fresh;
  }
  return null;
}

/**
 * Whether the page behind may have been shifted by rows that arrived meanwhile: it begins with the row the page before
 * ended with.
 */
export function mayBeShifted(before: readonly Allocation[], after: readonly Allocation[]): boolean {
  const last = before.at(-1);
  const first = after[0];
  return last !== undefined && first !== undefined && isSame(last, first);
}

/**
 * Whether each row, newest first, begins where the one before it ended. A break is a gap, a shift, or a change made without
 * a record (there are such ways at the service), so a history that was read twice is kept as it is.
 */
export function isChained(rows: readonly Allocation[]): boolean {
  return rows.every((row, index) => {
    const older = rows[index + 1];
    return older === undefined || older.quantity === row.previous_quantity;
  });
}
