import type { ErrorValue } from '../../../contract/index.ts';
import type { ListPosition } from '../../navigation/list-positions.ts';
import type { ListPage } from './list-reader.ts';
import { activeRowSelection, type RowId, type RowSelection } from './row-selection.ts';
import { ROWS_PER_PAGE } from './scroll-geometry.ts';

/** Loaded rows of a list, by page number. */
export type LoadedPages<Row> = ReadonlyMap<number, readonly Row[]>;

/** State of one grid: its rows, the active cell, and the selection. */
export interface GridState<Row, P extends ListPage<Row> = ListPage<Row>> {
  /** `opening` until the first rows have loaded, then `ready`. */
  readonly phase: 'opening' | 'ready';
  readonly loading: boolean;
  readonly error: ErrorValue | null;
  readonly total: number;
  readonly isExactTotal: boolean;
  /** First page as received. In some lists, this page includes the list's totals. */
  readonly firstPage: P | null;
  readonly pages: LoadedPages<Row>;
  readonly selection: RowSelection;
  /** Index of the row that key presses act on; -1 is the header. */
  readonly activeIndex: number;
  /** True once the user has moved to a row of this list. Until then, the active row does not count as selected. */
  readonly hasEntered: boolean;
  /** Column of the cell that key presses act on, or null for the entire row. */
  readonly activeColumn: number | null;
  /** Index of the row where a range selection starts. */
  readonly anchorIndex: number;
  /** Counter that increases when another list opens, so that the view scrolls to `startRow`. */
  readonly listSerial: number;
  /** Index of the row at the top of the view when the list opens: 0, or the row of a restored position. */
  readonly startRow: number;
  /** Number of rows that the latest refresh inserted above the view. `serial` makes the view scroll once per shift. */
  readonly rowShift: { readonly rows: number; readonly serial: number };
}

/** Saved position in a list, including its selection. */
export interface GridPosition extends ListPosition {
  /** Row that key presses acted on, or null if the user had not moved to a row. */
  readonly active: { readonly index: number; readonly id: RowId } | null;
  readonly selection: RowSelection;
}

/** Returns the state of a grid before the first list is opened in it. */
export function initialGridState<Row, P extends ListPage<Row>>(): GridState<Row, P> {
  return {
    phase: 'opening',
    loading: true,
    error: null,
    total: 0,
    isExactTotal: true,
    firstPage: null,
    pages: new Map(),
    selection: activeRowSelection,
    activeIndex: 0,
    hasEntered: false,
    activeColumn: null,
    anchorIndex: 0,
    listSerial: 0,
    startRow: 0,
    rowShift: { rows: 0, serial: 0 },
  };
}

/** Returns the index of the first loaded row that satisfies the predicate, or null if none does. */
export function findRowIndex<Row>(pages: LoadedPages<Row>, predicate: (row: Row) => boolean): number | null {
  for (const [page, rows] of pages) {
    const offset = rows.findIndex(predicate);
    if (offset >= 0) return page * ROWS_PER_PAGE + offset;
  }
  return null;
}
