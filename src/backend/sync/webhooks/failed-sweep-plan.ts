/**
 * Start of a sweep over the list of failed webhooks, which is sorted oldest first. Rows may leave the list during the
 * sweep, so that later rows move up. Sweeping from the last page to the first may then repeat rows but never skips any. A
 * webhook missing from the list is only a hint that it has changed; the unfiltered log is the proof.
 */
export interface FailedSweepStart {
  /** First page to read: the page that should be the last of the list. */
  page: number;
  /** Ids on that page if the list has not changed. */
  expected: readonly number[];
  /**
   * Ids on the page before it if the list has not changed. They are needed if the first page to read should be empty: an
   * empty page only proves that the list is not longer.
   */
  before: readonly number[];
}

/** Plans a sweep from the ids that are stored as failed, oldest first. */
export function planFailedSweep(stored: readonly number[], rowsPerPage: number): FailedSweepStart {
  const full = Math.floor(stored.length / rowsPerPage);
  const from = full * rowsPerPage;
  return {
    page: full + 1,
    expected: stored.slice(from),
    before: full === 0 ? [] : stored.slice(from - rowsPerPage, from),
  };
}

/**
 * Returns true if a page has exactly the expected rows, in any order. For the last page, this proves that as many rows
 * come before it as expected.
 */
export function hasExactRows(expected: readonly number[], seen: readonly number[]): boolean {
  const ids = new Set(seen);
  return seen.length === expected.length && ids.size === seen.length && expected.every((id) => ids.has(id));
}

/**
 * Returns true if a page that was read after the page following it may be the requested one. If it is shorter than usual
 * although rows follow, pages have become shorter and rows between the two were skipped.
 */
export function mayBePreviousPage(
  page: { rows: number },
  following: { rows: number },
  usual: number,
): boolean {
  return page.rows >= usual || following.rows === 0;
}
