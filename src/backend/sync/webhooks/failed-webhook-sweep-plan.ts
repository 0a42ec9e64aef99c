/**
 * Start of a sweep over the list of failed webhooks, which is sorted oldest first. If rows leave the list, later rows
 * move up, so sweeping from the last page to the first may repeat rows but never skips any.
 */
export interface FailedWebhookSweepStart {
  /** First page to read: the page expected to be the last of the list. */
  page: number;
  /** Ids expected on this page if the list has not changed. */
  expected: readonly number[];
  /** Ids expected on the previous page. Used if the first page to read is expected to be empty. */
  before: readonly number[];
}

/** Plans a sweep from the ids of the webhooks stored as failed, oldest first. */
export function planFailedWebhookSweep(
  stored: readonly number[],
  rowsPerPage: number,
): FailedWebhookSweepStart {
  const full = Math.floor(stored.length / rowsPerPage);
  const from = full * rowsPerPage;
  return {
    page: full + 1,
    expected: stored.slice(from),
    before: full === 0 ? [] : stored.slice(from - rowsPerPage, from),
  };
}

/** Returns true if a page has exactly the expected ids in any order. The list's last page is then at its old offset. */
export function hasExactlyExpectedRows(expected: readonly number[], seen: readonly number[]): boolean {
  const ids = new Set(seen);
  return seen.length === expected.length && ids.size === seen.length && expected.every((id) => ids.has(id));
}

/** Returns false if a page is shorter than usual although rows follow: the service has then reduced its page size. */
export function canBePreviousPage(
  page: { rows: number },
  following: { rows: number },
  usual: number,
): boolean {
  return page.rows >= usual || following.rows === 0;
}
