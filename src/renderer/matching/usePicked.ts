import { useEffect, useState } from 'react';
import type { Grid, Page } from '../grid/controller.ts';

/** More than these are not put into one match by hand. */
const MOST = 2000;

/** The rows ticked in a list, kept up to date; the row the keys are on is none until it is ticked. */
export function usePicked<Row, P extends Page<Row>>(grid: Grid<Row, P>): readonly Row[] {
  const [picked, setPicked] = useState<readonly Row[]>([]);
  useEffect(() => {
    let serial = 0;
    let before = grid.state.getState().selection;
    const read = async () => {
      const mine = ++serial;
      const rows = before.kind === 'following' ? [] : await grid.selectedRows(MOST);
      if (mine === serial) setPicked(rows);
    };
    return grid.state.subscribe(({ selection }) => {
      if (selection === before) return;
      before = selection;
      // A row that cannot be read is shown as an error by its list.
      read().catch(() => undefined);
    });
  }, [grid]);
  return picked;
}
