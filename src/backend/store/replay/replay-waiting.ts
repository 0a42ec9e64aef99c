import { prepared, type ReadableDb, type WritableDb } from '../sqlite/connection.ts';
import { type StoredItem, type StoredItemRow, shownItem } from './replay.ts';

/**
 * Returns the next waiting webhooks of a replay in the plan's order, except the given ones and those of `busy`
 * subscriptions.
 */
export function waitingItems(
  db: ReadableDb,
  job: string,
  limit: number,
  except: readonly number[],
  busy: readonly number[] = [],
): StoredItem[] {
  return prepared<StoredItemRow>(
    db,
    `SELECT * FROM replay_item INDEXED BY replay_item_outcome WHERE job = ? AND outcome = 'waiting'
       AND webhook_id NOT IN (SELECT value FROM json_each(?))
       AND (subscription_id IS NULL OR subscription_id NOT IN (SELECT value FROM json_each(?)))
     ORDER BY ordinal LIMIT ?`,
  )
    .all(job, JSON.stringify(except), JSON.stringify(busy), limit)
    .map(shownItem);
}

/** Returns the ids of all waiting webhooks of a replay. */
export function waitingIds(db: ReadableDb, job: string): number[] {
  return prepared<number>(
    db,
    "SELECT webhook_id FROM replay_item INDEXED BY replay_item_outcome WHERE job = ? AND outcome = 'waiting'",
  )
    .pluck()
    .all(job);
}

/** Returns the subscriptions of some webhooks of a replay. */
export function subscriptionsOf(db: ReadableDb, job: string, ids: readonly number[]): number[] {
  return prepared<number>(
    db,
    `SELECT DISTINCT subscription_id FROM replay_item WHERE job = ? AND subscription_id IS NOT NULL
       AND webhook_id IN (SELECT value FROM json_each(?))`,
  )
    .pluck()
    .all(job, JSON.stringify(ids));
}

/** Marks a subscription's waiting webhooks as unresolved, so that they are not sent. Returns their number. */
export function holdWaiting(
  db: WritableDb,
  job: string,
  subscription: number,
  reason: string,
  now: number,
): number {
  return prepared(
    db,
    `UPDATE replay_item SET outcome = 'unresolved', last_error = ?, resolved_at = ?
     WHERE job = ? AND outcome = 'waiting' AND subscription_id = ?`,
  ).run(reason, now, job, subscription).changes;
}
