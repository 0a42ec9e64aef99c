import { useCallback } from 'react';
import { type ListSort, useListSort } from '../grid/columns/use-list-sort.ts';
import { useDetailSync } from '../grid/lists/use-detail-sync.ts';
import {
  type ListProcedure,
  type PagedListOptions,
  type ProcedureListPage,
  type ProcedureListRow,
  usePagedList,
} from '../grid/lists/use-paged-list.ts';
import type { GridController, ListPage } from '../grid/state/grid-controller.ts';
import type { RowId } from '../grid/state/row-selection.ts';
import type { FilterableScreen } from '../navigation/list-filters.ts';
import { useWindowState } from '../navigation/window-state.ts';

interface ScreenListOptions<P extends ListProcedure>
  extends Pick<PagedListOptions<P>, 'procedure' | 'marksProcedure'> {
  /** Screen whose filter applies to the list. Its name also identifies the grid and its stored sort order. */
  readonly screen: FilterableScreen;
  readonly site: string;
  /** Sort keys that the list supports. The first one is the default. */
  readonly sortKeys: readonly [string, ...string[]];
  /** Returns a row's id, which is also its item in the route. Must be declared outside the component. */
  readonly idOf: (row: ProcedureListRow<P>) => RowId;
  /** True if the detail pane shows a row of the list. */
  readonly isDetailOpen: boolean;
  readonly input?: Partial<PagedListOptions<P>['query']>;
}

/** List of a screen: its grid, its sort order, and whether one of its rows is open in the detail pane. */
export interface ScreenList<Row, P extends ListPage<Row>> {
  readonly grid: GridController<Row, P>;
  readonly sort: ListSort;
  readonly onSort: (sort: ListSort) => void;
  readonly isDetailOpen: boolean;
  readonly itemOf: (row: Row) => string;
}

/** Returns a screen's list with the user's filter and sort order. The open detail follows the active row. */
export function useScreenList<P extends ListProcedure>(
  options: ScreenListOptions<P>,
): ScreenList<ProcedureListRow<P>, ProcedureListPage<P>> {
  const { screen, site, procedure, marksProcedure, sortKeys, idOf, isDetailOpen, input } = options;
  const filter = useWindowState((state) => state.filters[screen]);
  const [sort, onSort] = useListSort(screen, sortKeys);
  const query = { site, filter, sort, ...input } as unknown as PagedListOptions<P>['query'];
  const grid = usePagedList({
    name: screen,
    procedure,
    query,
    idOf,
    ...(marksProcedure && { marksProcedure }),
  });
  const itemOf = useCallback((row: ProcedureListRow<P>) => String(idOf(row)), [idOf]);
  useDetailSync(grid, isDetailOpen, itemOf);
  return { grid, sort, onSort, isDetailOpen, itemOf };
}
