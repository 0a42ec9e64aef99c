import { useEffect } from 'react';
import { go } from '../view/view.ts';
import type { Grid, Page } from './controller.ts';

/**
 * Working through a list: when a decision takes the open row out of it, the detail goes on to the one that took its
 * place. One that was opened from elsewhere, and never stood in the list, stays open; so it does when the filter changes.
 */
export function useNextInLine<Row extends { readonly id: number }, P extends Page<Row>>(
  grid: Grid<Row, P>,
  item: string | null,
): void {
  useEffect(() => {
    if (item === null) return;
    const id = Number(item);
    const listed = () =>
      [...grid.state.getState().pages.values()].some((rows) => rows.some((row) => row.id === id));
    let was = { listed: listed(), lists: grid.state.getState().lists };
    return grid.state.subscribe((state) => {
      const now = { listed: listed(), lists: state.lists };
      const decided = was.listed && !now.listed && was.lists === now.lists && !state.loading;
      was = now;
      if (!decided) return;
      const next = state.total === 0 ? undefined : grid.rowAt(Math.max(0, state.active));
      go({ item: next ? String(next.id) : null }, true);
    });
  }, [grid, item]);
}
