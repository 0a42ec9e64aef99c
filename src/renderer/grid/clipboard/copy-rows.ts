import type { MenuEntry } from '../../controls/menu.tsx';
import { showNotice } from '../../navigation/window-state.ts';
import { texts } from '../../texts/texts.ts';
import type { GridColumn } from '../columns/column-layout.ts';
import type { GridController, ListPage } from '../state/grid-controller.ts';
import { writeTableToClipboard } from './copy-table.ts';
import { copyCellText } from './tsv.ts';

/** Maximum number of rows that can be copied, chosen by judgment. Users export larger lists instead. */
const MAX_COPIED_ROWS = 100_000;

/** Copies the selected rows to the clipboard. If there is more than one row, a header row is added. */
export async function copySelectedRows<Row, P extends ListPage<Row>>(
  grid: GridController<Row, P>,
  columns: readonly GridColumn<Row>[],
): Promise<void> {
  const rows = await grid.readSelectedRows(MAX_COPIED_ROWS);
  const header = columns.map((column) => ({ text: column.title }));
  const lines = rows.map((row) => columns.map((column) => column.copy(row)));
  const hasHeader = rows.length > 1;
  await writeTableToClipboard(hasHeader ? [header, ...lines] : lines, hasHeader);
  showNotice(texts.grid.copied(rows.length));
}

/** Returns the menu entries that copy the clicked cell's value or the selected rows. */
export function createCopyMenuEntries<Row, P extends ListPage<Row>>(
  grid: GridController<Row, P>,
  columns: readonly GridColumn<Row>[],
  row: Row,
  column: GridColumn<Row> | null,
): MenuEntry[] {
  const text = column ? copyCellText(column.copy(row)) : '';
  const rowsEntry: MenuEntry = {
    id: 'copyRows',
    label: texts.grid.copyRows(grid.selectedCount()),
    run: () => void copySelectedRows(grid, columns),
  };
  return text === '' ? [rowsEntry] : [createCopyCellEntry(text), rowsEntry];
}

/** Returns the menu entry that copies the value of one cell. */
export function createCopyCellEntry(text: string): MenuEntry {
  return {
    id: 'copyCell',
    label: texts.grid.copyCell,
    run: () => void navigator.clipboard.writeText(text),
  };
}
