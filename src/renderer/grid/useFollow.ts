import { useEffect, useRef } from 'react';
import { go, useView } from '../view/view.ts';
import type { Grid, Page } from './controller.ts';

/** Keys repeat faster than details can be read. */
const PAUSE_MS = 70;

/**
 * While a detail is open beside the list, it shows the active row as the user moves it. A list that begins anew, or
 * rows that come and go beneath it, leave the detail as it is. Where the detail goes on by itself (find in the next PDF, the way back),
 * the list marks its row, as far as that is loaded.
 */
export function useFollow<Row, P extends Page<Row>>(
  grid: Grid<Row, P>,
  open: boolean,
  itemOf: (row: Row) => string,
): void {
  const item = useView((view) => view.route.item);
  /** Where the list itself has led: keys may be ahead of the detail. */
  const led = useRef<string | null>(null);
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
        if (row === undefined) return;
        led.current = itemOf(row);
        go({ item: led.current }, true);
      }, PAUSE_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [grid, open, itemOf]);
  useEffect(() => {
    if (!open || item === null || item === led.current) return;
    const active = grid.activeRow();
    if (active !== undefined && itemOf(active) === item) return;
    const index = grid.indexOf((row) => itemOf(row) === item);
    if (index !== null) grid.moveTo(index);
  }, [grid, open, item, itemOf]);
}
