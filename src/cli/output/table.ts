import { formatMoney, formatNumber } from './format-values.ts';
import { measureDisplayWidth, padText, sanitizeLine, truncateText } from './terminal-text.ts';

export interface TableColumn<Row> {
  readonly header: string;
  readonly cell: (row: Row) => string | number | null | undefined;
  /** Alignment of the column. Amounts and counts are right-aligned. */
  readonly align?: 'left' | 'right';
  /** Minimum width to which long cells may be truncated on a narrow terminal. If absent, cells are never truncated. */
  readonly minWidth?: number;
  /** True if the column may be hidden on a narrow terminal. The rightmost such column is hidden first. */
  readonly isOptional?: true;
}

export const createCountColumn = <Row>(
  header: string,
  count: (row: Row) => number | null,
  options: Pick<TableColumn<Row>, 'isOptional'> = {},
): TableColumn<Row> => ({
  header,
  cell(row) {
    const value = count(row);
    return value === null ? '' : formatNumber(value);
  },
  align: 'right',
  ...options,
});

/** Creates a column that formats cents as amounts. */
export const createMoneyColumn = <Row>(
  header: string,
  toCents: (row: Row) => number | null,
): TableColumn<Row> => ({
  header,
  cell: (row) => formatMoney(toCents(row)),
  align: 'right',
});

export interface FormattedTable {
  /** Lines of the table, aligned to columns. The first line is the header. */
  readonly lines: readonly string[];
  /** Headers of the columns that did not fit. */
  readonly hiddenHeaders: readonly string[];
}

const GAP = '  ';

/** Formats rows as a table of `width` columns. It may be wider, because amounts and counts are never truncated. */
export function formatTable<Row>(
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
  width: number,
): FormattedTable {
  const cells = rows.map((row) => columns.map((column) => sanitizeLine(String(column.cell(row) ?? ''))));
  const fullWidths = columns.map((column, index) =>
    cells.reduce(
      (max, line) => Math.max(max, measureDisplayWidth(line[index]!)),
      measureDisplayWidth(column.header),
    ),
  );
  const shown = columns.map((_column, index) => index);
  let fitted = fitWidths(columns, fullWidths, shown, width);
  while (fitted === null) {
    const optional = shown.findLastIndex((index) => columns[index]!.isOptional);
    if (optional < 0) break;
    shown.splice(optional, 1);
    fitted = fitWidths(columns, fullWidths, shown, width);
  }
  const widths = fitted ?? fullWidths.map((full, index) => columns[index]!.minWidth ?? full);
  const formatLine = (texts: readonly string[]) =>
    shown
      .map((index) =>
        padText(truncateText(texts[index]!, widths[index]!), widths[index]!, columns[index]!.align ?? 'left'),
      )
      .join(GAP)
      .trimEnd();
  return {
    lines: [formatLine(columns.map(({ header }) => header.toUpperCase())), ...cells.map(formatLine)],
    hiddenHeaders: columns.filter((_column, index) => !shown.includes(index)).map(({ header }) => header),
  };
}

export function formatTableLines<Row>(
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
  width = Number.POSITIVE_INFINITY,
): readonly string[] {
  return formatTable(columns, rows, width).lines;
}

/** Returns the width of the terminal in columns, or infinity if the output is not a terminal. */
export const getTerminalWidth = (): number => process.stdout.columns || Number.POSITIVE_INFINITY;

/** Narrows the widest truncatable columns until all shown columns fit. Returns null if they cannot fit. */
function fitWidths<Row>(
  columns: readonly TableColumn<Row>[],
  fullWidths: readonly number[],
  shown: readonly number[],
  width: number,
): number[] | null {
  const widths = [...fullWidths];
  let excess = shown.reduce((sum, index) => sum + widths[index]!, GAP.length * (shown.length - 1)) - width;
  while (excess > 0) {
    const truncatable = shown.filter(
      (index) => widths[index]! > (columns[index]!.minWidth ?? Number.POSITIVE_INFINITY),
    );
    if (truncatable.length === 0) return null;
    const widest = truncatable.reduce((best, index) => (widths[index]! > widths[best]! ? index : best));
    widths[widest] = widths[widest]! - 1;
    excess -= 1;
  }
  return widths;
}

export type LabeledValue = readonly [label: string, value: string | number | null | undefined];

/** Formats one label and value per line, with aligned values. Omits fields without a value. */
export function formatLabeledValues(fields: readonly LabeledValue[]): string[] {
  const present = fields
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([label, value]) => [sanitizeLine(label), sanitizeLine(String(value))] as const);
  const width = present.reduce((max, [label]) => Math.max(max, measureDisplayWidth(label)), 0);
  return present.map(([label, value]) => `${padText(label, width, 'left')}${GAP}${value}`);
}
