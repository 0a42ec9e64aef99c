import { formatCsvRow } from '../../domain/csv/csv-row.ts';
import type { ReportSource } from './report-source.ts';
import type { UntypedReportTable } from './report-table.ts';
import { buildSchedulesTable, listReportTables } from './report-tables.ts';

/** Yields a table as CSV (RFC 4180). Amounts are in cents. */
export function* formatTableCsv(table: UntypedReportTable, source: ReportSource): Generator<string> {
  yield formatCsvRow(table.columns.map(({ name }) => name));
  for (const cells of table.cells(source)) yield formatCsvRow(cells);
}

/** Yields the entire report as one CSV file. Each table follows its name, and empty lines separate tables. */
export function* formatReportCsv(source: ReportSource): Generator<string> {
  const { head, digest, legend, qualifications } = source.workpaper;
  const { site, title, period, as_at, state, made_at, app_version } = head;
  const report = {
    ...{ site, title, period: period.period, first: period.first },
    ...{ as_at, state, made_at, app_version, digest },
  };
  yield formatCsvRow(['report']);
  yield formatCsvRow(Object.keys(report));
  yield formatCsvRow(Object.values(report));
  yield* formatSection('signatures', ['role', 'user', 'at', 'self_review', 'text']);
  for (const { role, user, at, self_review, text } of head.signatures)
    yield formatCsvRow([role, user, at, self_review ? 'yes' : 'no', text]);
  yield* formatSection('certification', ['role', 'user', 'at', 'confirmed', 'statement']);
  for (const { role, user, at, statements } of head.signatures)
    for (const { text, confirmed } of statements)
      yield formatCsvRow([role, user, at, confirmed ? 'yes' : 'no', text]);
  yield* formatSection('qualifications', ['what', 'message']);
  for (const { kind, message } of qualifications) yield formatCsvRow([kind, message]);
  for (const table of [buildSchedulesTable, ...listReportTables(source)]) {
    yield* formatSection(table.name);
    yield* formatTableCsv(table, source);
  }
  yield* formatSection('legend', ['mark', 'meaning']);
  for (const { mark, meaning } of legend) yield formatCsvRow([mark, meaning]);
}

/** Yields an empty line, the name of a table and, if given, its column names. */
function* formatSection(name: string, columns?: readonly string[]): Generator<string> {
  yield formatCsvRow([]);
  yield formatCsvRow([name]);
  if (columns !== undefined) yield formatCsvRow(columns);
}
