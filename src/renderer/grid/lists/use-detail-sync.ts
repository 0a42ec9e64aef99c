import { useEffect, useRef } from 'react';
import { navigate, useWindowState } from '../../navigation/window-state.ts';
import type { GridController, ListPage } from '../state/grid-controller.ts';

/** Delay before the detail follows the active row. Keys repeat faster than details can be read. */
export const DETAIL_DEBOUNCE_MS = 70;

interface DetailFollowOptions {
  /** True if the detail is cheap to show and the next key acts on it. */
  readonly immediate?: boolean;
}

/**
 * While a detail is open, shows the active row in it as the user moves through the list. Opening another list and refreshes leave the
 * detail unchanged. If the detail changes for another reason (search in the next PDF, browser history), its row becomes active if it is
 * loaded.
 */
export function useDetailFollowsActiveRow<Row, P extends ListPage<Row>>(
  grid: GridController<Row, P>,
  isOpen: boolean,
  itemOf: (row: Row) => string,
  { immediate = false }: DetailFollowOptions = {},
): void {
  const item = useWindowState((state) => state.route.item);
  /** Last item opened by this hook. The active row may already be further ahead. */
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
