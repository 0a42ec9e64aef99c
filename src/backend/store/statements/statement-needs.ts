import { prepared, type ReadableDb, type WritableDb } from '../sqlite/connection.ts';

/** Returns the listed statements that are not stored. */
export function missingStatements(db: ReadableDb): number[] {
  return prepared<number>(
    db,
    `SELECT id FROM statement_known WHERE vanished_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM statement WHERE statement.id = statement_known.id) ORDER BY id`,
  )
    .pluck()
    .all();
}

/** Returns the subscriptions of missing statements that webhook bodies name. */
export function hintedSubscriptions(db: ReadableDb, statements: readonly number[]): Map<number, number> {
  const rows = prepared<{ statement_id: number; subscription_id: number }>(
    db,
    `SELECT DISTINCT statement_id, subscription_id FROM webhook
     WHERE statement_id IN (SELECT value FROM json_each(?)) AND subscription_id IS NOT NULL`,
  ).all(JSON.stringify(statements));
  return new Map(rows.map((row) => [row.statement_id, row.subscription_id]));
}

/** Returns, per subscription, the number of stored statements that the service still lists. */
export function statementCounts(db: ReadableDb): Map<number, number> {
  const rows = prepared<{ subscription_id: number; count: number }>(
    db,
    `SELECT subscription_id, count(*) AS count FROM statement WHERE vanished_at IS NULL GROUP BY subscription_id`,
  ).all();
  return new Map(rows.map((row) => [row.subscription_id, row.count]));
}

/** Returns the subscriptions named by webhooks without a stored statement. */
export function subscriptionsWithoutStatements(db: ReadableDb): number[] {
  return prepared<number>(
    db,
    `SELECT DISTINCT subscription_id FROM webhook WHERE subscription_id IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM statement WHERE statement.subscription_id = webhook.subscription_id)`,
  )
    .pluck()
    .all();
}

export interface StoredStatement {
  id: number;
  subscription_id: number;
  /** When the request that returned it started, UTC milliseconds, local clock. */
  read_at: number;
  /** 0 open, 1 unpaid, 2 paid. */
  state: number;
  /** UTC milliseconds, service clock. */
  updated_at: number | null;
}

const stored = 'SELECT id, subscription_id, read_at, state, updated_at FROM statement';
const unsettled = `${stored} WHERE state <> 2 AND vanished_at IS NULL`;

/** Returns the statements that may still change: the unsettled ones. */
export function unsettledStatements(db: ReadableDb): StoredStatement[] {
  return prepared<StoredStatement>(db, `${unsettled} ORDER BY id`).all();
}

/** Returns a subscription's statements that may still change. */
export function unsettledStatementsOf(db: ReadableDb, subscription: number): StoredStatement[] {
  return prepared<StoredStatement>(db, `${unsettled} AND subscription_id = ? ORDER BY id`).all(subscription);
}

/** Returns null if the statement is not stored. */
export function storedStatement(db: ReadableDb, id: number): StoredStatement | null {
  return prepared<StoredStatement>(db, `${stored} WHERE id = ?`).get(id) ?? null;
}

/** Returns in order the ids that the service lists or listed, except vanished ones. */
export function knownStatements(db: ReadableDb, from = 0): number[] {
  return prepared<number>(
    db,
    'SELECT id FROM statement_known WHERE vanished_at IS NULL AND id >= ? ORDER BY id',
  )
    .pluck()
    .all(from);
}

/** Returns the number of statements that the service lists, stored or not. */
export function countKnownStatements(db: ReadableDb): number {
  return (
    prepared<number>(db, 'SELECT count(*) FROM statement_known WHERE vanished_at IS NULL').pluck().get() ?? 0
  );
}

/** A statement whose current PDF is not stored. `updated_at` is UTC milliseconds. */
export interface DuePdf {
  id: number;
  updated_at: number | null;
}

const dueForPdf = `SELECT id, updated_at FROM statement
  WHERE state <> 0 AND vanished_at IS NULL AND NOT EXISTS (SELECT 1 FROM pdf_deleted WHERE statement_id = statement.id)
    AND NOT EXISTS (
    SELECT 1 FROM pdf WHERE pdf.statement_id = statement.id
      AND ifnull(pdf.statement_updated_at, -1) >= ifnull(statement.updated_at, -1))`;

/**
 * Returns the statements whose PDF must be downloaded: closed or settled, not stored in the current version, and not
 * deleted by a person. Newest first.
 */
export function withoutPdf(db: ReadableDb): DuePdf[] {
  return prepared<DuePdf>(db, `${dueForPdf} ORDER BY filed_at DESC, id DESC`).all();
}

/** Returns which of these statements need their PDF downloaded, in the given order. */
export function withoutPdfAmong(db: ReadableDb, ids: readonly number[]): DuePdf[] {
  return prepared<DuePdf>(db, `${dueForPdf} AND id IN (SELECT value FROM json_each(?)) ORDER BY id`).all(
    JSON.stringify(ids),
  );
}

/** Marks a listed statement that the service no longer has, at `at` (UTC milliseconds). */
export function markGoneStatement(db: WritableDb, id: number, at: number): void {
  prepared(db, 'UPDATE statement_known SET vanished_at = ? WHERE id = ?').run(at, id);
  prepared(db, 'UPDATE statement SET vanished_at = ? WHERE id = ? AND vanished_at IS NULL').run(at, id);
}

/** Deletes a mark for reading again, unless it was set after `readAt` (UTC milliseconds). */
export function clearStale(db: WritableDb, unit: string, readAt: number): void {
  prepared(db, "DELETE FROM sync_unit WHERE part = 'statements' AND unit = ? AND updated_at <= ?").run(
    unit,
    readAt,
  );
}

/** Returns true if any statement is stored. Before the first, none can be outdated. */
export function holdsStatements(db: ReadableDb): boolean {
  return prepared(db, 'SELECT 1 FROM statement LIMIT 1').get() !== undefined;
}

/** Returns which of these statements were last read at or before `readAt` (UTC milliseconds). */
export function staleStatements(db: ReadableDb, ids: readonly number[], readAt: number): number[] {
  return prepared<number>(
    db,
    'SELECT id FROM statement WHERE id IN (SELECT value FROM json_each(?)) AND read_at <= ?',
  )
    .pluck()
    .all(JSON.stringify(ids), readAt);
}

/**
 * Returns which of these subscriptions have an unsettled statement last read at or before `readAt` (UTC milliseconds).
 */
export function staleSubscriptions(db: ReadableDb, ids: readonly number[], readAt: number): number[] {
  return prepared<number>(
    db,
    `SELECT DISTINCT subscription_id FROM statement
     WHERE subscription_id IN (SELECT value FROM json_each(?)) AND state <> 2 AND vanished_at IS NULL AND read_at <= ?`,
  )
    .pluck()
    .all(JSON.stringify(ids), readAt);
}
