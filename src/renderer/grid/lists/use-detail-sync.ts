import { useEffect, useRef } from 'react';
import { navigate, useWindowState } from '../../navigation/window-state.ts';
import type { GridController, ListPage } from '../state/grid-controller.ts';

/**
 * Delay before the detail shows the newly active row. While a key is held down, rows change faster than details can load.
 */
export const DETAIL_DEBOUNCE_MS = 70;

interface DetailFollowOptions {
  /** True if the detail loads quickly and the next key press acts on it. */
  readonly immediate?: boolean;
}

/**
 * While a detail is open, shows the active row in it as the user moves through the list. Refreshes and switching to
 * another list leave the detail unchanged. If the detail changes for another reason, for example through the browser
 * history, its row becomes active if it is loaded.
 */
export function useDetailFollowsActiveRow<Row, P extends ListPage<Row>>(
  grid: GridController<Row, P>,
  isOpen: boolean,
  itemOf: (row: Row) => string,
  { immediate = false }: DetailFollowOptions = {},
): void {
  const item = useWindowState((state) => state.route.item);
  /** Last item that this hook opened. The user may already have moved further in the list. */
  const openedItem = useRef<string | null>(null);
  useEffect(() => {
    if (!isOpen) return;
    let before = grid.state.getState();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const openActiveRow = () => {
      const row = grid.activeRow();
      if (row === undefined) return;
      openedItem.current = itemOf(row);
      navigate({ item: openedItem.current }, true);
    };
    const unsubscribe = grid.state.subscribe((state) => {
      const hasMoved = state.activeIndex !== before.activeIndex || state.hasEntered !== before.hasEntered;
      const isSameList = state.firstPage === before.firstPage;
      before = state;
      if (!hasMoved || !isSameList) return;
      clearTimeout(timer);
      if (immediate) openActiveRow();
      else timer = setTimeout(openActiveRow, DETAIL_DEBOUNCE_MS);
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [grid, isOpen, itemOf, immediate]);
  useEffect(() => {
    if (!isOpen || item === null || item === openedItem.current) return;
    const active = grid.activeRow();
    if (active !== undefined && itemOf(active) === item) return;
    const index = grid.findLoadedIndex((row) => itemOf(row) === item);
    if (index !== null) grid.moveToRow(index);
  }, [grid, isOpen, item, itemOf]);
}
