import type { CellValue, ColumnDef } from 'hucre/xlsx';
import { formatCsvRow } from '../../../domain/csv/csv-row.ts';
import { copyCellText } from '../clipboard/tsv.ts';
import type { CopyableCell } from '../columns/column-layout.ts';

/** Content of an exported or printed list: its title and facts, its visible columns and its rows. */
export interface ListContent {
  readonly title: string;
  /** Labels and values that state the site, the filter, the sort order and the time of the export. */
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly columns: readonly string[];
  /** Rows in the order of the list, in batches. Each batch is read when it is requested. */
  readonly batches: AsyncIterable<readonly (readonly CopyableCell[])[]>;
}

/** Maximum number of characters that a CSV file yields at once. Chosen by judgment. */
const CSV_PIECE_CHARACTERS = 256 * 1024;

/** Yields a list as CSV (RFC 4180): the facts, an empty line, the column titles, and the rows. */
export async function* formatListCsv(list: ListContent): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  let piece = listHead(list)
    .map((row) => formatCsvRow(row))
    .join('');
  for await (const rows of list.batches) {
    for (const cells of rows) {
      piece += formatCsvRow(cells.map(copyCellText));
      if (piece.length < CSV_PIECE_CHARACTERS) continue;
      yield encoder.encode(piece);
      piece = '';
    }
  }
  yield encoder.encode(piece);
}

const AMOUNT = /^-?\d+\.\d\d$/;
const DATE = /^\d{4}-\d\d-\d\d$/;
/** Spreadsheets store numbers with 15 significant digits. Longer numbers are written as text. */
const SAFE_NUMBER = /^-?(?=[\d.]{1,16}$)\d{1,15}(\.\d+)?$/;

/**
 * Returns a list as an XLSX workbook. Numbers and dates are typed, and text is never read as a formula. Rows beyond the
 * limit of a worksheet continue on the next one.
 */
export async function formatListXlsx(list: ListContent): Promise<ReadableStream<Uint8Array>> {
  const { writeXlsxStream } = await import('hucre/xlsx');
  const batches = list.batches[Symbol.asyncIterator]();
  const first: readonly (readonly CopyableCell[])[] = (await batches.next()).value ?? [];
  const head = listHead(list);
  const rows = async function* (): AsyncGenerator<CellValue[]> {
    for (const cells of head) yield [...cells];
    for (let batch = first; batch !== undefined; batch = (await batches.next()).value)
      for (const cells of batch) yield cells.map(toCellValue);
  };
  return writeXlsxStream(rows(), {
    // A worksheet's name has at most 31 characters, without []:*?/\.
    name: list.title.replace(/[[\]:*?/\\]/g, ' ').slice(0, 31),
    columns: list.columns.map((title, column) =>
      columnDef(
        title,
        first.map((cells) => cells[column]),
      ),
    ),
    freezePane: { rows: head.length },
    repeatHeaders: false,
  });
}

/** Returns the rows above the list's own rows: title, facts and column titles. */
const listHead = ({ title, facts, columns }: ListContent): readonly (readonly string[])[] => [
  [title],
  ...facts,
  [],
  columns,
];

function toCellValue(cell: CopyableCell): CellValue {
  const text = copyCellText(cell);
  if (text === '') return null;
  if ('exact' in cell) return SAFE_NUMBER.test(text) ? Number(text) : text;
  return DATE.test(text) ? new Date(`${text}T00:00:00Z`) : text;
}

/** Returns the width and number format of a column, derived from its first cells. */
function columnDef(title: string, cells: readonly (CopyableCell | undefined)[]): ColumnDef {
  const values = cells.flatMap((cell) => (cell === undefined ? [] : [cell]));
  const widths = values.map((cell) => copyCellText(cell).length);
  const width = Math.max(10, Math.min(60, Math.max(title.length, ...widths) + 2));
  if (values.some((cell) => 'exact' in cell && AMOUNT.test(cell.exact))) return { width, numFmt: '#,##0.00' };
  if (values.some((cell) => 'text' in cell && DATE.test(cell.text))) return { width, numFmt: 'yyyy-mm-dd' };
  return { width };
}
