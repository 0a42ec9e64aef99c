import { useEffect, useRef } from 'react';
import { go, useView } from '../view/view.ts';
import type { Grid, Page } from './controller.ts';

/** Keys repeat faster than details can be read. */
export const PAUSE_MS = 70;

interface FollowWays {
  /** Where what is shown costs little, and the next key acts on it. */
  readonly atOnce?: boolean;
}

/**
 * While a detail is open beside the list, it shows the active row as the user comes to the list and moves in it. A list that begins anew, or
 * rows that come and go beneath it, leave the detail as it is. Where the detail goes on by itself (find in the next PDF, the way back),
 * the list marks its row, as far as that is loaded.
 */
export function useFollow<Row, P extends Page<Row>>(
  grid: Grid<Row, P>,
  open: boolean,
  itemOf: (row: Row) => string,
  { atOnce = false }: FollowWays = {},
): void {
  const item = useView((view) => view.route.item);
  /** Where the list itself has led: keys may be ahead of the detail. */
  const led = useRef<string | null>(null);
  useEffect(() => {
    if (!open) return;
    let from = grid.state.getState();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follow = () => {
      const row = grid.activeRow();
      if (row === undefined) return;
      led.current = itemOf(row);
      go({ item: led.current }, true);
    };
    const stop = grid.state.subscribe((state) => {
      const moved =
        (state.active !== from.active || state.entered !== from.entered) && state.first === from.first;
      from = state;
      if (!moved) return;
      clearTimeout(timer);
      if (atOnce) follow();
      else timer = setTimeout(follow, PAUSE_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [grid, open, itemOf, atOnce]);
  useEffect(() => {
    if (!open || item === null || item === led.current) return;
    const active = grid.activeRow();
    if (active !== undefined && itemOf(active) === item) return;
    const index = grid.indexOf((row) => itemOf(row) === item);
    if (index !== null) grid.moveTo(index);
  }, [grid, open, item, itemOf]);
}
