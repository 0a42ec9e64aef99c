import { prepared, type ReadableDb, type WritableDb } from './database.ts';
import { type StoredItem, type StoredItemRow, shownItem } from './replay.ts';

/** The next webhooks of a replay that wait, in the plan's order; none of the `busy` subscriptions. */
export function waitingItems(
  db: ReadableDb,
  job: string,
  limit: number,
  busy: readonly number[] = [],
): StoredItem[] {
  return prepared<StoredItemRow>(
    db,
    `SELECT * FROM replay_item INDEXED BY replay_item_outcome WHERE job = ? AND outcome = 'waiting'
       AND (subscription_id IS NULL OR subscription_id NOT IN (SELECT value FROM json_each(?)))
     ORDER BY ordinal LIMIT ?`,
  )
    .all(job, JSON.stringify(busy), limit)
    .map(shownItem);
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
