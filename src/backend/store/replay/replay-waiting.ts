import { prepare, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { type StoredItem, type StoredItemRow, toStoredItem } from './replay.ts';

/** Returns the next waiting webhooks in the plan's order, except some ids and subscriptions. */
export function listWaitingItems(
  db: ReadableDb,
  job: string,
  limit: number,
  { except, busy = [] }: { except: readonly number[]; busy?: readonly number[] },
): StoredItem[] {
  const sql = `SELECT * FROM replay_item INDEXED BY replay_item_outcome WHERE job = ? AND outcome = 'waiting'
       AND webhook_id NOT IN (SELECT value FROM json_each(?))
       AND (subscription_id IS NULL OR subscription_id NOT IN (SELECT value FROM json_each(?)))
     ORDER BY ordinal LIMIT ?`;
  const excluded = [JSON.stringify(except), JSON.stringify(busy)];
  return select.rows<StoredItemRow>(db, sql, job, ...excluded, limit).map(toStoredItem);
}

/** Returns the ids of all waiting webhooks of a replay. */
export function listWaitingIds(db: ReadableDb, job: string): number[] {
  const sql =
    "SELECT webhook_id FROM replay_item INDEXED BY replay_item_outcome WHERE job = ? AND outcome = 'waiting'";
  return select.values<number>(db, sql, job);
}

/** Returns the subscriptions of the given webhooks of a replay. */
export function listSubscriptionsOfItems(db: ReadableDb, job: string, ids: readonly number[]): number[] {
  const sql = `SELECT DISTINCT subscription_id FROM replay_item WHERE job = ? AND subscription_id IS NOT NULL
       AND webhook_id IN (SELECT value FROM json_each(?))`;
  return select.values<number>(db, sql, job, JSON.stringify(ids));
}

/** Marks a subscription's waiting webhooks as unresolved, so that they are not sent. Returns their number. */
export function skipWaitingItems(
  db: WritableDb,
  job: string,
  subscription: number,
  { reason, now }: { reason: string; now: number },
): number {
  const sql = `UPDATE replay_item SET outcome = 'unresolved', last_error = ?, resolved_at = ?
     WHERE job = ? AND outcome = 'waiting' AND subscription_id = ?`;
  return prepare(db, sql).run(reason, now, job, subscription).changes;
}
