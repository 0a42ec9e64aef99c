import type { CsvDelimiter } from '../model/profile.ts';

/** A row of a sheet or a record of a CSV file. */
export interface TableRow {
  readonly location: string;
  readonly cells: readonly string[];
  readonly raw: string;
  /** Reason why the row cannot be read, or a remark about its unusual form. */
  readonly flaw?: { readonly effect: 'failed' | 'doubtful'; readonly reason: string };
}

/** Properties of a table that are known before its rows are read. */
interface TableFormat {
  readonly delimiter?: CsvDelimiter;
  readonly encoding?: string;
  readonly sheet?: string;
}

/** A table's non-blank rows in order, including the header and the rows above it. */
export interface ImportTable extends TableFormat {
  /** First rows of the table, used to find the header and to inspect the columns. */
  readonly head: readonly TableRow[];
  /** All rows of the table. Can be iterated repeatedly. */
  readonly rows: Iterable<TableRow>;
  /** Location of the first row beyond the row limit. Known only after all rows have been read. */
  readonly beyond: string | null;
}

/** Maximum number of rows that are searched for the table header. */
export const HEADER_SEARCH_ROWS = 60;
/** Number of rows below the header that are inspected to interpret the columns. */
export const MAX_ANALYZED_ROWS = 200;

export function createImportTable(
  rows: () => Iterable<TableRow>,
  maxRows: number,
  format: TableFormat,
): ImportTable {
  let beyond: string | null = null;
  function* readBoundedRows() {
    let count = 0;
    for (const row of rows()) {
      if (++count > maxRows) {
        beyond = row.location;
        return;
      }
      yield row;
    }
  }
  const head = [...takeFirst(rows(), HEADER_SEARCH_ROWS + MAX_ANALYZED_ROWS)];
  return {
    ...format,
    head,
    rows: { [Symbol.iterator]: readBoundedRows },
    get beyond() {
      return beyond;
    },
  };
}

/** Yields the rows below the header row with the given index. */
export function* listRowsBelowHeader(rows: Iterable<TableRow>, header: number): Generator<TableRow> {
  let number = 0;
  for (const row of rows) if (number++ > header) yield row;
}

function* takeFirst<Item>(items: Iterable<Item>, maxItems: number): Generator<Item> {
  let count = 0;
  for (const item of items) {
    if (count++ >= maxItems) return;
    yield item;
  }
}

/** Letters that Unicode does not decompose into a base letter and an accent. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', æ: 'ae', ı: 'i', đ: 'd', ß: 'ss' };

/** Removes case and accents from a text. */
export const foldCaseAndAccents = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[łøæıđß]/g, (letter) => PLAIN_LETTERS[letter] ?? letter);

/** Normalizes a column header or label by removing case, accents, spaces and punctuation. */
export const normalizeColumnName = (name: string): string =>
  foldCaseAndAccents(name.slice(0, 200)).replace(/[^\p{L}\p{N}]+/gu, '');

/** Returns true for a cell with dashes only, which some banks write instead of an amount. */
export const isDash = (text: string): boolean => /^[-\u2010-\u2015\u2212]+$/.test(text.trim());
