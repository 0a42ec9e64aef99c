import type { MenuEntry } from '../controls/menu.tsx';
import { notify } from '../view/view.ts';
import { words } from '../words/words.ts';
import type { Column } from './columns.ts';
import type { Grid, Page } from './controller.ts';
import { writeTable } from './table.ts';

/** More does not go through a clipboard well; exports are for that. */
const MOST = 100_000;

/** Puts the selected rows on the clipboard, with the titles above them where they are several. */
export async function copyRows<Row, P extends Page<Row>>(
  grid: Grid<Row, P>,
  columns: readonly Column<Row>[],
): Promise<void> {
  const picked = await grid.selectedRows(MOST);
  const head = columns.map((column) => ({ text: column.title }));
  const lines = picked.map((row) => columns.map((column) => column.copy(row)));
  await writeTable(picked.length > 1 ? [head, ...lines] : lines, picked.length > 1);
  notify(words.grid.copied(picked.length));
}

/** Copying, as a row's menu offers it: the value under the pointer, and the rows. */
export function copyEntries<Row, P extends Page<Row>>(
  grid: Grid<Row, P>,
  columns: readonly Column<Row>[],
  row: Row,
  column: Column<Row> | null,
): MenuEntry[] {
  const value = column?.copy(row);
  const text = value && ('exact' in value ? value.exact : value.text);
  const rows: MenuEntry = {
    id: 'copyRows',
    label: words.grid.copyRows(grid.count()),
    run: () => void copyRows(grid, columns),
  };
  if (!text) return [rows];
  const cell: MenuEntry = {
    id: 'copyCell',
    label: words.grid.copyCell,
    run: () => void navigator.clipboard.writeText(text),
  };
  return [cell, rows];
}
