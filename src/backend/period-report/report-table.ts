import type { ReportSource } from './report-source.ts';

/** Type of a table column. `cents` values are formatted as amounts in PDF and XLSX, and are written as cents in CSV. */
type CellKind = 'text' | 'cents' | 'count';

interface TableColumn<Row> {
  readonly name: string;
  /** Column header shown in PDF and XLSX. */
  readonly header: string;
  readonly kind: CellKind;
  /** Relative width in the PDF. Columns of width 0 are omitted from the PDF. */
  readonly relativeWidth: number;
  cell(row: Row): string | number | null;
}

/** List of the period report, with the same columns and rows in CSV, XLSX and PDF. */
export interface UntypedReportTable {
  readonly name: string;
  readonly title: string;
  /** Text shown if there are no rows. */
  readonly empty: string;
  readonly columns: readonly Omit<TableColumn<never>, 'cell'>[];
  cells(source: ReportSource): Iterable<(string | number | null)[]>;
}

/** Defines a table by its rows. Only the columns know the type of the rows. */
export const defineTable = <Row>({
  rows,
  ...table
}: Pick<UntypedReportTable, 'name' | 'title' | 'empty'> & {
  readonly columns: readonly TableColumn<Row>[];
  rows(source: ReportSource): Iterable<Row>;
}): UntypedReportTable => ({
  ...table,
  *cells(source) {
    for (const row of rows(source)) yield table.columns.map(({ cell }) => cell(row));
  },
});

const defineColumn =
  <Value extends string | number | null>(kind: CellKind) =>
  <Row>(name: string, header: string, relativeWidth: number, cell: (row: Row) => Value) => {
    return { name, header, kind, relativeWidth, cell };
  };
export const textColumn = defineColumn<string | null>('text');
export const countColumn = defineColumn<number | null>('count');
export const centsColumn = <Row>(name: string, header: string, cell: (row: Row) => number | null) =>
  defineColumn<number | null>('cents')(name, header, 14, cell);
