import { csvLine } from '../csv-line.ts';
import type { ReportSource } from './source.ts';
import { type AnyTable, listTables, schedulesTable } from './tables.ts';

/** A table as CSV (RFC 4180), money in cents. */
export function* tableCsv(table: AnyTable, source: ReportSource): Generator<string> {
  yield csvLine(table.columns.map(({ name }) => name));
  for (const cells of table.cells(source)) yield csvLine(cells);
}

/** The whole report in one file: every table under its name, an empty line between two. */
export function* reportCsv(source: ReportSource): Generator<string> {
  const { head, digest, legend, qualifications } = source.workpaper;
  yield csvLine(['report']);
  yield csvLine(['site', 'title', 'period', 'first', 'as_at', 'state', 'made_at', 'app_version', 'digest']);
  const { site, title, period, as_at, state, made_at, app_version } = head;
  yield csvLine([site, title, period.period, period.first, as_at, state, made_at, app_version, digest]);
  yield csvLine([]);
  yield csvLine(['signatures']);
  yield csvLine(['role', 'who', 'at', 'self_review', 'text']);
  for (const { role, who, at, self_review, text } of head.signatures)
    yield csvLine([role, who, at, self_review ? 'yes' : 'no', text]);
  yield csvLine([]);
  yield csvLine(['qualifications']);
  yield csvLine(['what', 'message']);
  for (const { what, message } of qualifications) yield csvLine([what, message]);
  for (const table of [schedulesTable, ...listTables]) {
    yield csvLine([]);
    yield csvLine([table.name]);
    yield* tableCsv(table, source);
  }
  yield csvLine([]);
  yield csvLine(['legend']);
  yield csvLine(['mark', 'meaning']);
  for (const { mark, meaning } of legend) yield csvLine([mark, meaning]);
}
