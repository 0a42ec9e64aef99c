import type { BankImport, ContractOutputs, ImportPlanRow, ImportRowResult } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { orderByColumn, type PageRequest, planListScans, readRowPage } from '../lists/keyset-pagination.ts';
import { joinConditions, whereEqual, whereIn } from '../lists/sql-conditions.ts';
import { prepareSql, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, pickColumns, updateRow } from '../sqlite/write-row.ts';
import { markBankStatementsRemoved } from './bank-statement.ts';

export interface NewBankImport {
  account_id: number;
  file: string;
  bytes: number;
  sha256: string;
  format: string;
  dialect: string;
  profile: string | null;
  /** Time of the import in UTC milliseconds. */
  at: number;
  user: string;
  job: string | null;
  digest: string;
  rows: BankImport['rows'];
  first_on: string | null;
  last_on: string | null;
}

export interface StoredBankImport extends Omit<NewBankImport, 'rows'> {
  id: number;
  account_name: string;
  state: BankImport['state'];
  rows_total: number;
  rows_new: number;
  rows_duplicate: number;
  rows_failed: number;
  rows_skipped: number;
  removed_at: number | null;
  removed_by: string | null;
  removed_reason: string | null;
}

const newImportColumns = [
  ...(['account_id', 'file', 'bytes', 'sha256', 'format', 'dialect', 'profile', 'at', 'user'] as const),
  ...(['job', 'digest', 'first_on', 'last_on'] as const),
];

/** Starts an import and returns its id. The import becomes `done` when all of its lines are stored. */
export function beginBankImport(db: WritableDb, newImport: NewBankImport): number {
  const { rows } = newImport;
  return insertRow(db, 'bank_import', {
    ...pickColumns(newImport, newImportColumns),
    state: 'adding',
    rows_total: rows.total,
    rows_new: rows.new,
    rows_duplicate: rows.duplicate,
    rows_failed: rows.failed,
    rows_skipped: rows.skipped,
  });
}

export function endBankImport(db: WritableDb, id: number): void {
  prepareSql(db, "UPDATE bank_import SET state = 'done' WHERE id = ? AND state = 'adding'").run(id);
}

export function markBankImportRemoved(
  db: WritableDb,
  id: number,
  { at, by, reason }: { at: number; by: string; reason: string },
): void {
  const row = { state: 'removed', removed_at: at, removed_by: by, removed_reason: reason };
  updateRow(db, 'bank_import', row, { id });
  markBankStatementsRemoved(db, 'import_id', id, { at, by, reason });
}

type ImportRecord = Pick<
  StoredBankImport,
  | 'id'
  | 'user'
  | 'file'
  | 'sha256'
  | 'digest'
  | `rows_${'total' | 'new' | 'duplicate' | 'failed' | 'skipped'}`
>;

/** Returns what the audit log also records about each import. */
export function listImportRecords(db: ReadableDb): ImportRecord[] {
  const sql =
    'SELECT id, user, file, sha256, digest, rows_total, rows_new, rows_duplicate, rows_failed, rows_skipped FROM bank_import ORDER BY id';
  return select.rows<ImportRecord>(db, sql);
}

/** Returns the checksums of the imported source files with their names, each file once. */
export function listSourceFiles(db: ReadableDb): { sha256: string; file: string }[] {
  const sql =
    "SELECT sha256, min(file) AS file FROM bank_import WHERE state <> 'adding' GROUP BY sha256 ORDER BY file";
  return select.rows<{ sha256: string; file: string }>(db, sql);
}

/** Returns the imports that a crash or cancellation left incomplete. */
export function listUnfinishedBankImports(db: ReadableDb): number[] {
  return select.values<number>(db, "SELECT id FROM bank_import WHERE state = 'adding'");
}

const columns = `bank_import.id, account_id, bank_account.name AS account_name, state, file, bytes, sha256, format, dialect,
  profile, at, user, job, digest, rows_total, rows_new, rows_duplicate, rows_failed, rows_skipped, first_on, last_on,
  removed_at, removed_by, removed_reason`;
const from = 'bank_import JOIN bank_account ON bank_account.id = account_id';

