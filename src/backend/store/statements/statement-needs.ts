import { prepared, type ReadableDb, type WritableDb } from '../database.ts';

/** Statements the service lists of which nothing is held. */
export function missingStatements(db: ReadableDb): number[] {
  return prepared<number>(
    db,
    `SELECT id FROM statement_known WHERE vanished_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM statement WHERE statement.id = statement_known.id) ORDER BY id`,
  )
    .pluck()
    .all();
}

/** The subscriptions of statements that are not held, as far as webhook bodies tell. */
export function hintedSubscriptions(db: ReadableDb, statements: readonly number[]): Map<number, number> {
  const rows = prepared<{ statement_id: number; subscription_id: number }>(
    db,
    `SELECT DISTINCT statement_id, subscription_id FROM webhook
     WHERE statement_id IN (SELECT value FROM json_each(?)) AND subscription_id IS NOT NULL`,
  ).all(JSON.stringify(statements));
  return new Map(rows.map((row) => [row.statement_id, row.subscription_id]));
}

/** Of each subscription that has any: how many statements are held that the service still lists. */
export function statementCounts(db: ReadableDb): Map<number, number> {
  const rows = prepared<{ subscription_id: number; count: number }>(
    db,
    `SELECT subscription_id, count(*) AS count FROM statement WHERE vanished_at IS NULL GROUP BY subscription_id`,
  ).all();
  return new Map(rows.map((row) => [row.subscription_id, row.count]));
}

/** Subscriptions that webhooks name and of which no statement is held. */
export function subscriptionsWithoutStatements(db: ReadableDb): number[] {
  return prepared<number>(
    db,
    `SELECT DISTINCT subscription_id FROM webhook WHERE subscription_id IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM statement WHERE statement.subscription_id = webhook.subscription_id)`,
  )
    .pluck()
    .all();
}

export interface HeldStatement {
  id: number;
  subscription_id: number;
  /** When the request began that brought it, ms UTC, our clock. */
  read_at: number;
  /** 0 open, 1 unpaid, 2 paid. */
  state: number;
  /** By the service, ms UTC. */
  updated_at: number | null;
}

const held = 'SELECT id, subscription_id, read_at, state, updated_at FROM statement';
const unsettled = `${held} WHERE state <> 2 AND vanished_at IS NULL`;

/** Statements that may still change: those not settled. */
export function unsettledStatements(db: ReadableDb): HeldStatement[] {
  return prepared<HeldStatement>(db, `${unsettled} ORDER BY id`).all();
}

/** Those of a subscription that may still change. */
export function unsettledStatementsOf(db: ReadableDb, subscription: number): HeldStatement[] {
  return prepared<HeldStatement>(db, `${unsettled} AND subscription_id = ? ORDER BY id`).all(subscription);
}

/** Null where it is not held. */
export function heldStatement(db: ReadableDb, id: number): HeldStatement | null {
  return prepared<HeldStatement>(db, `${held} WHERE id = ?`).get(id) ?? null;
}

/** Ids the service lists, or listed; `vanished` left out. In order. */
export function knownStatements(db: ReadableDb, from = 0): number[] {
  return prepared<number>(
    db,
    'SELECT id FROM statement_known WHERE vanished_at IS NULL AND id >= ? ORDER BY id',
  )
    .pluck()
    .all(from);
}

/** How many statements the service lists, held here or not. */
export function countKnownStatements(db: ReadableDb): number {
  return (
    prepared<number>(db, 'SELECT count(*) FROM statement_known WHERE vanished_at IS NULL').pluck().get() ?? 0
  );
}

/** A statement whose PDF is not held as the statement is now. `updated_at` in ms UTC. */
export interface DuePdf {
  id: number;
  updated_at: number | null;
}

const dueForPdf = `SELECT id, updated_at FROM statement
  WHERE state <> 0 AND vanished_at IS NULL AND NOT EXISTS (SELECT 1 FROM pdf_deleted WHERE statement_id = statement.id)
    AND NOT EXISTS (
    SELECT 1 FROM pdf WHERE pdf.statement_id = statement.id
      AND ifnull(pdf.statement_updated_at, -1) >= ifnull(statement.updated_at, -1))`;

/** Statements whose PDF is wanted: closed or settled, not held in the version they have now, not deleted by hand; newest first. */
export function withoutPdf(db: ReadableDb): DuePdf[] {
  return prepared<DuePdf>(db, `${dueForPdf} ORDER BY filed_at DESC, id DESC`).all();
}

/** Those of these statements whose PDF is wanted, in the order of the ids. */
export function withoutPdfAmong(db: ReadableDb, ids: readonly number[]): DuePdf[] {
  return prepared<DuePdf>(db, `${dueForPdf} AND id IN (SELECT value FROM json_each(?)) ORDER BY id`).all(
    JSON.stringify(ids),
  );
}

/** Marks a listed statement that the service does not have any more, at `at` (ms UTC). */
export function markGoneStatement(db: WritableDb, id: number, at: number): void {
  prepared(db, 'UPDATE statement_known SET vanished_at = ? WHERE id = ?').run(at, id);
  prepared(db, 'UPDATE statement SET vanished_at = ? WHERE id = ? AND vanished_at IS NULL').run(at, id);
}

/** Forgets that something was to be read again, unless that was noted after `readAt` (ms UTC). */
export function clearStale(db: WritableDb, unit: string, readAt: number): void {
  prepared(db, "DELETE FROM sync_unit WHERE part = 'statements' AND unit = ? AND updated_at <= ?").run(
    unit,
    readAt,
  );
}

/** Whether any statement is held: before the first, none can have become old. */
export function holdsStatements(db: ReadableDb): boolean {
  return prepared(db, 'SELECT 1 FROM statement LIMIT 1').get() !== undefined;
}

/** Those of these statements that are held as they were read at `readAt` (ms UTC) or before. */
export function staleStatements(db: ReadableDb, ids: readonly number[], readAt: number): number[] {
  return prepared<number>(
    db,
    'SELECT id FROM statement WHERE id IN (SELECT value FROM json_each(?)) AND read_at <= ?',
  )
    .pluck()
    .all(JSON.stringify(ids), readAt);
}

/** Those of these subscriptions that have a statement which may still change, read at `readAt` (ms UTC) or before. */
export function staleSubscriptions(db: ReadableDb, ids: readonly number[], readAt: number): number[] {
  return prepared<number>(
    db,
    `SELECT DISTINCT subscription_id FROM statement
     WHERE subscription_id IN (SELECT value FROM json_each(?)) AND state <> 2 AND vanished_at IS NULL AND read_at <= ?`,
  )
    .pluck()
    .all(JSON.stringify(ids), readAt);
}
