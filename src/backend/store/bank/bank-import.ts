import type { BankImport, Outputs, PlanRow, PlanStatement, RowVerdict } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { orderByColumn, type PageRequest, planScans, readRowPage } from '../lists/keyset-pagination.ts';
import { joinConditions, whereEqual, whereIn } from '../lists/sql-conditions.ts';
import { prepare, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, pickColumns, updateRow } from '../sqlite/write-row.ts';

export interface NewImport {
  account_id: number;
  file: string;
  bytes: number;
  sha256: string;
  format: string;
  dialect: string;
  profile: string | null;
  /** UTC milliseconds. */
  at: number;
  user: string;
  job: string | null;
  digest: string;
  rows: BankImport['rows'];
  first_on: string | null;
  last_on: string | null;
  statements: readonly PlanStatement[];
}

export interface StoredImport extends Omit<NewImport, 'rows' | 'statements'> {
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

/** Starts an import. Its lines are added next, and it becomes `done` when all are stored. Returns its id. */
export function beginImport(db: WritableDb, newImport: NewImport): number {
  const { rows, statements } = newImport;
  return insertRow(db, 'bank_import', {
    ...pickColumns(newImport, newImportColumns),
    state: 'adding',
    rows_total: rows.total,
    rows_new: rows.new,
    rows_duplicate: rows.duplicate,
    rows_failed: rows.failed,
    rows_skipped: rows.skipped,
    statements: JSON.stringify(statements),
  });
}

export function endImport(db: WritableDb, id: number): void {
  prepare(db, "UPDATE bank_import SET state = 'done' WHERE id = ? AND state = 'adding'").run(id);
}

export function markImportRemoved(
  db: WritableDb,
  id: number,
  { at, by, reason }: { at: number; by: string; reason: string },
): void {
  const row = { state: 'removed', removed_at: at, removed_by: by, removed_reason: reason };
  updateRow(db, 'bank_import', row, { id });
}

/** Returns the imports that a crash or a cancel left incomplete. */
export function listUnfinishedImports(db: ReadableDb): number[] {
  return select.values<number>(db, "SELECT id FROM bank_import WHERE state = 'adding'");
}

const columns = `bank_import.id, account_id, bank_account.name AS account_name, state, file, bytes, sha256, format, dialect,
  profile, at, user, job, digest, rows_total, rows_new, rows_duplicate, rows_failed, rows_skipped, first_on, last_on,
  removed_at, removed_by, removed_reason`;
const from = 'bank_import JOIN bank_account ON bank_account.id = account_id';

/** Returns an import, including a removed one, or null. */
export function findImport(db: ReadableDb, id: number): StoredImport | null {
  return select.row<StoredImport>(db, `SELECT ${columns} FROM ${from} WHERE bank_import.id = ?`, id);
}

/** Returns the import that a job applied. */
export function findImportByJob(db: ReadableDb, job: string): StoredImport | null {
  return select.row<StoredImport>(db, `SELECT ${columns} FROM ${from} WHERE job = ?`, job);
}

/** Returns the latest existing import of this file to the account. */
export function findImportByFile(db: ReadableDb, account: number, sha256: string): number | null {
  const sql = "SELECT max(id) FROM bank_import WHERE account_id = ? AND sha256 = ? AND state = 'done'";
  return select.value<number>(db, sql, account, sha256);
}

export interface ImportQuery extends PageRequest {
  account?: number | undefined;
  state?: readonly BankImport['state'][] | undefined;
}

/** Lists imports, newest first. */
export function listImports(db: ReadableDb, query: ImportQuery): Outputs['bank']['imports'] {
  const conditions = joinConditions(whereEqual('account_id', query.account), whereIn('state', query.state));
  const plan = planScans(orderByColumn('imports', 'id', 'desc'), [{ from: 'bank_import', ...conditions }]);
  return readRowPage(db, plan, query, ([id]) => toBankImport(findImport(db, Number(id))!));
}

export function toBankImport(stored: StoredImport): BankImport {
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

// ---- Rows of a file that became no line

/** Adds a row. Rows are ordered by their number in the file. */
export function addImportRow(db: WritableDb, import_id: number, { verdict, ...content }: PlanRow): void {
  const row = { import_id, ordinal: content.row, verdict, content: JSON.stringify(content) };
  insertRow(db, 'bank_import_row', row);
}

export interface ImportRowQuery extends PageRequest {
  id: number;
  verdict?: readonly RowVerdict[] | undefined;
}

const verdicts: readonly RowVerdict[] = ['new', 'duplicate', 'failed', 'skipped'];

/** Lists rows in the order of the file. */
export function listImportRows(db: ReadableDb, query: ImportRowQuery): Outputs['bank']['importRows'] {
  const from = 'bank_import_row INDEXED BY bank_import_row_verdict';
  const ofImport = whereEqual('import_id', query.id);
  const scans = verdicts
    .filter((verdict) => query.verdict?.includes(verdict) ?? true)
    .map((verdict) => ({ from, ...joinConditions(ofImport, whereEqual('verdict', verdict)) }));
  const sql = 'SELECT verdict, content FROM bank_import_row WHERE import_id = ? AND ordinal = ?';
  return readRowPage(
    db,
    planScans(orderByColumn('import rows', 'ordinal', 'asc'), scans),
    query,
    ([ordinal]) => {
      const stored = select.row<{ verdict: RowVerdict; content: string }>(db, sql, query.id, ordinal!)!;
      return { ...(JSON.parse(stored.content) as Omit<PlanRow, 'verdict'>), verdict: stored.verdict };
    },
  );
}

/** Returns the accounts with existing imports of this file, or read with this profile. */
export function listAccountsOfImports(
  db: ReadableDb,
  of: { readonly sha256: string } | { readonly profile: string },
): number[] {
  const [column, value] = 'sha256' in of ? ['sha256', of.sha256] : ['profile', of.profile];
  const sql = `SELECT DISTINCT account_id FROM bank_import WHERE ${column} = ? AND state = 'done' ORDER BY account_id`;
  return select.values<number>(db, sql, value);
}
