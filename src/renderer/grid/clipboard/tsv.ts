import { escapeSpreadsheetFormula } from '../../../domain/csv/escape-formula.ts';
import type { CopyableCell } from '../columns/column-layout.ts';

/** Formats rows as tab-separated text. Texts are escaped so that a spreadsheet never reads a formula. */
export function formatTsv(rows: readonly (readonly CopyableCell[])[]): string {
  return rows.map((cells) => cells.map(formatTsvCell).join('\t')).join('\n');
}

function formatTsvCell(cell: CopyableCell): string {
  if ('exact' in cell) return cell.exact;
  const text = escapeSpreadsheetFormula(cell.text);
  return /[\t\r\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns the plain text of a cell to be copied. */
export function copyCellText(cell: CopyableCell): string {
  return 'exact' in cell ? cell.exact : cell.text;
}
