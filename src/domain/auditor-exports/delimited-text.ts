import type { Cents } from '../ledger/index.ts';

/** Type of a column of an export. Cells of `amount` are cents, and are written as amounts with two decimals. */
export type ExportColumnType = 'text' | 'date' | 'number' | 'amount';

export type ExportCell = string | number | null;

/** Text format of an exported table. */
export interface DelimitedFormat {
  readonly delimiter: string;
  readonly decimalSymbol: '.' | ',';
}

/** Character around text that contains the delimiter, this character or a line break. Within such text it is doubled. */
const TEXT_ENCAPSULATOR = '"';

/** Sentences for the description of an export. */
export const UNCHANGED_TEXT_NOTE =
  'Texts are exported unchanged. A text with the delimiter, a double quote or a line break is enclosed in double quotes, and its double quotes are doubled. ' +
  'Import the tables as text. Do not open them in a spreadsheet, which may run texts as formulas.';

/** Returns cents as an amount with two decimals and without grouping, for example `-1234,50`. */
export function formatExportAmount(cents: Cents, decimalSymbol: '.' | ','): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}${decimalSymbol}${digits.slice(-2)}`;
}

/** Returns one row, including the line break. Texts are unchanged, because audit programs import them as data. */
export const formatExportRow = (
  cells: readonly ExportCell[],
  types: readonly ExportColumnType[],
  format: DelimitedFormat,
): string =>
  `${cells.map((cell, at) => formatCell(cell, types[at] ?? 'text', format)).join(format.delimiter)}\r\n`;

function formatCell(
  cell: ExportCell,
  type: ExportColumnType,
  { delimiter, decimalSymbol }: DelimitedFormat,
): string {
  if (cell === null) return '';
  if (type === 'amount') return formatExportAmount(Number(cell), decimalSymbol);
  const text = String(cell);
  const isPlain = ![delimiter, TEXT_ENCAPSULATOR, '\r', '\n'].some((special) => text.includes(special));
  return isPlain
    ? text
    : `${TEXT_ENCAPSULATOR}${text.replaceAll(TEXT_ENCAPSULATOR, TEXT_ENCAPSULATOR.repeat(2))}${TEXT_ENCAPSULATOR}`;
}
