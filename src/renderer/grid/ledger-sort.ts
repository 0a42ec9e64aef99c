/** The order of a short table that the user chose; without one its rows stand in their own. */
export interface LedgerSort {
  readonly id: string;
  readonly direction: 'asc' | 'desc';
}

/** The first press on a title sorts upwards, the second downwards, the third gives the rows their own order back. */
export function nextSort(sort: LedgerSort | null, id: string): LedgerSort | null {
  if (sort?.id !== id) return { id, direction: 'asc' };
  return sort.direction === 'asc' ? { id, direction: 'desc' } : null;
}

interface Sortable<Row> {
  readonly id: string;
  readonly by?: (row: Row) => string | number | null;
}

/** The rows in that order; equal ones stay in their own, and what has no value stands at the end. */
export function sortedBy<Row>(
  rows: readonly Row[],
  columns: readonly Sortable<Row>[],
  sort: LedgerSort | null,
): readonly Row[] {
  const by = columns.find(({ id }) => id === sort?.id)?.by;
  if (!by) return rows;
  const sign = sort?.direction === 'desc' ? -1 : 1;
  return [...rows].sort((one, other) => {
    const [a, b] = [by(one), by(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    if (typeof a === 'string' && typeof b === 'string') return sign * a.localeCompare(b);
    return sign * (a < b ? -1 : a > b ? 1 : 0);
  });
}
