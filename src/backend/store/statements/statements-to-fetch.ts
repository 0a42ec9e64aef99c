import { prepareSql, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';

/** Returns the ids of statements that the service lists but that are not stored. */
export function listMissingStatementIds(db: ReadableDb): number[] {
  const sql = `SELECT id FROM statement_known WHERE vanished_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM statement WHERE statement.id = statement_known.id) ORDER BY id`;
  return select.values<number>(db, sql);
}

/** Returns the subscriptions that webhook bodies name for these missing statements. */
export function findNamedSubscriptions(db: ReadableDb, statements: readonly number[]): Map<number, number> {
  const sql = `SELECT DISTINCT statement_id, subscription_id FROM webhook
     WHERE statement_id IN (SELECT value FROM json_each(?)) AND subscription_id IS NOT NULL`;
  const rows = select.rows<{ statement_id: number; subscription_id: number }>(
    db,
    sql,
    JSON.stringify(statements),
  );
  return new Map(rows.map((row) => [row.statement_id, row.subscription_id]));
}

/** Returns the number of stored statements per subscription, without vanished ones. */
export function countStatementsBySubscription(db: ReadableDb): Map<number, number> {
  const sql = `SELECT subscription_id, count(*) AS count FROM statement WHERE vanished_at IS NULL GROUP BY subscription_id`;
  const rows = select.rows<{ subscription_id: number; count: number }>(db, sql);
  return new Map(rows.map((row) => [row.subscription_id, row.count]));
}

/** Returns subscriptions that webhooks name and that have no stored statement. */
export function listSubscriptionsWithoutStatements(db: ReadableDb): number[] {
  const sql = `SELECT DISTINCT subscription_id FROM webhook WHERE subscription_id IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM statement WHERE statement.subscription_id = webhook.subscription_id)`;
  return select.values<number>(db, sql);
}

export interface StoredStatement {
  id: number;
  subscription_id: number;
  /** Start of the request that returned the statement (UTC milliseconds, local clock). */
  read_at: number;
  /** Statement state: 0 open, 1 unpaid, 2 paid. */
  state: number;
  /** Last change of the statement (UTC milliseconds, service's clock). */
  updated_at: number | null;
}

const stored = 'SELECT id, subscription_id, read_at, state, updated_at FROM statement';
const unsettled = `${stored} WHERE state <> 2 AND vanished_at IS NULL`;

/** Returns the unsettled statements, which may still change. */
export function listUnsettledStatements(db: ReadableDb): StoredStatement[] {
  return select.rows<StoredStatement>(db, `${unsettled} ORDER BY id`);
}

/** Returns the statements closed in a range of days, and the statements among `ids`. Omits vanished statements. */
export function listStatementsClosedBetween(
  db: ReadableDb,
  { from, until }: { readonly from: string | null; readonly until: string },
  ids: readonly number[],
): StoredStatement[] {
  const sql = `${stored} WHERE vanished_at IS NULL AND (id IN (SELECT value FROM json_each(?))
      OR closed_at IS NOT NULL AND substr(closed_at_text, 1, 10) BETWEEN ? AND ?) ORDER BY id`;
  return select.rows<StoredStatement>(db, sql, JSON.stringify(ids), from ?? '', until);
}

/** Returns a subscription's unsettled statements, which may still change. */
export function listUnsettledStatementsOfSubscription(
  db: ReadableDb,
  subscription: number,
): StoredStatement[] {
  return select.rows<StoredStatement>(db, `${unsettled} AND subscription_id = ? ORDER BY id`, subscription);
}

export function findStoredStatement(db: ReadableDb, id: number): StoredStatement | null {
  return select.row<StoredStatement>(db, `${stored} WHERE id = ?`, id);
}

/** Returns the known statement ids in order, starting at `from`. Omits vanished statements. */
export function listKnownStatementIds(db: ReadableDb, from = 0): number[] {
  const sql = 'SELECT id FROM statement_known WHERE vanished_at IS NULL AND id >= ? ORDER BY id';
  return select.values<number>(db, sql, from);
}

/** Returns the number of statements that the service lists, stored or not. */
export function countKnownStatements(db: ReadableDb): number {
  return select.value<number>(db, 'SELECT count(*) FROM statement_known WHERE vanished_at IS NULL') ?? 0;
}

/** A statement whose current PDF is not stored. `updated_at` is in UTC milliseconds. */
export interface PendingPdf {
  id: number;
  updated_at: number | null;
}

const dueForPdf = `SELECT id, updated_at FROM statement
  WHERE state <> 0 AND vanished_at IS NULL AND NOT EXISTS (SELECT 1 FROM pdf_deleted WHERE statement_id = statement.id)
    AND NOT EXISTS (
    SELECT 1 FROM pdf WHERE pdf.statement_id = statement.id
      AND ifnull(pdf.statement_updated_at, -1) >= ifnull(statement.updated_at, -1))`;

/** Returns closed statements whose current PDF is not stored, newest first. Omits statements with deleted PDFs. */
export function listStatementsWithoutPdf(db: ReadableDb): PendingPdf[] {
  return select.rows<PendingPdf>(db, `${dueForPdf} ORDER BY dated_at DESC, id DESC`);
}

/** Returns the statements among these ids whose current PDF must be downloaded, ordered by id. */
export function filterStatementsWithoutPdf(db: ReadableDb, ids: readonly number[]): PendingPdf[] {
  const sql = `${dueForPdf} AND id IN (SELECT value FROM json_each(?)) ORDER BY id`;
  return select.rows<PendingPdf>(db, sql, JSON.stringify(ids));
}

/** Marks a statement that the service no longer has as vanished at `at` (UTC milliseconds). */
export function markVanishedStatement(db: WritableDb, id: number, at: number): void {
  prepareSql(db, 'UPDATE statement_known SET vanished_at = ? WHERE id = ?').run(at, id);
  prepareSql(db, 'UPDATE statement SET vanished_at = ? WHERE id = ? AND vanished_at IS NULL').run(at, id);
}

/** Deletes a sync unit's refetch mark, unless the mark was set after `readAt` (UTC milliseconds). */
export function clearRefetchMark(db: WritableDb, unit: string, readAt: number): void {
  prepareSql(db, "DELETE FROM sync_unit WHERE part = 'statements' AND unit = ? AND updated_at <= ?").run(
    unit,
    readAt,
  );
}

/** Returns true if any statement is stored. Otherwise no statement can be outdated. */
export function isAnyStatementStored(db: ReadableDb): boolean {
  return prepareSql(db, 'SELECT 1 FROM statement LIMIT 1').get() !== undefined;
}

/** Returns the statements among these ids that were last read at or before `readAt` (UTC milliseconds). */
export function filterStaleStatements(db: ReadableDb, ids: readonly number[], readAt: number): number[] {
  const sql = 'SELECT id FROM statement WHERE id IN (SELECT value FROM json_each(?)) AND read_at <= ?';
  return select.values<number>(db, sql, JSON.stringify(ids), readAt);
}

/** Returns the subscriptions that have an unsettled statement last read at or before `readAt` (UTC milliseconds). */
export function filterStaleSubscriptions(db: ReadableDb, ids: readonly number[], readAt: number): number[] {
  const sql = `SELECT DISTINCT subscription_id FROM statement
     WHERE subscription_id IN (SELECT value FROM json_each(?)) AND state <> 2 AND vanished_at IS NULL AND read_at <= ?`;
  return select.values<number>(db, sql, JSON.stringify(ids), readAt);
}
