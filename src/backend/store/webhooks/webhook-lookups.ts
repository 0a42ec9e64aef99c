import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';

/** Position of a webhook in the log, which is ordered by `created_at`, then id. Instants are UTC milliseconds. */
export interface WebhookLogPosition {
  id: number;
  created_at: number;
  created_at_text: string | null;
}

const NOT_ACCEPTED = 'class_id IN (SELECT id FROM webhook_class WHERE delivery <> 0)';

/** Returns the number of stored webhooks, as the sum of the counts per class. */
export function countStoredWebhooks(db: ReadableDb): number {
  return select.value<number>(db, 'SELECT ifnull(sum(count), 0) FROM webhook_class') ?? 0;
}

/** Returns the stored webhooks that were not accepted and were created at or after `from`, oldest first. */
export function listNotAcceptedWebhooks(
  db: ReadableDb,
  from = 0,
): (WebhookLogPosition & { delivery: number })[] {
  const sql = `SELECT id, created_at, created_at_text, delivery FROM webhook WHERE ${NOT_ACCEPTED} AND created_at >= ?
     ORDER BY created_at, id`;
  return select.rows<WebhookLogPosition & { delivery: number }>(db, sql, from);
}

/** Returns the ids among these whose stored delivery state is `failed`. */
export function filterFailedWebhooks(db: ReadableDb, ids: readonly number[]): number[] {
  const sql = 'SELECT id FROM webhook WHERE id IN (SELECT value FROM json_each(?)) AND delivery = 1';
  return select.values<number>(db, sql, JSON.stringify(ids));
}

/** Returns true if a stored webhook was created before an instant. */
export function isAnyWebhookCreatedBefore(db: ReadableDb, at: number): boolean {
  return prepareSql(db, 'SELECT 1 FROM webhook WHERE created_at < ? LIMIT 1').get(at) !== undefined;
}

/** Returns the log positions of these webhooks if they are stored, newest first. */
export function listWebhookLogPositions(db: ReadableDb, ids: readonly number[]): WebhookLogPosition[] {
  const sql = `SELECT id, created_at, created_at_text FROM webhook WHERE id IN (SELECT value FROM json_each(?))
     ORDER BY created_at DESC, id DESC`;
  return select.rows<WebhookLogPosition>(db, sql, JSON.stringify(ids));
}

/** Returns the number of stored webhooks after a log position that were created before `until`. */
export function countWebhooksAfter(db: ReadableDb, webhook: WebhookLogPosition, until: number): number {
  const { id, created_at } = webhook;
  const sql = `SELECT (SELECT count(*) FROM webhook WHERE created_at > ? AND created_at < ?)
            + (SELECT count(*) FROM webhook WHERE created_at = ? AND id > ?)`;
  return select.value<number>(db, sql, created_at, until, created_at, id) ?? 0;
}

/** Returns the ids among these that are stored. */
export function filterStoredWebhooks(db: ReadableDb, ids: readonly number[]): Set<number> {
  const sql = 'SELECT id FROM webhook WHERE id IN (SELECT value FROM json_each(?))';
  return new Set(select.values<number>(db, sql, JSON.stringify(ids)));
}

/** Returns true if all of these webhooks are stored from requests started at or before `readAt` (UTC milliseconds). */
export function areWebhooksReadAtOrBefore(db: ReadableDb, ids: readonly number[], readAt: number): boolean {
  const sql = 'SELECT count(*) FROM webhook WHERE id IN (SELECT value FROM json_each(?)) AND read_at <= ?';
  const stored = prepareSql<number>(db, sql).pluck().get(JSON.stringify(ids), readAt);
  return stored === new Set(ids).size;
}

/** Returns the number of stored webhooks created at or after `from` and before `until` (UTC milliseconds). */
export function countWebhooksCreatedBetween(db: ReadableDb, from: number, until: number): number {
  const sql = 'SELECT count(*) FROM webhook WHERE created_at >= ? AND created_at < ?';
  return select.value<number>(db, sql, from, until) ?? 0;
}

/** Returns the creation time (UTC milliseconds) of the webhook after `others` earlier ones since `from`, or null. */
export function findNthWebhookCreationTime(db: ReadableDb, from: number, others: number): number | null {
  const sql = 'SELECT created_at FROM webhook WHERE created_at >= ? ORDER BY created_at LIMIT 1 OFFSET ?';
  return select.value<number>(db, sql, from, others);
}
