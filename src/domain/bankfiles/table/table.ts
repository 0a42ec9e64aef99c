/** A record of a table: a row of a sheet, or of a CSV file. */
export interface Row {
  readonly place: string;
  readonly cells: readonly string[];
  readonly raw: string;
  /** Why it cannot be read, or what is odd in its form. */
  readonly flaw?: { readonly effect: 'failed' | 'doubtful'; readonly reason: string };
}

/** Rows that are not blank, in their order, the header and what stands above it among them. */
export interface Table {
  readonly rows: readonly Row[];
  /** CSV: how fields are parted. */
  readonly delimiter?: Delimiter;
  readonly encoding?: string;
  /** XLSX: the sheet. */
  readonly sheet?: string;
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
