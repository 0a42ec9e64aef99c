import { useEffect, useState } from 'react';
import { create } from 'zustand';
import { useBackend } from '../../backend-client/backend-hooks.ts';
import { isQueryInvalidatedBy, type ProcedureName } from '../../backend-client/procedures.ts';
import { findListPosition, trackListPosition } from '../../navigation/list-positions.ts';
import {
  createGridController,
  type GridController,
  type GridPosition,
  type ListPage,
  type ListSource,
} from '../state/grid-controller.ts';
import type { RowId } from '../state/row-selection.ts';

/** Grids of the current screen by name, for use by commands. */
export const useGridRegistry = create<Readonly<Record<string, GridController<never>>>>(() => ({}));

/** Returns the grid with the given name if it has the focus; otherwise null. */
export function getFocusedGrid(name: string): GridController<never> | null {
  const grid = useGridRegistry.getState()[name];
  return grid !== undefined && document.activeElement?.getAttribute('data-grid') === name ? grid : null;
}

interface GridHookOptions<Row, P extends ListPage<Row>> {
  /** Name of the grid, used by commands and stored settings. */
  readonly name: string;
  readonly source: ListSource<Row, P>;
  readonly idOf: (row: Row) => RowId;
  /** Contract procedure that returns the list. Changes to its data refresh the grid. */
  readonly procedure: ProcedureName;
  readonly query: { readonly site: string };
}

/** Minimum time between two refreshes while many changes arrive, in milliseconds. Chosen by judgment. */
const MIN_REFRESH_INTERVAL_MS = 700;

/** Returns a grid that shows the source's rows and refreshes the visible rows when the backend reports changes. */
export function useGrid<Row, P extends ListPage<Row>>(
  options: GridHookOptions<Row, P>,
): GridController<Row, P> {
  const { changes } = useBackend();
  const { name, source, idOf, procedure, query } = options;
  const queryKey = JSON.stringify(query);
  const [grid] = useState(() => createGridController<Row, P>(idOf));

  useEffect(() => {
    useGridRegistry.setState({ [name]: grid as unknown as GridController<never> });
    return () => useGridRegistry.setState(({ [name]: _, ...others }) => others, true);
  }, [name, grid]);

  useEffect(
    () => grid.showList(source, findListPosition<GridPosition>(name, source.key)),
    [grid, name, source],
  );
  useEffect(() => trackListPosition(name, () => grid.position()), [grid, name]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    let lastRefresh = 0;
    const input: unknown = JSON.parse(queryKey);
    const refresh = () => {
      timer = null;
      lastRefresh = Date.now();
      grid.refresh();
    };
    const unsubscribe = changes.subscribe((change) => {
      if (timer || !(change === 'everything' || isQueryInvalidatedBy(change, procedure, input))) return;
      timer = setTimeout(refresh, Math.max(0, lastRefresh + MIN_REFRESH_INTERVAL_MS - Date.now()));
    });
    return () => {
      unsubscribe();
      if (timer) clearTimeout(timer);
    };
  }, [changes, grid, procedure, queryKey]);

  return grid;
}
