/**
 * The list `status=failed`, oldest first. Rows leave it while it is read and those behind them move up, so it is walked
 * from its last page to its first: departures then repeat rows and skip none. What it does not show is a hint only; the
 * proof is the unfiltered page.
 */
export interface SweepStart {
  /** The page to begin with: the first one that is not full, as far as is known here. */
  page: number;
  /** The ids that page has, should nothing have changed. */
  expected: readonly number[];
  /** The ids of the full page before it; without them an empty page would show no more than that the list is no longer. */
  before: readonly number[];
}

/** Where to begin, given the ids held as not accepted, oldest first. */
export function startOfSweep(held: readonly number[], rowsPerPage: number): SweepStart {
  const full = Math.floor(held.length / rowsPerPage);
  const from = full * rowsPerPage;
  return {
    page: full + 1,
    expected: held.slice(from),
    before: full === 0 ? [] : held.slice(from - rowsPerPage, from),
  };
}

/**
 * Whether a page has the rows it should and no others, in whatever order those of one moment stand. Of the last page this
 * shows that as many rows stand before it as before.
 */
export function isAsExpected(expected: readonly number[], seen: readonly number[]): boolean {
  const ids = new Set(seen);
  return seen.length === expected.length && ids.size === seen.length && expected.every((id) => ids.has(id));
}

/**
 * Whether a page, read behind the one that follows it in the list, may stand where it was asked for: one that is shorter than
 * pages usually are is its list's last, so none followed it. Else pages have become shorter, and rows between were passed by.
 */
export function mayPrecede(page: { rows: number }, following: { rows: number }, usual: number): boolean {
  return page.rows >= usual || following.rows === 0;
}
