/**
 * Start of a sweep over the list of failed webhooks, oldest first. If rows leave the list, later rows move up, so
 * sweeping from the last page to the first may repeat rows but never skips any.
 */
export interface FailedSweepStart {
  /** First page to read: the page that should be the last of the list. */
  page: number;
  /** Ids on that page if the list has not changed. */
  expected: readonly number[];
  /** Ids on the page before it if the list has not changed. Needed if the first page to read should be empty. */
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

/** Returns true if a page has exactly the expected rows, in any order. If so, the last page's offset is unchanged. */
export function hasExactRows(expected: readonly number[], seen: readonly number[]): boolean {
  const ids = new Set(seen);
  return seen.length === expected.length && ids.size === seen.length && expected.every((id) => ids.has(id));
}

/** Returns false if a page is shorter than usual although rows follow. Pages have then become shorter. */
export function mayBePreviousPage(
  page: { rows: number },
  following: { rows: number },
  usual: number,
): boolean {
  return page.rows >= usual || following.rows === 0;
}
