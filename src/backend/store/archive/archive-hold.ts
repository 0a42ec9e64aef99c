import type { ArchiveHold, Outputs } from '../../../contract/index.ts';
import { prepared, type ReadableDb, type WritableDb } from '../database.ts';
import { isoMoment } from '../moment.ts';

interface StoredHold extends Omit<ArchiveHold, 'hold' | 'placed_at' | 'lifted_at'> {
  id: number;
  placed_at: number;
  lifted_at: number | null;
}

/** What a hold is on: a statement, or all of a subscription. */
export type Held = { readonly statement_id: number } | { readonly subscription_id: number };

/** Places a hold, unless one stands there already; gives its number, null where it was not needed. `at` in ms UTC. */
export function placeHold(
  db: WritableDb,
  on: Held,
  { reason, at, who }: { reason: string; at: number; who: string },
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
  ).run(id, reason, at, who);
  return Number(lastInsertRowid);
}

/** Lifts a hold; gives what it was on, null where it is not there or lifted already. */
export function liftHold(
  db: WritableDb,
  id: number,
  { reason, at, who }: { reason: string; at: number; who: string },
): Pick<StoredHold, 'statement_id' | 'subscription_id'> | null {
  return (
    prepared<Pick<StoredHold, 'statement_id' | 'subscription_id'>>(
      db,
      `UPDATE archive_hold SET lifted_at = ?, lifted_by = ?, lifted_why = ? WHERE id = ? AND lifted_at IS NULL
       RETURNING statement_id, subscription_id`,
    ).get(at, who, reason, id) ?? null
  );
}

/** A page of the holds, the newest first: those that stand, or those lifted. */
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
      placed_at: isoMoment(placed_at),
      lifted_at: isoMoment(lifted_at),
    })),
    next: more ? String(page.at(-1)?.id) : null,
    total: after === undefined ? { count: count(), exact: true } : null,
  };
}

/** Why a statement is held back; null where nothing holds it. */
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

/** The statements and the subscriptions that holds stand on. */
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
