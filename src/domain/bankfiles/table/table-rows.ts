import type { Delimiter } from '../model/profile.ts';

/** A record of a table: a row of a sheet or of a CSV file. */
export interface Row {
  readonly location: string;
  readonly cells: readonly string[];
  readonly raw: string;
  /** Why it cannot be read, or what is unusual about its form. */
  readonly flaw?: { readonly effect: 'failed' | 'doubtful'; readonly reason: string };
}

/** Properties of a table known before its rows are read. */
interface TableFormat {
  /** CSV: the field separator. */
  readonly delimiter?: Delimiter;
  readonly encoding?: string;
  /** XLSX: the sheet. */
  readonly sheet?: string;
}

/** The rows of a table in order, without blank ones, including the header and the rows above it. */
export interface Table extends TableFormat {
  /** The first rows, used to find the header and to inspect the columns. */
  readonly head: readonly Row[];
  /** All rows. Can be iterated repeatedly. */
  readonly rows: Iterable<Row>;
  /** Location of the first row beyond the limit. Known after the rows were read. */
  readonly beyond: string | null;
}

/** Number of rows searched for the header. */
export const MAX_HEADER_ROWS = 60;
/** Number of rows below the header that are inspected. */
export const ANALYZED_ROWS = 200;

/** Returns a table with at most `maxRows` rows. */
export function createTable(rows: () => Iterable<Row>, maxRows: number, format: TableFormat): Table {
  let beyond: string | null = null;
  function* bounded() {
    let count = 0;
    for (const row of rows()) {
      if (++count > maxRows) {
        beyond = row.location;
        return;
      }
      yield row;
    }
  }
  const head = [...firstOf(rows(), MAX_HEADER_ROWS + ANALYZED_ROWS)];
  return {
    ...format,
    head,
    rows: { [Symbol.iterator]: bounded },
    get beyond() {
      return beyond;
    },
  };
}

/** Yields the rows below the header with this index. */
export function* rowsBelow(rows: Iterable<Row>, header: number): Generator<Row> {
  let number = 0;
  for (const row of rows) if (number++ > header) yield row;
}

function* firstOf<Item>(items: Iterable<Item>, maxItems: number): Generator<Item> {
  let count = 0;
  for (const item of items) {
    if (count++ >= maxItems) return;
    yield item;
  }
}

/** Normalizes a header or label: removes case, accents, spaces and punctuation. */
export const normalizeName = (name: string): string =>
  name
    .slice(0, 200)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
