import type { BankImport, Outputs, PlanRow, PlanStatement, RowVerdict } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { type Branch, countRows, type Order, readPage } from '../lists/keyset-pagination.ts';
import { prepared, type ReadableDb, type Values, type WritableDb } from '../sqlite/connection.ts';

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

export interface StoredImport {
  id: number;
  account_id: number;
  account_name: string;
  state: BankImport['state'];
  file: string;
  bytes: number;
  sha256: string;
  format: string;
  dialect: string;
  profile: string | null;
  at: number;
  user: string;
  job: string | null;
  digest: string;
  rows_total: number;
  rows_new: number;
  rows_duplicate: number;
  rows_failed: number;
  rows_skipped: number;
  first_on: string | null;
  last_on: string | null;
  removed_at: number | null;
  removed_by: string | null;
  removed_reason: string | null;
}

/** Starts an import. Its lines are added next, and it becomes `done` when all are stored. Returns its id. */
export function beginImport(db: WritableDb, given: NewImport): number {
  const { rows, statements, ...rest } = given;
  return Number(
    prepared(
      db,
      `INSERT INTO bank_import (account_id, state, file, bytes, sha256, format, dialect, profile, at, user, job, digest,
         rows_total, rows_new, rows_duplicate, rows_failed, rows_skipped, first_on, last_on, statements)
       VALUES (?, 'adding', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      rest.account_id,
      rest.file,
      rest.bytes,
      rest.sha256,
      rest.format,
      rest.dialect,
      rest.profile,
      rest.at,
      rest.user,
      rest.job,
      rest.digest,
      rows.total,
      rows.new,
      rows.duplicate,
      rows.failed,
      rows.skipped,
      rest.first_on,
      rest.last_on,
      JSON.stringify(statements),
    ).lastInsertRowid,
  );
}

export function endImport(db: WritableDb, id: number): void {
  prepared(db, "UPDATE bank_import SET state = 'done' WHERE id = ? AND state = 'adding'").run(id);
}

export function markRemoved(
  db: WritableDb,
  id: number,
  removed: { at: number; by: string; reason: string },
): void {
  prepared(
    db,
    "UPDATE bank_import SET state = 'removed', removed_at = ?, removed_by = ?, removed_reason = ? WHERE id = ?",
  ).run(removed.at, removed.by, removed.reason, id);
}

/** Returns the imports that a crash or a cancel left incomplete. */
export function halfImports(db: ReadableDb): number[] {
  return prepared<number>(db, "SELECT id FROM bank_import WHERE state = 'adding'").pluck().all();
}

const columns = `bank_import.id, account_id, bank_account.name AS account_name, state, file, bytes, sha256, format, dialect,
  profile, at, user, job, digest, rows_total, rows_new, rows_duplicate, rows_failed, rows_skipped, first_on, last_on,
  removed_at, removed_by, removed_reason`;
const from = 'bank_import JOIN bank_account ON bank_account.id = account_id';

/** Returns an import, including a removed one, or null. */
export function importById(db: ReadableDb, id: number): StoredImport | null {
  return (
    prepared<StoredImport>(db, `SELECT ${columns} FROM ${from} WHERE bank_import.id = ?`).get(id) ?? null
  );
}

/** Returns the import that a job applied. */
export function importOfJob(db: ReadableDb, job: string): StoredImport | null {
  return prepared<StoredImport>(db, `SELECT ${columns} FROM ${from} WHERE job = ?`).get(job) ?? null;
}

/** Returns the latest existing import of this file to the account. */
export function importOfFile(db: ReadableDb, account: number, sha256: string): number | null {
  return (
    prepared<number>(
      db,
      "SELECT max(id) FROM bank_import WHERE account_id = ? AND sha256 = ? AND state = 'done'",
    )
      .pluck()
      .get(account, sha256) ?? null
  );
}

export interface ImportQuery {
  account?: number | undefined;
  state?: readonly BankImport['state'][] | undefined;
  after?: string | undefined;
  limit: number;
}

const byId: Order = {
  name: 'imports',
  columns: [{ name: 'id', type: 'number' }],
  direction: 'desc',
};

/** Lists imports, newest first. */
export function listImports(db: ReadableDb, query: ImportQuery): Outputs['bank']['imports'] {
  const where: string[] = [];
  const bound: Values = [];
  if (query.account !== undefined) {
    where.push('account_id = ?');
    bound.push(query.account);
  }
  if (query.state !== undefined) {
    where.push('state IN (SELECT value FROM json_each(?))');
    bound.push(JSON.stringify(query.state));
  }
  const branches: Branch[] = [{ from: 'bank_import', where, bound }];
  const reading = { order: byId, groups: [{ lead: [], branches }], edge: null };
  const { keys, next } = readPage(db, reading, query);
  return {
    rows: keys.map(([id]) => shownImport(importById(db, Number(id))!)),
    next,
    total: query.after === undefined ? { count: countRows(db, branches), exact: true } : null,
  };
}

export function shownImport(stored: StoredImport): BankImport {
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
export function addImportRow(db: WritableDb, id: number, { verdict, ...content }: PlanRow): void {
  prepared(db, 'INSERT INTO bank_import_row (import_id, ordinal, verdict, content) VALUES (?, ?, ?, ?)').run(
    id,
    content.row,
    verdict,
    JSON.stringify(content),
  );
}

export interface ImportRowQuery {
  id: number;
  verdict?: readonly RowVerdict[] | undefined;
  after?: string | undefined;
  limit: number;
}

const byOrdinal: Order = {
  name: 'import rows',
  columns: [{ name: 'ordinal', type: 'number' }],
  direction: 'asc',
};
const verdicts: readonly RowVerdict[] = ['new', 'duplicate', 'failed', 'skipped'];

/** Lists rows in the order of the file. */
export function listImportRows(db: ReadableDb, query: ImportRowQuery): Outputs['bank']['importRows'] {
  const branches: Branch[] = verdicts
    .filter((verdict) => query.verdict?.includes(verdict) ?? true)
    .map((verdict) => ({
      from: 'bank_import_row INDEXED BY bank_import_row_verdict',
      where: ['import_id = ?', 'verdict = ?'],
      bound: [query.id, verdict],
    }));
  const groups = branches.length === 0 ? [] : [{ lead: [], branches }];
  const { keys, next } = readPage(db, { order: byOrdinal, groups, edge: null }, query);
  return {
    rows: keys.map(([ordinal]) => {
      const { verdict, content } = prepared<{ verdict: RowVerdict; content: string }>(
        db,
        'SELECT verdict, content FROM bank_import_row WHERE import_id = ? AND ordinal = ?',
      ).get(query.id, ordinal!)!;
      return { ...(JSON.parse(content) as Omit<PlanRow, 'verdict'>), verdict };
    }),
    next,
    total: query.after === undefined ? { count: countRows(db, branches), exact: true } : null,
  };
}

/** Returns the accounts with existing imports of this file, or read with this profile. */
export function accountsOfImports(
  db: ReadableDb,
  of: { readonly sha256: string } | { readonly profile: string },
): number[] {
  const [column, value] = 'sha256' in of ? ['sha256', of.sha256] : ['profile', of.profile];
  return prepared<number>(
    db,
    `SELECT DISTINCT account_id FROM bank_import WHERE ${column} = ? AND state = 'done' ORDER BY account_id`,
  )
    .pluck()
    .all(value);
}
