import { escapeSpreadsheetFormula } from '../csv/escape-formula.ts';
import type { Cents } from '../ledger/index.ts';

/** Type of a column of an export. Cells of `amount` are cents, and are written as amounts with two decimals. */
export type ExportColumnType = 'text' | 'date' | 'number' | 'amount';

export type ExportCell = string | number | null;

/** Text format of an exported table. Each row is one line, because line breaks within cells are replaced by spaces. */
export interface DelimitedFormat {
  readonly delimiter: string;
  readonly decimalSymbol: '.' | ',';
  /** Character around text that contains the delimiter; null if the delimiter is replaced by a space instead. */
  readonly textEncapsulator: '"' | null;
}

/** Returns cents as an amount with two decimals and without grouping, for example `-1234,50`. */
export function formatExportAmount(cents: Cents, decimalSymbol: '.' | ','): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}${decimalSymbol}${digits.slice(-2)}`;
}

/** Returns one row, including the line break. Text that a spreadsheet could execute is prefixed with `'`. */
export const formatExportRow = (
  cells: readonly ExportCell[],
  types: readonly ExportColumnType[],
  format: DelimitedFormat,
): string =>
  `${cells.map((cell, at) => formatCell(cell, types[at] ?? 'text', format)).join(format.delimiter)}\r\n`;

function formatCell(
  cell: ExportCell,
  type: ExportColumnType,
  { delimiter, decimalSymbol, textEncapsulator }: DelimitedFormat,
): string {
  if (cell === null) return '';
  if (type === 'amount') return formatExportAmount(Number(cell), decimalSymbol);
  if (type !== 'text') return String(cell);
  const line = escapeSpreadsheetFormula(String(cell).replaceAll(/\s*[\r\n\u2028\u2029]+\s*/g, ' '));
  if (textEncapsulator === null) return line.replaceAll(delimiter, ' ');
  const isPlain = !line.includes(delimiter) && !line.includes(textEncapsulator);
  return isPlain
    ? line
    : `${textEncapsulator}${line.replaceAll(textEncapsulator, textEncapsulator.repeat(2))}${textEncapsulator}`;
}
