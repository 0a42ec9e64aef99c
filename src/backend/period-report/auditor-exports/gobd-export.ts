import {
  type ExportCell,
  type ExportColumnType,
  formatExportRow,
  formatGdpduIndex,
  GDPDU_DTD,
  GDPDU_DTD_NAME,
  GDPDU_FORMAT,
  type GdpduTable,
  getGdpduTablePath,
  UNCHANGED_TEXT_NOTE,
} from '../../../domain/auditor-exports/index.ts';
import { FIGURE_ROW_COLUMNS, toFigureRowCells } from '../../workpaper/ipe/figure-proofs.ts';
import { type RecordTableName, recordTables } from '../../workpaper/ipe/record-tables.ts';
import type { PeriodEvidence } from '../report-source.ts';
import type { UntypedReportTable } from '../report-table.ts';
import { buildSchedulesTable, listReportTables } from '../report-tables.ts';
import type { ControlTotals, ExportFile } from './control-totals.ts';

/** A table of the export with its rows. The cells are in the order of the columns. Null ends a step without a row. */
interface GobdTable extends GdpduTable {
  rows(): Iterable<ExportCell[] | null>;
}

/** Descriptions of the tables of records. */
const RECORD_TABLES: Readonly<Record<RecordTableName, string>> = {
  statements: 'Statements closed in the period',
  transactions: 'Transactions of the statements, as the billing service sent them',
  payments: 'Payments and refunds of the period, and those of matches cleared in it',
  bank_lines: 'Bank and processor lines of the period, and those of matches cleared in it',
  payouts: 'Payouts of the processors',
  match_items: 'Lines, payments and categories of the matches cleared in the period',
};

/** Tables whose first column identifies their rows, so that other tables can refer to them. */
const KEYED_TABLES: ReadonlySet<string> = new Set(['statements', 'payments', 'bank_lines', 'payouts']);
/** References of record tables. Only columns whose rows are always in the other table are references. */
const FOREIGN_KEYS: Readonly<Record<string, GdpduTable['foreignKeys']>> = {
  transactions: [{ column: 'statement', references: 'statements' }],
  match_items: [
    { column: 'line', references: 'bank_lines' },
    { column: 'transaction', references: 'payments' },
  ],
};

const NUMBER_COLUMNS: ReadonlySet<string> = new Set([
  ...['id', 'import', 'row', 'statement', 'statement_id', 'subscription', 'subscription_id'],
  ...['transaction', 'line', 'match', 'success', 'removed'],
]);

/** Returns the type of a column of records by its name. */
function getColumnType(name: string): ExportColumnType {
  if (name.endsWith('_in_cents')) return 'amount';
  if (name.endsWith('_on') || name === 'day') return 'date';
  return NUMBER_COLUMNS.has(name) ? 'number' : 'text';
}

const CELL_TYPES = { text: 'text', cents: 'amount', count: 'number' } as const;
/** Amounts are exported with decimals, so their columns lose the unit. */
const toColumnName = (name: string): string => name.replace(/_in_cents$/, '');

function* skipFirst<Row>(rows: Iterable<Row>): Generator<Row> {
  let isFirst = true;
  for (const row of rows) {
    if (!isFirst) yield row;
    isFirst = false;
  }
}

function createRecordTable(
  name: string,
  description: string,
  columns: readonly string[],
  rows: GobdTable['rows'],
): GobdTable {
  return {
    ...{ name, description, rows, isKeyed: KEYED_TABLES.has(name), foreignKeys: FOREIGN_KEYS[name] ?? [] },
    columns: columns.map((column) => ({
      name: toColumnName(column),
      description: toColumnName(column).replaceAll('_', ' '),
      type: getColumnType(column),
    })),
  };
}

const createReportTable = (table: UntypedReportTable, evidence: PeriodEvidence): GobdTable => ({
  ...{ name: table.name, description: table.title, isKeyed: false, foreignKeys: [] },
  columns: table.columns.map(({ name, header, kind }) => ({
    name: toColumnName(name),
    description: header,
    type: CELL_TYPES[kind],
  })),
  rows: () => table.cells(evidence),
});

function* listFigureRows(
  { figure_rows }: PeriodEvidence,
  totals: ControlTotals,
): Generator<ExportCell[] | null> {
  for (const row of figure_rows()) {
    if (row !== null) totals.add(row.figure, row.currency, row.cents);
    yield row && toFigureRowCells(row);
  }
}

function listTables(evidence: PeriodEvidence, totals: ControlTotals): GobdTable[] {
  const records = Object.entries(RECORD_TABLES).map(([name, description]) => {
    const readCells = () => recordTables[name as RecordTableName](evidence);
    const [columns = []] = readCells();
    return createRecordTable(name, description, columns.map(String), () => skipFirst(readCells()));
  });
  return [
    createReportTable(buildSchedulesTable, evidence),
    createRecordTable('figure_rows', 'Rows behind the figures of the schedules', FIGURE_ROW_COLUMNS, () =>
      listFigureRows(evidence, totals),
    ),
    ...records,
    ...listReportTables(evidence).map((table) => createReportTable(table, evidence)),
  ];
}

function* formatTable({ columns, rows }: GobdTable): Generator<string | null> {
  const types = columns.map(({ type }) => type);
  yield formatExportRow(
    columns.map(({ name }) => name),
    types.map(() => 'text'),
    GDPDU_FORMAT,
  );
  for (const cells of rows()) yield cells && formatExportRow(cells, types, GDPDU_FORMAT);
}

/**
 * Returns the files of a GoBD export (access by data carrier, Z3): `index.xml` with its DTD, and the tables of the report and
 * the pack. The rows of the figures are added to the control totals while they are written.
 */
export function planGobdFiles(evidence: PeriodEvidence, totals: ControlTotals): readonly ExportFile[] {
  const { head, digest } = evidence.workpaper;
  const { first, last, period } = head.period;
  const tables = listTables(evidence, totals);
  const comment = `Reconciliation of ${head.title}, ${period} (${head.state}), Tieout ${head.app_version}. Digest of the figures: ${digest}. ${UNCHANGED_TEXT_NOTE}`;
  const supplier = { name: head.title, location: head.base_url, comment };
  const index = formatGdpduIndex({ supplier, media: `${head.title} ${period}`, first, last, tables });
  return [
    { path: 'index.xml', content: [index] },
    { path: GDPDU_DTD_NAME, content: [GDPDU_DTD] },
    ...tables.map((table) => ({ path: getGdpduTablePath(table.name), content: formatTable(table) })),
  ];
}
