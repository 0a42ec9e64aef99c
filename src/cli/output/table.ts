import { columnsOf, cut, pad, printable } from './text.ts';

/** A column of a readable table. */
export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row) => string | number | null | undefined;
  /** Figures stand right. */
  readonly align?: 'left' | 'right';
  /** May be cut to what the terminal leaves, but not below this; other columns are whole. */
  readonly least?: number;
  /** Left out where the terminal is too narrow for all columns, the rightmost first. */
  readonly spare?: true;
}

export interface Table {
  /** Aligned lines, the header first. */
  readonly lines: readonly string[];
  /** The columns that found no place. */
  readonly hidden: readonly string[];
}

const gap = '  ';

/** Lays rows out for a terminal of so many columns. What cannot be made to fit is wider: a figure is never cut. */
export function tableOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[], width: number): Table {
  const cells = rows.map((row) => columns.map((column) => printable(String(column.cell(row) ?? ''))));
  const natural = columns.map((column, at) =>
    cells.reduce((most, line) => Math.max(most, columnsOf(line[at]!)), columnsOf(column.header)),
  );
  const shown = columns.map((_column, at) => at);
  let widths = narrowed(columns, natural, shown, width);
  while (widths === null) {
    const spare = shown.findLastIndex((at) => columns[at]!.spare);
    if (spare < 0) break;
    shown.splice(spare, 1);
    widths = narrowed(columns, natural, shown, width);
  }
  const places = widths ?? natural.map((most, at) => columns[at]!.least ?? most);
  const line = (texts: readonly string[]) =>
    shown
      .map((at) => pad(cut(texts[at]!, places[at]!), places[at]!, columns[at]!.align ?? 'left'))
      .join(gap)
      .trimEnd();
  return {
    lines: [line(columns.map(({ header }) => header.toUpperCase())), ...cells.map(line)],
    hidden: columns.filter((_column, at) => !shown.includes(at)).map(({ header }) => header),
  };
}

/** The lines alone. */
export function tableLines<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width = Number.POSITIVE_INFINITY,
): readonly string[] {
  return tableOf(columns, rows, width).lines;
}

/** Widths with which the columns shown fit, those that may be cut giving way, the widest first; null where they cannot. */
function narrowed<Row>(
  columns: readonly Column<Row>[],
  natural: readonly number[],
  shown: readonly number[],
  width: number,
): number[] | null {
  const widths = [...natural];
  let excess = shown.reduce((sum, at) => sum + widths[at]!, gap.length * (shown.length - 1)) - width;
  while (excess > 0) {
    const yielding = shown.filter((at) => widths[at]! > (columns[at]!.least ?? Number.POSITIVE_INFINITY));
    if (yielding.length === 0) return null;
    const widest = yielding.reduce((best, at) => (widths[at]! > widths[best]! ? at : best));
    widths[widest] = widths[widest]! - 1;
    excess -= 1;
  }
  return widths;
}

/** Label and value, a line each, the values aligned; entries without a value are left out. */
export function pairLines(
  pairs: readonly (readonly [label: string, value: string | number | null | undefined])[],
): string[] {
  const present = pairs
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([label, value]) => [printable(label), printable(String(value))] as const);
  const width = present.reduce((most, [label]) => Math.max(most, columnsOf(label)), 0);
  return present.map(([label, value]) => `${pad(label, width, 'left')}${gap}${value}`);
}
