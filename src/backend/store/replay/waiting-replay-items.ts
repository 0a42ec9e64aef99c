import { prepareSql, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { type StoredReplayItem, type StoredReplayItemRow, toStoredReplayItem } from './replay.ts';

/** Yields the next waiting webhooks in plan order. Omits excluded webhooks and busy subscriptions. */
export function* readWaitingReplayItems(
  db: ReadableDb,
  job: string,
  limit: number,
  { except, busy = [] }: { except: readonly number[]; busy?: readonly number[] },
): Generator<StoredReplayItem, void, undefined> {
  const sql = `SELECT * FROM replay_item INDEXED BY replay_item_outcome WHERE job = ? AND outcome = 'waiting'
       AND webhook_id NOT IN (SELECT value FROM json_each(?))
       AND (subscription_id IS NULL OR subscription_id NOT IN (SELECT value FROM json_each(?)))
     ORDER BY ordinal LIMIT ?`;
  const excluded = [JSON.stringify(except), JSON.stringify(busy)];
  const rows = prepareSql<StoredReplayItemRow>(db, sql).iterate(job, ...excluded, limit);
  for (const row of rows) yield toStoredReplayItem(row);
}

export function listWaitingWebhookIds(db: ReadableDb, job: string): number[] {
  const sql =
    "SELECT webhook_id FROM replay_item INDEXED BY replay_item_outcome WHERE job = ? AND outcome = 'waiting'";
  return select.values<number>(db, sql, job);
}

/** Returns the subscriptions to which these webhooks of a replay belong. */
export function listSubscriptionsForWebhooks(db: ReadableDb, job: string, ids: readonly number[]): number[] {
  const sql = `SELECT DISTINCT subscription_id FROM replay_item WHERE job = ? AND subscription_id IS NOT NULL
       AND webhook_id IN (SELECT value FROM json_each(?))`;
  return select.values<number>(db, sql, job, JSON.stringify(ids));
}

/** Marks a subscription's waiting webhooks as unresolved, so that they are not sent. Returns their number. */
export function skipWaitingReplayItems(
  db: WritableDb,
  job: string,
  subscription: number,
  { reason, now }: { reason: string; now: number },
): number {
  const sql = `UPDATE replay_item SET outcome = 'unresolved', last_error = ?, resolved_at = ?
     WHERE job = ? AND outcome = 'waiting' AND subscription_id = ?`;
  return prepareSql(db, sql).run(reason, now, job, subscription).changes;
}
