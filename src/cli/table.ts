import { columnsOf, cut, pad, printable } from './text.ts';

/** A column of a readable table. */
export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row) => string | number | null | undefined;
  /** Figures stand right. */
  readonly align?: 'left' | 'right';
  /** May be cut to what the terminal leaves, but not below this; other columns are always whole. */
  readonly least?: number;
}

const gap = '  ';

/**
 * Lays rows out as aligned lines, the header first. Where they are wider than `width`, the columns with `least`
 * give way, the widest first.
 */
export function tableLines<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number,
): string[] {
  const cells = rows.map((row) => columns.map((column) => printable(String(column.cell(row) ?? ''))));
  const widths = columns.map((column, at) =>
    cells.reduce((most, line) => Math.max(most, columnsOf(line[at]!)), columnsOf(column.header)),
  );
  narrow(columns, widths, width);
  const line = (texts: readonly string[]) =>
    texts
      .map((text, at) => pad(cut(text, widths[at]!), widths[at]!, columns[at]!.align ?? 'left'))
      .join(gap)
      .trimEnd();
  return [line(columns.map((column) => column.header.toUpperCase())), ...cells.map(line)];
}

function narrow<Row>(columns: readonly Column<Row>[], widths: number[], width: number): void {
  const taken = () => widths.reduce((sum, one) => sum + one, gap.length * (widths.length - 1));
  for (let excess = taken() - width; excess > 0; excess = taken() - width) {
    const widest = columns.reduce(
      (best, column, at) =>
        column.least !== undefined && widths[at]! > column.least && (best < 0 || widths[at]! > widths[best]!)
          ? at
          : best,
      -1,
    );
    if (widest < 0) return;
    widths[widest] = widths[widest]! - 1;
  }
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
