import { detectFormat } from '../bankfiles/detect-format.ts';
import type { ImportQuestion } from '../bankfiles/index.ts';
import { MAX_FILE_BYTES, MAX_TABLE_ROWS } from '../bankfiles/model/limits.ts';
import { openCsvTable } from '../bankfiles/table/read-csv.ts';
import { findUnsafeWorkbookReason, listSheets, readSheetRows } from '../bankfiles/table/read-xlsx.ts';
import { createImportTable, HEADER_SEARCH_ROWS, type ImportTable } from '../bankfiles/table/table-rows.ts';
import { type BankFileBytes, readFirstBytes } from '../bankfiles/text/file-bytes.ts';
import type { CalendarDate } from '../ledger/index.ts';
import { findLedgerHeader, hasLedgerAccount, type LedgerLayout } from './ledger-columns.ts';
import { detectLedgerConventions } from './ledger-conventions.ts';
import { findTextDates } from './ledger-dates.ts';
import type { LedgerFile, LedgerFileOptions, LedgerFileSink } from './ledger-file.ts';
import { LedgerTableReader } from './ledger-table-reader.ts';

/**
 * Reads a trial balance or account activity as CSV or XLSX from QuickBooks, Xero, NetSuite, DATEV or Sage. The columns
 * are recognized by their headers. Never throws because of the content. The same bytes and options always give the
 * same result.
 */
export async function readLedgerFile(
  bytes: BankFileBytes,
  options: LedgerFileOptions,
  sink: LedgerFileSink,
): Promise<LedgerFile> {
  const refuse = (reason: string): LedgerFile => {
    sink.onProblem({ effect: 'refused', row: null, location: 'the file', reason });
    return { kind: null, dialect: '', columns: [], sign: 'debit', as_on: null, questions: [] };
  };
  if (bytes.size > MAX_FILE_BYTES)
    return refuse(`The file is larger than ${MAX_FILE_BYTES / 1_000_000} MB. Export shorter periods.`);
  const detected = detectFormat(bytes);
  if ('refusal' in detected) return refuse(detected.refusal);
  if (detected.format !== 'csv' && detected.format !== 'xlsx')
    return refuse('The file is a bank statement. Export the ledger as CSV or XLSX, or import it under Bank.');
  const opened =
    detected.format === 'csv' ? openCsvTable(bytes) : await openWorkbookTable(bytes, options.answers ?? {});
  if ('refusal' in opened) return refuse(opened.refusal);
  const { table, dialect } = opened;
  const layout = findLedgerHeader(table.head.slice(0, HEADER_SEARCH_ROWS));
  if (layout === null)
    return refuse(
      'No row names an account or a date together with a debit, credit, amount or balance. Export the trial balance or the account transactions with their column headers.',
    );
  if (!layout.columns.has('dated_on') && !hasLedgerAccount(layout))
    return refuse('The file has no column with the account.');
  const result = readLedgerTable(table, layout, options, sink);
  if (table.beyond !== null)
    sink.onProblem({
      ...{ effect: 'refused', row: null, location: table.beyond },
      reason: 'The file has too many rows. The rest of the file was not read.',
    });
  const questions = 'question' in opened && opened.question !== null ? [opened.question] : [];
  return { ...result, dialect, questions: [...questions, ...result.questions] };
}

/** Opens the sheet that contains the ledger. If several sheets fit, the first is used and a question lists them. */
async function openWorkbookTable(
  packed: BankFileBytes,
  answers: Readonly<Record<string, string>>,
): Promise<
  | { readonly refusal: string }
  | { readonly table: ImportTable; readonly dialect: string; readonly question: ImportQuestion | null }
> {
  const bytes = readFirstBytes(packed, packed.size);
  const refusal = findUnsafeWorkbookReason(bytes);
  if (refusal !== null) return { refusal };
  try {
    const candidates: string[] = [];
    for (const { name, hidden } of await listSheets(bytes)) {
      const rows = hidden ? [] : [...(await readSheetRows(bytes, name, HEADER_SEARCH_ROWS))];
      if (findLedgerHeader(rows) !== null) candidates.push(name);
    }
    const sheet = candidates.find((name) => name === answers['sheet']) ?? candidates[0];
    if (sheet === undefined)
      return { refusal: 'No visible sheet contains a trial balance or account transactions.' };
    const rows = await readSheetRows(bytes, sheet, MAX_TABLE_ROWS + 1);
    const table = createImportTable(() => rows, MAX_TABLE_ROWS, { sheet });
    const isAnswered = answers['sheet'] !== undefined || candidates.length === 1;
    return { table, dialect: `XLSX, sheet ${sheet}`, question: isAnswered ? null : askForSheet(candidates) };
  } catch (error) {
    return { refusal: `The workbook cannot be read: ${error instanceof Error ? error.message : 'unknown'}` };
  }
}

const askForSheet = (names: readonly string[]): ImportQuestion => ({
  key: 'sheet',
  text: 'Which sheet contains the ledger?',
  readings: names.map((name) => ({ value: name, label: name, examples: [] })),
});

function readLedgerTable(
  table: ImportTable,
  layout: LedgerLayout,
  options: LedgerFileOptions,
  sink: LedgerFileSink,
): Omit<LedgerFile, 'dialect'> {
  const kind = layout.columns.has('dated_on') ? 'activity' : 'balances';
  const { conventions, questions } = detectLedgerConventions(table, layout, options);
  const reader = new LedgerTableReader(layout, conventions, sink);
  let index = -1;
  for (const row of table.rows) {
    index++;
    if (index > layout.header) reader.read(row);
  }
  const rolesByColumn = new Map([...layout.columns].map(([role, column]) => [column, role]));
  return {
    kind,
    columns: layout.names.map((name, column) => ({ name, role: rolesByColumn.get(column) ?? 'not_used' })),
    sign: conventions.sign,
    as_on: kind === 'balances' ? findStatedDate(table, layout) : null,
    questions,
  };
}

/** Returns the latest unambiguous date above the header; null if there is none. */
function findStatedDate({ head }: ImportTable, { header, names }: LedgerLayout): CalendarDate | null {
  const texts = [...head.slice(0, header).map(({ raw }) => raw), ...names];
  return texts.flatMap(findTextDates).sort().at(-1) ?? null;
}
