import type { ArchiveHold, Outputs } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { prepare, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';

interface StoredHold extends Omit<ArchiveHold, 'hold' | 'placed_at' | 'lifted_at'> {
  id: number;
  placed_at: number;
  lifted_at: number | null;
}

/** Subject of a hold: a statement or a subscription. */
export type HoldSubject = { readonly statement_id: number } | { readonly subscription_id: number };

/** Places a hold unless there is one already. Returns its id, or null. `at` is UTC milliseconds. */
export function placeHold(
  db: WritableDb,
  on: HoldSubject,
  { reason, at, user }: { reason: string; at: number; user: string },
): number | null {
  const column = 'statement_id' in on ? 'statement_id' : 'subscription_id';
  const id = 'statement_id' in on ? on.statement_id : on.subscription_id;
  const existing = prepare(db, `SELECT 1 FROM archive_hold WHERE ${column} = ? AND lifted_at IS NULL`).get(
    id,
  );
  if (existing !== undefined) return null;
  const sql = `INSERT INTO archive_hold (${column}, reason, placed_at, placed_by) VALUES (?, ?, ?, ?)`;
  const { lastInsertRowid } = prepare(db, sql).run(id, reason, at, user);
  return Number(lastInsertRowid);
}

/** Releases a hold. Returns its subject, or null if it does not exist or was already released. */
export function liftHold(
  db: WritableDb,
  id: number,
  { reason, at, user }: { reason: string; at: number; user: string },
): Pick<StoredHold, 'statement_id' | 'subscription_id'> | null {
  const sql = `UPDATE archive_hold SET lifted_at = ?, lifted_by = ?, lifted_reason = ? WHERE id = ? AND lifted_at IS NULL
       RETURNING statement_id, subscription_id`;
  return select.row<Pick<StoredHold, 'statement_id' | 'subscription_id'>>(db, sql, at, user, reason, id);
}

/** Returns a page of the active or released holds, newest first. */
export function listHolds(
  db: ReadableDb,
  { after, limit, lifted }: { after?: string | undefined; limit: number; lifted: boolean },
): Outputs['archive']['holds'] {
  const state = lifted ? 'lifted_at IS NOT NULL' : 'lifted_at IS NULL';
  const before = after === undefined ? Number.MAX_SAFE_INTEGER : Number(after);
  const sql = `SELECT * FROM archive_hold WHERE ${state} AND id < ? ORDER BY id DESC LIMIT ?`;
  const rows = select.rows<StoredHold>(db, sql, Number.isSafeInteger(before) ? before : 0, limit + 1);
  const more = rows.length > limit;
  const page = rows.slice(0, limit);
  const count = () =>
    prepare<number>(db, `SELECT count(*) FROM archive_hold WHERE ${state}`).pluck().get() as number;
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

/** Returns the reason of a statement's hold, or null if it has none. */
export function findHoldReason(db: ReadableDb, statement: number, subscription: number): string | null {
  const sql = `SELECT reason FROM archive_hold WHERE statement_id = ? AND lifted_at IS NULL
       UNION ALL SELECT reason FROM archive_hold WHERE subscription_id = ? AND lifted_at IS NULL LIMIT 1`;
  return select.value<string>(db, sql, statement, subscription);
}

/** Returns the statements and subscriptions on hold. */
export function listHeldSubjects(db: ReadableDb): { statements: number[]; subscriptions: number[] } {
  const ids = (column: 'statement_id' | 'subscription_id') =>
    select.values<number>(
      db,
      `SELECT ${column} FROM archive_hold WHERE lifted_at IS NULL AND ${column} IS NOT NULL ORDER BY 1`,
    );
  return { statements: ids('statement_id'), subscriptions: ids('subscription_id') };
}
