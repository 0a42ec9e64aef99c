import { useEffect, useRef } from 'react';
import { navigate, useWindowState } from '../../navigation/window-state.ts';
import type { GridController, ListPage } from '../state/grid-controller.ts';

/** Delay in milliseconds before the detail shows the active row. A held key changes rows faster than details load. */
export const DETAIL_DEBOUNCE_MS = 70;

interface DetailFollowOptions {
  /** True if the detail opens without delay, because it loads quickly and the next key press acts on it. */
  readonly immediate?: boolean;
}

/**
 * Shows the active row in the open detail as the user moves through the list, but not after a refresh.
 * If the detail changes for another reason, for example the browser history, its row becomes active.
 */
export function useDetailSync<Row, P extends ListPage<Row>>(
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
    const openActiveRow = (startItem: string | null) => {
      const row = grid.activeRow();
      // Opening another item in the meantime, for example through the browser history, takes precedence.
      if (row === undefined || useWindowState.getState().route.item !== startItem) return;
      openedItem.current = itemOf(row);
      navigate({ item: openedItem.current }, true);
    };
    const unsubscribe = grid.state.subscribe((state) => {
      const hasMoved = state.activeIndex !== before.activeIndex || state.hasEntered !== before.hasEntered;
      const isSameList = state.firstPage === before.firstPage;
      before = state;
      if (!hasMoved || !isSameList) return;
      clearTimeout(timer);
      const startItem = useWindowState.getState().route.item;
      if (immediate) openActiveRow(startItem);
      else timer = setTimeout(openActiveRow, DETAIL_DEBOUNCE_MS, startItem);
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
