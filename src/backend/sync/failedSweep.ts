/**
 * The list `status=failed`, oldest first. Rows leave it while it is read and those behind them move up, so it is walked
 * from its last page to its first: departures then repeat rows and skip none. What it does not show is a hint only; the
 * proof is the unfiltered page.
 */
export interface SweepStart {
  /** The page to begin with, where the list should end as far as is known here. */
  page: number;
  /** The ids that page has, should nothing have changed. */
  expected: readonly number[];
  /** Whether those ids on that page prove that the list is no longer. */
  proves: boolean;
}

/** Where to begin, given the ids held as not accepted, oldest first. */
export function startOfSweep(held: readonly number[], rowsPerPage: number): SweepStart {
  const page = Math.max(1, Math.ceil(held.length / rowsPerPage));
  const expected = held.slice((page - 1) * rowsPerPage);
  return { page, expected, proves: expected.length < rowsPerPage };
}

/**
 * Whether the last page alone shows that nothing moved: it is where it should be and holds what it should, so as many
 * rows stand before it as before.
 */
export function isAsExpected(start: SweepStart, seen: readonly number[]): boolean {
  return (
    start.proves &&
    seen.length === start.expected.length &&
    seen.every((id, index) => id === start.expected[index])
  );
}
