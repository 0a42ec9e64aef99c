import { useEffect, useState } from 'react';
import type { GridController, ListPage } from '../state/grid-controller.ts';
import type { RowId } from '../state/row-selection.ts';

/** Maximum number of selected rows that are read to calculate sums, chosen by judgment. */
export const MAX_SUMMED_ROWS = 2000;

/** Returns the explicitly selected rows with their latest values. */
export function useSelectedRows<Row, P extends ListPage<Row>>(grid: GridController<Row, P>): readonly Row[] {
  const [rows, setRows] = useState<readonly Row[]>([]);
  useEffect(() => {
    const seen = new Map<RowId, Row>();
    let latest = 0;
    const update = () => {
      const serial = ++latest;
      readSelection(grid, seen).then(
        (read) => {
          if (serial === latest) setRows(read);
        },
        // Ignores read errors, because the grid itself shows them.
        () => undefined,
      );
    };
    let before = grid.state.getState();
    if (before.selection.kind !== 'following') update();
    return grid.state.subscribe((state) => {
      const isUnchanged =
        state.selection === before.selection &&
        (state.pages === before.pages || state.selection.kind === 'following');
      // Forgets the rows read so far, because a refresh may have changed them.
      if (state.firstPage !== before.firstPage) seen.clear();
      before = state;
      if (!isUnchanged) update();
    });
  }, [grid]);
  return rows;
}

/** Reads the explicitly selected rows. `seen` contains the selected rows that have been read so far. */
async function readSelection<Row, P extends ListPage<Row>>(
  grid: GridController<Row, P>,
  seen: Map<RowId, Row>,
): Promise<readonly Row[]> {
  const { selection, pages } = grid.state.getState();
  if (selection.kind === 'following') return [];
  if (selection.kind === 'all') return await grid.readSelectedRows(MAX_SUMMED_ROWS);
  const { ids } = selection;
  const loaded = [...pages.values()].flat().filter((row) => ids.has(grid.idOf(row)));
  for (const row of loaded) seen.set(grid.idOf(row), row);
  // Reads the missing rows, because a range may include rows that were never visible.
  if ([...ids].some((id) => !seen.has(id))) {
    for (const row of await grid.readSelectedRows(MAX_SUMMED_ROWS)) seen.set(grid.idOf(row), row);
  }
  return [...ids].slice(0, MAX_SUMMED_ROWS).flatMap((id) => seen.get(id) ?? []);
}
