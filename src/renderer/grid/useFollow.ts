import { useEffect } from 'react';
import { go } from '../view/view.ts';
import type { Grid, Page } from './controller.ts';

/** Keys repeat faster than details can be read. */
const PAUSE_MS = 70;

/**
 * While a detail is open beside the list, it shows the active row as the user moves it. A list that begins anew, or
 * rows that come and go beneath it, leave the detail as it is.
 */
export function useFollow<Row, P extends Page<Row>>(
  grid: Grid<Row, P>,
  open: boolean,
  itemOf: (row: Row) => string,
): void {
  useEffect(() => {
    if (!open) return;
    let from = grid.state.getState();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = grid.state.subscribe((state) => {
      const moved = state.active !== from.active && state.first === from.first;
      from = state;
      if (!moved) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        const row = grid.activeRow();
        if (row !== undefined) go({ item: itemOf(row) }, true);
      }, PAUSE_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [grid, open, itemOf]);
}
