import { guarded } from '../../domain/formula.ts';

/**
 * Rows as tab-separated text for a spreadsheet. What people or services wrote must never become a formula there, and
 * numbers of ours must arrive exactly.
 */

/** A cell: text that anybody may have written, or a number we wrote ourselves, taken as it is. */
export type Cell = { readonly text: string } | { readonly exact: string };

/** One line a row. Cells with tabs, line ends or quotes are quoted, quotes doubled. */
export function tsvOf(rows: readonly (readonly Cell[])[]): string {
  return rows.map((cells) => cells.map(written).join('\t')).join('\n');
}

function written(cell: Cell): string {
  if ('exact' in cell) return cell.exact;
  const text = guarded(cell.text);
  return /[\t\r\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
