import { formatCsvRow } from '../../domain/csv/csv-row.ts';
import type { ReportSource } from './report-source.ts';
import { type AnyReportTable, listTables, schedulesTable } from './report-tables.ts';

/** Yields a table as CSV (RFC 4180). Amounts are in cents. */
export function* formatTableCsv(table: AnyReportTable, source: ReportSource): Generator<string> {
  yield formatCsvRow(table.columns.map(({ name }) => name));
  for (const cells of table.cells(source)) yield formatCsvRow(cells);
}

/** Yields the entire report as one CSV file. Each table follows its name, and empty lines separate the tables. */
export function* formatReportCsv(source: ReportSource): Generator<string> {
  const { head, digest, legend, qualifications } = source.workpaper;
  yield formatCsvRow(['report']);
  yield formatCsvRow([
    'site',
    'title',
    'period',
    'first',
    'as_at',
    'state',
    'made_at',
    'app_version',
    'digest',
  ]);
  const { site, title, period, as_at, state, made_at, app_version } = head;
  yield formatCsvRow([site, title, period.period, period.first, as_at, state, made_at, app_version, digest]);
  yield formatCsvRow([]);
  yield formatCsvRow(['signatures']);
  yield formatCsvRow(['role', 'user', 'at', 'self_review', 'text']);
  for (const { role, user, at, self_review, text } of head.signatures)
    yield formatCsvRow([role, user, at, self_review ? 'yes' : 'no', text]);
  yield formatCsvRow([]);
  yield formatCsvRow(['qualifications']);
  yield formatCsvRow(['what', 'message']);
  for (const { kind, message } of qualifications) yield formatCsvRow([kind, message]);
  for (const table of [schedulesTable, ...listTables]) {
    yield formatCsvRow([]);
    yield formatCsvRow([table.name]);
    yield* formatTableCsv(table, source);
  }
  yield formatCsvRow([]);
  yield formatCsvRow(['legend']);
  yield formatCsvRow(['mark', 'meaning']);
  for (const { mark, meaning } of legend) yield formatCsvRow([mark, meaning]);
}
