import { copyCellText } from '../clipboard/tsv.ts';
import type { GridColumn } from '../columns/column-layout.ts';
import type { ListSort } from '../columns/use-list-sort.ts';
import type { GridController, ListPage } from '../state/grid-controller.ts';

/** Returns the index of the column by which the list is grouped, or null. A grouped list is sorted by that column. */
export function findGroupColumn<Row>(
  columns: readonly GridColumn<Row>[],
  sort: ListSort | undefined,
): number | null {
  if (sort?.isGrouped !== true) return null;
  const index = columns.findIndex(({ sortKey }) => sortKey === sort.by);
  return index < 0 ? null : index;
}

/**
 * Returns a function that returns a row's position in its group, by row index. Dates and times are grouped by day. The
 * first visible row never counts as a repeat, so that the value of its group is visible.
 */
export function createGroupReader<Row, P extends ListPage<Row>>(
  grid: GridController<Row, P>,
  column: GridColumn<Row> | undefined,
): (index: number, firstVisible: number) => 'start' | 'repeat' | null {
  const valueAt = (index: number) => {
    const row = grid.rowAt(index);
    if (row === undefined || column === undefined) return undefined;
    return column.dayOf ? column.dayOf(row) : copyCellText(column.copy(row));
  };
  return (index, firstVisible) => {
    if (column === undefined) return null;
    const value = valueAt(index);
    if (value === undefined) return null;
    if (index === 0) return 'start';
    const above = valueAt(index - 1);
    if (above !== undefined && above !== value) return 'start';
    return index === firstVisible ? null : 'repeat';
  };
}