/** Returns an import, including a removed one, or null if it does not exist. */
export function findBankImport(db: ReadableDb, id: number): StoredBankImport | null {
  return select.row<StoredBankImport>(db, `SELECT ${columns} FROM ${from} WHERE bank_import.id = ?`, id);
}

export function findBankImportByJob(db: ReadableDb, job: string): StoredBankImport | null {
  return select.row<StoredBankImport>(db, `SELECT ${columns} FROM ${from} WHERE job = ?`, job);
}

/** Returns the account's latest import of this file that has not been removed, or null. */
export function findBankImportByFile(db: ReadableDb, account: number, sha256: string): number | null {
  const sql = "SELECT max(id) FROM bank_import WHERE account_id = ? AND sha256 = ? AND state = 'done'";
  return select.value<number>(db, sql, account, sha256);
}

export interface BankImportQuery extends PageRequest {
  account?: number | undefined;
  state?: readonly BankImport['state'][] | undefined;
}

/** Lists bank imports, newest first. */
export function listBankImports(db: ReadableDb, query: BankImportQuery): ContractOutputs['bank']['imports'] {
  const conditions = joinConditions(whereEqual('account_id', query.account), whereIn('state', query.state));
  const plan = planListScans(orderByColumn('imports', 'id', 'desc'), [
    { from: 'bank_import', ...conditions },
  ]);
  return readRowPage(db, plan, query, ([id]) => toBankImport(findBankImport(db, Number(id))!));
}

export function toBankImport(stored: StoredBankImport): BankImport {
  const { account_id, account_name, removed_at, removed_by, removed_reason, ...rest } = stored;
  const { rows_total, rows_new, rows_duplicate, rows_failed, rows_skipped, ...own } = rest;
  return {
    ...own,
    account: { id: account_id, name: account_name },
    at: formatTimestamp(own.at),
    rows: {
      total: rows_total,
      new: rows_new,
      duplicate: rows_duplicate,
      failed: rows_failed,
      skipped: rows_skipped,
    },
    removed:
      removed_at === null
        ? null
        : { at: formatTimestamp(removed_at), user: removed_by ?? '', reason: removed_reason ?? '' },
  };
}

/** Records a file row that was not imported as a line. Rows are ordered by their number in the file. */
export function addBankImportRow(
  db: WritableDb,
  import_id: number,
  { verdict, ...content }: ImportPlanRow,
): void {
  const row = { import_id, ordinal: content.row, verdict, content: JSON.stringify(content) };
  insertRow(db, 'bank_import_row', row);
}

export interface BankImportRowQuery extends PageRequest {
  id: number;
  verdict?: readonly ImportRowResult[] | undefined;
}

const verdicts: readonly ImportRowResult[] = ['new', 'duplicate', 'failed', 'skipped'];

/** Lists the file rows that were not imported as lines, in file order. */
export function listBankImportRows(
  db: ReadableDb,
  query: BankImportRowQuery,
): ContractOutputs['bank']['importRows'] {
  const from = 'bank_import_row INDEXED BY bank_import_row_verdict';
  const ofImport = whereEqual('import_id', query.id);
  const scans = verdicts
    .filter((verdict) => query.verdict?.includes(verdict) ?? true)
    .map((verdict) => ({ from, ...joinConditions(ofImport, whereEqual('verdict', verdict)) }));
  const sql = 'SELECT verdict, content FROM bank_import_row WHERE import_id = ? AND ordinal = ?';
  return readRowPage(
    db,
    planListScans(orderByColumn('import rows', 'ordinal', 'asc'), scans),
    query,
    ([ordinal]) => {
      const stored = select.row<{ verdict: ImportRowResult; content: string }>(db, sql, query.id, ordinal!)!;
      return { ...(JSON.parse(stored.content) as Omit<ImportPlanRow, 'verdict'>), verdict: stored.verdict };
    },
  );
}

/** Returns the accounts that have an import of this file, or an import that used this profile. */
export function listAccountsWithImport(
  db: ReadableDb,
  of: { readonly sha256: string } | { readonly profile: string },
): number[] {
  const [column, value] = 'sha256' in of ? ['sha256', of.sha256] : ['profile', of.profile];
  const sql = `SELECT DISTINCT account_id FROM bank_import WHERE ${column} = ? AND state = 'done' ORDER BY account_id`;
  return select.values<number>(db, sql, value);
}
