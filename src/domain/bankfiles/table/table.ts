/** A record of a table: a row of a sheet, or of a CSV file. */
export interface Row {
  readonly place: string;
  readonly cells: readonly string[];
  readonly raw: string;
  /** Why it cannot be read, or what is odd in its form. */
  readonly flaw?: { readonly effect: 'failed' | 'doubtful'; readonly reason: string };
}

/** What was found of a table before its rows. */
interface Manner {
  /** CSV: how fields are parted. */
  readonly delimiter?: Delimiter;
  readonly encoding?: string;
  /** XLSX: the sheet. */
  readonly sheet?: string;
}

/** Rows that are not blank, in their order, the header and what stands above it among them. */
export interface Table extends Manner {
  /** The first of them: where the header is looked for, and what the columns look like. */
  readonly head: readonly Row[];
  /** All of them, as often as they are asked for. */
  readonly rows: Iterable<Row>;
  /** The place of the first row that is one too many; known once the rows were read. */
  readonly beyond: string | null;
}

/** Rows above the header that are looked at. */
export const DEEPEST_HEADER = 60;
/** Rows below it that are. */
export const LOOKED_AT = 200;

/** A table of at most so many rows. */
export function tableOf(rows: () => Iterable<Row>, most: number, manner: Manner): Table {
  let beyond: string | null = null;
  function* bounded() {
    let count = 0;
    for (const row of rows()) {
      if (++count > most) {
        beyond = row.place;
        return;
      }
      yield row;
    }
  }
  const head = [...firstOf(rows(), DEEPEST_HEADER + LOOKED_AT)];
  return {
    ...manner,
    head,
    rows: { [Symbol.iterator]: bounded },
    get beyond() {
      return beyond;
    },
  };
}

/** The rows below the header, which is the row of this number. */
export function* behind(rows: Iterable<Row>, header: number): Generator<Row> {
  let number = 0;
  for (const row of rows) if (number++ > header) yield row;
}

function* firstOf<Item>(items: Iterable<Item>, most: number): Generator<Item> {
  let count = 0;
  for (const item of items) {
    if (count++ >= most) return;
    yield item;
  }
}

export const delimiters = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof delimiters)[number];

/** A header or a label without what makes it differ from file to file: case, accents, spaces, signs. */
export const plainName = (name: string): string =>
  name
    .slice(0, 200)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
