/**
 * Start of a walk over the list `status=failed`, oldest first. Rows leave the list during the walk and later rows move
 * up. The walk goes from the last page to the first, so that departures repeat rows and skip none. A row missing from the
 * list is only a hint; the unfiltered page is the proof.
 */
export interface SweepStart {
  /** First page to read: the first one expected not to be full. */
  page: number;
  /** Ids expected on that page if nothing has changed. */
  expected: readonly number[];
  /** Ids of the full page before it. Without them an empty page would only show that the list is not longer. */
  before: readonly number[];
}

/** Returns the start of the walk for the ids stored as not accepted, oldest first. */
export function startOfSweep(stored: readonly number[], rowsPerPage: number): SweepStart {
  const full = Math.floor(stored.length / rowsPerPage);
  const from = full * rowsPerPage;
  return {
    page: full + 1,
    expected: stored.slice(from),
    before: full === 0 ? [] : stored.slice(from - rowsPerPage, from),
  };
}

/**
 * Returns true if a page has exactly the expected rows in any order. For the last page this proves that as many rows
 * precede it as before.
 */
export function isAsExpected(expected: readonly number[], seen: readonly number[]): boolean {
  const ids = new Set(seen);
  return seen.length === expected.length && ids.size === seen.length && expected.every((id) => ids.has(id));
}

/**
 * Returns true if a page, read after its successor, may be the requested one. A page shorter than usual is the last of
 * its list, so it had no successor. Otherwise pages have become shorter and rows in between were skipped.
 */
export function mayPrecede(page: { rows: number }, following: { rows: number }, usual: number): boolean {
  return page.rows >= usual || following.rows === 0;
}
