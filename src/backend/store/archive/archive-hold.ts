import type { ArchiveHold, Outputs } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { prepared, type ReadableDb, type WritableDb } from '../sqlite/connection.ts';

interface StoredHold extends Omit<ArchiveHold, 'hold' | 'placed_at' | 'lifted_at'> {
  id: number;
  placed_at: number;
  lifted_at: number | null;
}

/** Subject of a hold: a statement or a subscription. */
export type Stored = { readonly statement_id: number } | { readonly subscription_id: number };

/** Places a hold unless there is one already. Returns its id, or null. `at` is UTC milliseconds. */
export function placeHold(
  db: WritableDb,
  on: Stored,
  { reason, at, user }: { reason: string; at: number; user: string },
): number | null {
  const column = 'statement_id' in on ? 'statement_id' : 'subscription_id';
  const id = 'statement_id' in on ? on.statement_id : on.subscription_id;
  const standing = prepared(db, `SELECT 1 FROM archive_hold WHERE ${column} = ? AND lifted_at IS NULL`).get(
    id,
  );
  if (standing !== undefined) return null;
  const { lastInsertRowid } = prepared(
    db,
    `INSERT INTO archive_hold (${column}, reason, placed_at, placed_by) VALUES (?, ?, ?, ?)`,
  ).run(id, reason, at, user);
  return Number(lastInsertRowid);
}

/** Releases a hold. Returns its subject, or null if it does not exist or was already released. */
export function liftHold(
  db: WritableDb,
  id: number,
  { reason, at, user }: { reason: string; at: number; user: string },
): Pick<StoredHold, 'statement_id' | 'subscription_id'> | null {
  return (
    prepared<Pick<StoredHold, 'statement_id' | 'subscription_id'>>(
      db,
      `UPDATE archive_hold SET lifted_at = ?, lifted_by = ?, lifted_reason = ? WHERE id = ? AND lifted_at IS NULL
       RETURNING statement_id, subscription_id`,
    ).get(at, user, reason, id) ?? null
  );
}

/** Returns a page of the active or released holds, newest first. */
export function listHolds(
  db: ReadableDb,
  { after, limit, lifted }: { after?: string | undefined; limit: number; lifted: boolean },
): Outputs['archive']['holds'] {
  const state = lifted ? 'lifted_at IS NOT NULL' : 'lifted_at IS NULL';
  const before = after === undefined ? Number.MAX_SAFE_INTEGER : Number(after);
  const rows = prepared<StoredHold>(
    db,
    `SELECT * FROM archive_hold WHERE ${state} AND id < ? ORDER BY id DESC LIMIT ?`,
  ).all(Number.isSafeInteger(before) ? before : 0, limit + 1);
  const more = rows.length > limit;
  const page = rows.slice(0, limit);
  const count = () =>
    prepared<number>(db, `SELECT count(*) FROM archive_hold WHERE ${state}`).pluck().get() as number;
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
export function holdOn(db: ReadableDb, statement: number, subscription: number): string | null {
  return (
    prepared<string>(
      db,
      `SELECT reason FROM archive_hold WHERE statement_id = ? AND lifted_at IS NULL
       UNION ALL SELECT reason FROM archive_hold WHERE subscription_id = ? AND lifted_at IS NULL LIMIT 1`,
    )
      .pluck()
      .get(statement, subscription) ?? null
  );
}

/** Returns the statements and subscriptions on hold. */
export function heldBack(db: ReadableDb): { statements: number[]; subscriptions: number[] } {
  const ids = (column: 'statement_id' | 'subscription_id') =>
    prepared<number>(
      db,
      `SELECT ${column} FROM archive_hold WHERE lifted_at IS NULL AND ${column} IS NOT NULL ORDER BY 1`,
    )
      .pluck()
      .all();
  return { statements: ids('statement_id'), subscriptions: ids('subscription_id') };
}
