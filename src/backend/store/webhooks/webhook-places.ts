import { prepared, type ReadableDb } from '../sqlite/connection.ts';

/** A webhook's position in the log, which is ordered by `created_at`, then id. Instants are UTC milliseconds. */
export interface WebhookPlace {
  id: number;
  created_at: number;
  created_at_text: string | null;
}

const NOT_ACCEPTED = 'class_id IN (SELECT id FROM webhook_class WHERE delivery <> 0)';

/** Returns the number of stored webhooks from the counts per class. */
export function countWebhooks(db: ReadableDb): number {
  return prepared<number>(db, 'SELECT ifnull(sum(count), 0) FROM webhook_class').pluck().get() ?? 0;
}

/** Returns the stored webhooks not accepted and created at or after `from`, oldest first. */
export function notAccepted(db: ReadableDb, from = 0): (WebhookPlace & { delivery: number })[] {
  return prepared<WebhookPlace & { delivery: number }>(
    db,
    `SELECT id, created_at, created_at_text, delivery FROM webhook WHERE ${NOT_ACCEPTED} AND created_at >= ?
     ORDER BY created_at, id`,
  ).all(from);
}

/** Returns which of these ids are stored as failed. */
export function failedOf(db: ReadableDb, ids: readonly number[]): number[] {
  return prepared<number>(
    db,
    'SELECT id FROM webhook WHERE id IN (SELECT value FROM json_each(?)) AND delivery = 1',
  )
    .pluck()
    .all(JSON.stringify(ids));
}

/** Returns true if a stored webhook was created before an instant. */
export function holdsBefore(db: ReadableDb, at: number): boolean {
  return prepared(db, 'SELECT 1 FROM webhook WHERE created_at < ? LIMIT 1').get(at) !== undefined;
}

/** Returns the positions of the stored ones among these webhooks, newest first. */
export function webhookPlaces(db: ReadableDb, ids: readonly number[]): WebhookPlace[] {
  return prepared<WebhookPlace>(
    db,
    `SELECT id, created_at, created_at_text FROM webhook WHERE id IN (SELECT value FROM json_each(?))
     ORDER BY created_at DESC, id DESC`,
  ).all(JSON.stringify(ids));
}

/** Returns the number of stored webhooks after a position and created before `until`. */
export function countNewer(db: ReadableDb, place: WebhookPlace, until: number): number {
  const { id, created_at } = place;
  return (
    prepared<number>(
      db,
      `SELECT (SELECT count(*) FROM webhook WHERE created_at > ? AND created_at < ?)
            + (SELECT count(*) FROM webhook WHERE created_at = ? AND id > ?)`,
    )
      .pluck()
      .get(created_at, until, created_at, id) ?? 0
  );
}

/** Returns which of these ids are stored. */
export function storedWebhooks(db: ReadableDb, ids: readonly number[]): Set<number> {
  return new Set(
    prepared<number>(db, 'SELECT id FROM webhook WHERE id IN (SELECT value FROM json_each(?))')
      .pluck()
      .all(JSON.stringify(ids)),
  );
}

/** Returns true if all of these are stored from requests that started at or before `readAt` (UTC milliseconds). */
export function areHeldSince(db: ReadableDb, ids: readonly number[], readAt: number): boolean {
  const stored = prepared<number>(
    db,
    'SELECT count(*) FROM webhook WHERE id IN (SELECT value FROM json_each(?)) AND read_at <= ?',
  )
    .pluck()
    .get(JSON.stringify(ids), readAt);
  return stored === new Set(ids).size;
}

/** Returns the number of stored webhooks created from `from` on and before `until` (UTC milliseconds). */
export function countCreated(db: ReadableDb, from: number, until: number): number {
  return (
    prepared<number>(db, 'SELECT count(*) FROM webhook WHERE created_at >= ? AND created_at < ?')
      .pluck()
      .get(from, until) ?? 0
  );
}

/** Returns the `created_at` of the row preceded by this many others among those created from `from` on, or null. */
export function createdBehind(db: ReadableDb, from: number, others: number): number | null {
  return (
    prepared<number>(
      db,
      'SELECT created_at FROM webhook WHERE created_at >= ? ORDER BY created_at LIMIT 1 OFFSET ?',
    )
      .pluck()
      .get(from, others) ?? null
  );
}
