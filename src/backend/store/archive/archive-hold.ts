import type { ArchiveHold, ContractOutputs } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { prepareSql, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';

interface StoredHold extends Omit<ArchiveHold, 'hold' | 'placed_at' | 'lifted_at'> {
  id: number;
  placed_at: number;
  lifted_at: number | null;
}

/** Subject of a legal hold: a statement or a subscription. */
export type LegalHoldSubject = { readonly statement_id: number } | { readonly subscription_id: number };

/** Places a legal hold and returns its id, or null if the subject is already on hold. `at` is UTC milliseconds. */
export function placeLegalHold(
  db: WritableDb,
  on: LegalHoldSubject,
  { reason, at, user }: { reason: string; at: number; user: string },
): number | null {
  const column = 'statement_id' in on ? 'statement_id' : 'subscription_id';
  const id = 'statement_id' in on ? on.statement_id : on.subscription_id;
  const existing = prepareSql(db, `SELECT 1 FROM archive_hold WHERE ${column} = ? AND lifted_at IS NULL`).get(
    id,
  );
  if (existing !== undefined) return null;
  const sql = `INSERT INTO archive_hold (${column}, reason, placed_at, placed_by) VALUES (?, ?, ?, ?)`;
  const { lastInsertRowid } = prepareSql(db, sql).run(id, reason, at, user);
  return Number(lastInsertRowid);
}

/** Releases a legal hold. Returns its subject, or null if the hold does not exist or was already released. */
export function releaseLegalHold(
  db: WritableDb,
  id: number,
  { reason, at, user }: { reason: string; at: number; user: string },
): Pick<StoredHold, 'statement_id' | 'subscription_id'> | null {
  const sql = `UPDATE archive_hold SET lifted_at = ?, lifted_by = ?, lifted_reason = ? WHERE id = ? AND lifted_at IS NULL
       RETURNING statement_id, subscription_id`;
  return select.row<Pick<StoredHold, 'statement_id' | 'subscription_id'>>(db, sql, at, user, reason, id);
}

/** Returns a page of the active or released legal holds, newest first. */
export function listLegalHolds(
  db: ReadableDb,
  { after, limit, lifted }: { after?: string | undefined; limit: number; lifted: boolean },
): ContractOutputs['archive']['holds'] {
  const state = lifted ? 'lifted_at IS NOT NULL' : 'lifted_at IS NULL';
  const before = after === undefined ? Number.MAX_SAFE_INTEGER : Number(after);
  const sql = `SELECT * FROM archive_hold WHERE ${state} AND id < ? ORDER BY id DESC LIMIT ?`;
  const rows = select.rows<StoredHold>(db, sql, Number.isSafeInteger(before) ? before : 0, limit + 1);
  const more = rows.length > limit;
  const page = rows.slice(0, limit);
  const count = () =>
    prepareSql<number>(db, `SELECT count(*) FROM archive_hold WHERE ${state}`).pluck().get() as number;
  return {
    rows: page.map(({ id, placed_at, lifted_at, ...rest }) => ({
      ...rest,
      hold: id,
      placed_at: formatTimestamp(placed_at),
      lifted_at: formatTimestamp(lifted_at),
    })),
    next: more ? String(page.at(-1)?.id) : null,
    total: after === undefined ? { count: count(), exact: true } : null,
  };
}

/** Returns the reason of the legal hold on a statement or its subscription, or null if there is none. */
export function findLegalHoldReason(db: ReadableDb, statement: number, subscription: number): string | null {
  const sql = `SELECT reason FROM archive_hold WHERE statement_id = ? AND lifted_at IS NULL
       UNION ALL SELECT reason FROM archive_hold WHERE subscription_id = ? AND lifted_at IS NULL LIMIT 1`;
  return select.value<string>(db, sql, statement, subscription);
}

/** Returns the statements and subscriptions on legal hold. */
export function listLegalHoldSubjects(db: ReadableDb): { statements: number[]; subscriptions: number[] } {
  const ids = (column: 'statement_id' | 'subscription_id') =>
    select.values<number>(
      db,
      `SELECT ${column} FROM archive_hold WHERE lifted_at IS NULL AND ${column} IS NOT NULL ORDER BY 1`,
    );
  return { statements: ids('statement_id'), subscriptions: ids('subscription_id') };
}
