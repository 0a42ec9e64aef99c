import { useEffect, useState } from 'react';
import type { Grid, Page } from './controller.ts';
import type { Id } from './selection.ts';

/** More than these are not read for having been ticked. */
export const MOST_PICKED = 2000;

/**
 * The rows ticked in a list, kept up to date; the row the keys are on is none until it is ticked. One that was ticked under another
 * search is remembered as it was seen.
 */
export function usePicked<Row, P extends Page<Row>>(grid: Grid<Row, P>): readonly Row[] {
  const [picked, setPicked] = useState<readonly Row[]>([]);
  useEffect(() => {
    const seen = new Map<Id, Row>();
    let serial = 0;
    const read = async (): Promise<readonly Row[]> => {
      const { selection, pages } = grid.state.getState();
      if (selection.kind === 'following') return [];
      if (selection.kind === 'all') return await grid.selectedRows(MOST_PICKED);
      for (const row of [...pages.values()].flat())
        if (selection.ids.has(grid.idOf(row))) seen.set(grid.idOf(row), row);
      // A range may reach over rows that were never in view.
      if ([...selection.ids].some((id) => !seen.has(id))) {
        for (const row of await grid.selectedRows(MOST_PICKED)) seen.set(grid.idOf(row), row);
      }
      return [...selection.ids].slice(0, MOST_PICKED).flatMap((id) => seen.get(id) ?? []);
    };
    const tell = async () => {
      const mine = ++serial;
      const rows = await read();
      if (mine === serial) setPicked(rows);
    };
    // A row that cannot be read is shown as an error by its list.
    const told = () => void tell().catch(() => undefined);
    let before = grid.state.getState();
    if (before.selection.kind !== 'following') told();
    return grid.state.subscribe((state) => {
      const same =
        state.selection === before.selection &&
        (state.pages === before.pages || state.selection.kind === 'following');
      before = state;
      if (!same) told();
    });
  }, [grid]);
  return picked;
}
