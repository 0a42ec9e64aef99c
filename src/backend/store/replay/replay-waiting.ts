import { prepared, type ReadableDb, type WritableDb } from '../database.ts';
import { type StoredItem, type StoredItemRow, shownItem } from './replay.ts';

/** The next webhooks of a replay that wait, in the plan's order, but for some; none of the `busy` subscriptions. */
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

/** All webhooks of a replay that wait. */
export function waitingIds(db: ReadableDb, job: string): number[] {
  return prepared<number>(
    db,
    "SELECT webhook_id FROM replay_item INDEXED BY replay_item_outcome WHERE job = ? AND outcome = 'waiting'",
  )
    .pluck()
    .all(job);
}

/** The subscriptions of some webhooks of a replay. */
export function subscriptionsOf(db: ReadableDb, job: string, ids: readonly number[]): number[] {
  return prepared<number>(
    db,
    `SELECT DISTINCT subscription_id FROM replay_item WHERE job = ? AND subscription_id IS NOT NULL
       AND webhook_id IN (SELECT value FROM json_each(?))`,
  )
    .pluck()
    .all(job, JSON.stringify(ids));
}

/** Ends what waits of a subscription as unresolved: it is not sent. Gives how many that are. */
export function holdWaiting(
  db: WritableDb,
  job: string,
  subscription: number,
  why: string,
  now: number,
): number {
  return prepared(
    db,
    `UPDATE replay_item SET outcome = 'unresolved', last_error = ?, resolved_at = ?
     WHERE job = ? AND outcome = 'waiting' AND subscription_id = ?`,
  ).run(why, now, job, subscription).changes;
}
