import { escapeSpreadsheetFormula } from '../../../domain/csv/escape-formula.ts';
import { showNotice } from '../../navigation/window-state.ts';
import { texts } from '../../texts/texts.ts';
import type { CopyableCell } from '../columns/column-layout.ts';
import { formatTsv } from './tsv.ts';

/** Table to copy to the clipboard. By default, the first row is the header. */
export type CopyableTable = readonly (readonly CopyableCell[])[];

/** Maximum number of rows that are also copied as HTML, chosen by judgment. Longer tables are copied as text only. */
const MAX_HTML_ROWS = 5_000;

/** Formats a table as HTML. Escapes formulas in texts, because spreadsheets also read HTML. */
export function formatHtmlTable(table: CopyableTable, hasHeader = true): string {
  const rows = table.map((cells, index) => {
    const tag = hasHeader && index === 0 ? 'th' : 'td';
    return `<tr>${cells.map((cell) => formatHtmlCell(cell, tag)).join('')}</tr>`;
  });
  return `<table>${rows.join('')}</table>`;
}

function formatHtmlCell(cell: CopyableCell, tag: 'th' | 'td'): string {
  if ('exact' in cell) return `<${tag} align="right">${escapeHtml(cell.exact)}</${tag}>`;
  return `<${tag}>${escapeHtml(escapeSpreadsheetFormula(cell.text)).replaceAll('\n', '<br>')}</${tag}>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Copies a table to the clipboard as text and HTML. @throws if the browser denies access to the clipboard. */
export async function writeTableToClipboard(table: CopyableTable, hasHeader = true): Promise<void> {
  const part = (type: string, text: string) => ({ [type]: new Blob([text], { type }) });
  await navigator.clipboard.write([
    new ClipboardItem({
      ...part('text/plain', formatTsv(table)),
      ...(table.length <= MAX_HTML_ROWS ? part('text/html', formatHtmlTable(table, hasHeader)) : {}),
    }),
  ]);
}

/** Copies a table and shows a notice that reports success or failure. */
export async function copyTableAndNotify(table: CopyableTable): Promise<void> {
  try {
    await writeTableToClipboard(table);
    showNotice(texts.grid.copied(table.length - 1));
  } catch {
    showNotice(texts.controls.noClipboard, 'bad');
  }
}

/** Handles the browser's copy event by copying the table. Selected text takes precedence. */
export function handleCopyEvent(event: React.ClipboardEvent, createTable: () => CopyableTable): void {
  if (getSelection()?.isCollapsed === false) return;
  const table = createTable();
  event.preventDefault();
  event.clipboardData.setData('text/plain', formatTsv(table));
  event.clipboardData.setData('text/html', formatHtmlTable(table));
  showNotice(texts.grid.copied(table.length - 1));
}
