import { guardFormula } from '../../../domain/csv/formula-guard.ts';
import type { CopyCell } from '../columns/columns.ts';

/**
 * Formats rows as tab-separated text, one line per row. Cells that contain tabs, line breaks, or quotes are quoted. Text
 * is escaped so that a spreadsheet never reads it as a formula; exact numbers are written unchanged.
 */
export function formatTsv(rows: readonly (readonly CopyCell[])[]): string {
  return rows.map((cells) => cells.map(formatTsvCell).join('\t')).join('\n');
}

function formatTsvCell(cell: CopyCell): string {
  if ('exact' in cell) return cell.exact;
  const text = guardFormula(cell.text);
  return /[\t\r\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns the plain text of a cell to be copied. */
export function copyCellText(cell: CopyCell): string {
  return 'exact' in cell ? cell.exact : cell.text;
}
