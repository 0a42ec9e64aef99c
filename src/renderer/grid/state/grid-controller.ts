import { createStore } from 'zustand/vanilla';
import type { ListSort } from '../../navigation/address.ts';
import type { GridColumn } from '../columns/column-layout.ts';
import { createRowSearch, findFirstSorted } from './find-row.ts';
import { findRowIndex, type GridPosition, type GridState, initialGridState } from './grid-state.ts';
import { ListLoader } from './list-loader.ts';
import type { ListPage, ListSource } from './list-reader.ts';
import {
  activeRowSelection,
  allRowsSelection,
  countSelectedRows,
  isRowSelected,
  type RowId,
  selectRows,
  toggleRowSelection,
} from './row-selection.ts';
import { clampRowIndex, type RowRange } from './scroll-geometry.ts';

export type { GridPosition, GridState } from './grid-state.ts';
export type { ListPage, ListSource } from './list-reader.ts';

/** Title, columns, filter and sort order of the list that a view shows. */
export interface ShownList<Row> {
  readonly title: string;
  /** Visible columns in the user's order. */
  readonly columns: readonly GridColumn<Row>[];
  /** Sentences that state the filter. Empty if the list is not filtered. */
  readonly filters: readonly string[];
  readonly sort: ListSort | undefined;
}

/** Operations on one grid, shared by screens, commands and `GridView`. */
export type GridController<Row, P extends ListPage<Row> = ListPage<Row>> = ReturnType<
  typeof createGridController<Row, P>
>;

/** Creates the state and operations of one grid. `GridView` renders it. */
export function createGridController<Row, P extends ListPage<Row> = ListPage<Row>>(
  idOf: (row: Row) => RowId,
) {
  const state = createStore<GridState<Row, P>>(initialGridState);
  const loader = new ListLoader(state, idOf);
  const { getState, setState } = state;

  let shownList: ShownList<Row> | null = null;
  const findNext = createRowSearch(loader);

  const rowAt = (index: number) => loader.rowAt(index);
  const activeRow = () => (getState().hasEntered ? rowAt(getState().activeIndex) : undefined);
  const activeId = () => {
    const row = activeRow();
    return row === undefined ? null : idOf(row);
  };

  return {
    state,
    idOf,
    rowAt,
    activeRow,
    /** Returns the index of the first loaded row that satisfies the predicate, or null if none does. */
    findLoadedIndex: (predicate: (row: Row) => boolean) => findRowIndex(getState().pages, predicate),
    /** Shows a list. A different list opens at its start, or at the given position. */
    showList: (source: ListSource<Row, P>, position: GridPosition | null = null) =>
      loader.show(source, position),
    /** Returns the current position in the list, to be restored later, or null while the list is opening. */
    position: () => loader.position(),
    refresh: () => void loader.refresh(),
    /** Sets the range of visible rows and loads missing pages. */
    setVisibleRows: (rows: RowRange) => loader.setVisibleRows(rows),
    moveToRow(index: number) {
      const active = clampRowIndex(index, getState().total);
      setState((before) => ({
        activeIndex: active,
        anchorIndex: active,
        hasEntered: true,
        activeColumn: before.activeIndex < 0 ? null : before.activeColumn,
      }));
    },
    moveToHeader: () =>
      setState(({ activeColumn }) => ({ activeIndex: -1, activeColumn: activeColumn ?? 0 })),
    moveToColumn: (column: number | null) => setState({ activeColumn: column }),
    /** Selects all rows from the start of the range selection to this row. Reads missing rows first. */
    async extendSelectionTo(index: number) {
      const { anchorIndex, total } = getState();
      const to = clampRowIndex(index, total);
      setState({ activeIndex: to, hasEntered: true });
      const range = { first: Math.min(anchorIndex, to), last: Math.max(anchorIndex, to) };
      const ids = await loader.readIds(range);
      // Stops if the user has moved to another row during a long read.
      if (ids === null || getState().activeIndex !== to) return;
      setState({ selection: selectRows(ids) });
    },
    toggleRow(index: number, byClick = false) {
      const row = rowAt(index);
      if (row === undefined) return;
      const selection = toggleRowSelection(getState().selection, idOf(row), activeId(), byClick);
      setState({ selection, activeIndex: index, anchorIndex: index, hasEntered: true });
    },
    selectAll() {
      if (getState().total > 0) setState({ selection: allRowsSelection });
    },
    clearSelection: () => setState({ selection: activeRowSelection }),
    /**
     * Finds the next row that satisfies the predicate, from the active row on (or the row after it) and then from the first
     * row. `done` is its index, or null if there is none. Ends an earlier search, which then returns null.
     */
    findNextIndex: (predicate: (row: Row) => boolean, { afterActive }: { readonly afterActive: boolean }) =>
      findNext(() => getSearchStart(getState(), afterActive), predicate),
    /** Returns the index of the first row that satisfies the predicate, if all later rows satisfy it too; else null. */
    findSortedIndex: (nullsLast: boolean, predicate: (row: Row) => boolean | null) =>
      findFirstSorted(loader, { total: getState().total, nullsLast }, predicate),
    readAllRows: (signal: AbortSignal) => loader.readAllRows(signal),
    /** Sets the title, columns, filter and sort order that exports and prints state. */
    setShownList(shown: ShownList<Row> | null) {
      shownList = shown;
    },
    shownList: () => shownList,
    selectedCount: () => countSelectedRows(getState().selection, getState().total, activeId()),
    /** Returns up to `limit` selected rows in list order. Reads missing rows first. */
    async readSelectedRows(limit: number): Promise<Row[]> {
      const { selection, total } = getState();
      const active = activeRow();
      if (selection.kind === 'following') return active === undefined ? [] : [active];
      const count = Math.min(limit, countSelectedRows(selection, total, null));
      const loaded = selection.kind === 'some' ? loadedRowsWithIds(getState(), idOf, selection.ids) : [];
      if (loaded.length === count) return loaded;
      const found = selection.kind === 'some' ? await loader.readById([...selection.ids]) : null;
      if (found !== null) return found.slice(0, count);
      const all = loader.readRows({ first: 0, last: total - 1 });
      return await takeMatching(all, count, (row) => isRowSelected(selection, idOf(row), null));
    },
  };
}

function getSearchStart(
  { activeIndex, total }: { activeIndex: number; total: number },
  afterActive: boolean,
) {
  return { start: (Math.max(0, activeIndex) + (afterActive ? 1 : 0)) % Math.max(1, total), total };
}

/** Returns the first `count` rows that satisfy the predicate. */
async function takeMatching<Row>(
  rows: AsyncIterable<Row>,
  count: number,
  predicate: (row: Row) => boolean,
): Promise<Row[]> {
  const taken: Row[] = [];
  for await (const row of rows) {
    if (taken.length >= count) break;
    if (predicate(row)) taken.push(row);
  }
  return taken;
}

/** Returns the loaded rows with the given ids, in list order. */
function loadedRowsWithIds<Row>(
  { pages }: Pick<GridState<Row>, 'pages'>,
  idOf: (row: Row) => RowId,
  ids: ReadonlySet<RowId>,
): Row[] {
  const ordered = [...pages].sort(([a], [b]) => a - b);
  return ordered.flatMap(([, rows]) => rows.filter((row) => ids.has(idOf(row))));
}
