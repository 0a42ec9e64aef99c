import { useEffect } from 'react';
import { navigate } from '../../navigation/window-state.ts';
import type { GridController, ListPage } from '../state/grid-controller.ts';

/** Opens the next row when a decision removes the open row from its list. A filter change leaves the row open. */
export function useOpenNextRow<Row extends { readonly id: number }, P extends ListPage<Row>>(
  grid: GridController<Row, P>,
  item: string | null,
): void {
  useEffect(() => {
    if (item === null) return;
    const id = Number(item);
    const isListed = () =>
      [...grid.state.getState().pages.values()].some((rows) => rows.some((row) => row.id === id));
    let before = { isListed: isListed(), listSerial: grid.state.getState().listSerial };
    return grid.state.subscribe((state) => {
      const now = { isListed: isListed(), listSerial: state.listSerial };
      const isRemoved =
        before.isListed && !now.isListed && before.listSerial === now.listSerial && !state.loading;
      before = now;
      if (!isRemoved) return;
      const next = state.total === 0 ? undefined : grid.rowAt(Math.max(0, state.activeIndex));
      navigate({ item: next ? String(next.id) : null }, true);
    });
  }, [grid, item]);
}
