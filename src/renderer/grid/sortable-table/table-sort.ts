/** Sort order that the user chose for a short table. Until then, rows keep their original order. */
export interface TableSort {
  readonly id: string;
  readonly direction: 'asc' | 'desc';
}

/** Returns a column's next sort order, cycling through ascending, descending, and original order. */
export function getNextSortOrder(sort: TableSort | null, id: string): TableSort | null {
  if (sort?.id !== id) return { id, direction: 'asc' };
  return sort.direction === 'asc' ? { id, direction: 'desc' } : null;
}

interface SortableColumn<Row> {
  readonly id: string;
  readonly sortValue?: (row: Row) => string | number | null;
}

/** Returns the rows in the given sort order. Sorting is stable, and rows without a value come last. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly SortableColumn<Row>[],
  sort: TableSort | null,
): readonly Row[] {
  const sortValue = columns.find(({ id }) => id === sort?.id)?.sortValue;
  if (!sortValue) return rows;
  const sign = sort?.direction === 'desc' ? -1 : 1;
  return rows.toSorted((one, other) => {
    const [a, b] = [sortValue(one), sortValue(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    if (typeof a === 'string' && typeof b === 'string') return sign * a.localeCompare(b);
    return sign * (a < b ? -1 : a > b ? 1 : 0);
  });
}
