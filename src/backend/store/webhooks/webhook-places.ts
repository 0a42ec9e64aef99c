import { prepared, type ReadableDb } from '../database.ts';

/** A webhook's place in the log: the log is in the order of created_at, then id. Instants in ms UTC. */
export interface WebhookPlace {
  id: number;
  created_at: number;
  created_at_text: string | null;
}

const NOT_ACCEPTED = 'class_id IN (SELECT id FROM webhook_class WHERE delivery <> 0)';

/** How many webhooks are held; counted by class, so at once. */
export function countWebhooks(db: ReadableDb): number {
  return prepared<number>(db, 'SELECT ifnull(sum(count), 0) FROM webhook_class').pluck().get() ?? 0;
}

/** The webhooks held as not accepted that were created from `from` on, oldest first. */
export function notAccepted(db: ReadableDb, from = 0): (WebhookPlace & { delivery: number })[] {
  return prepared<WebhookPlace & { delivery: number }>(
    db,
    `SELECT id, created_at, created_at_text, delivery FROM webhook WHERE ${NOT_ACCEPTED} AND created_at >= ?
     ORDER BY created_at, id`,
  ).all(from);
}

/** Those of these ids that are held as failed. */
export function failedOf(db: ReadableDb, ids: readonly number[]): number[] {
  return prepared<number>(
    db,
    'SELECT id FROM webhook WHERE id IN (SELECT value FROM json_each(?)) AND delivery = 1',
  )
    .pluck()
    .all(JSON.stringify(ids));
}

/** Whether any webhook is held that was created before this. */
export function holdsBefore(db: ReadableDb, at: number): boolean {
  return prepared(db, 'SELECT 1 FROM webhook WHERE created_at < ? LIMIT 1').get(at) !== undefined;
}

/** The places of those of these webhooks that are held, newest first. */
export function webhookPlaces(db: ReadableDb, ids: readonly number[]): WebhookPlace[] {
  return prepared<WebhookPlace>(
    db,
    `SELECT id, created_at, created_at_text FROM webhook WHERE id IN (SELECT value FROM json_each(?))
     ORDER BY created_at DESC, id DESC`,
  ).all(JSON.stringify(ids));
}

/** How many webhooks are held that stand behind `place` and were created before `until`. */
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

/** Which of these ids are held. */
export function heldWebhooks(db: ReadableDb, ids: readonly number[]): Set<number> {
  return new Set(
    prepared<number>(db, 'SELECT id FROM webhook WHERE id IN (SELECT value FROM json_each(?))')
      .pluck()
      .all(JSON.stringify(ids)),
  );
}

/** Whether all of these are held, as answers told whose requests began at `readAt` (ms UTC) or earlier. */
export function areHeldSince(db: ReadableDb, ids: readonly number[], readAt: number): boolean {
  const held = prepared<number>(
    db,
    'SELECT count(*) FROM webhook WHERE id IN (SELECT value FROM json_each(?)) AND read_at <= ?',
  )
    .pluck()
    .get(JSON.stringify(ids), readAt);
  return held === new Set(ids).size;
}

/** How many are held that were created from `from` on and before `until`, ms UTC. */
export function countCreated(db: ReadableDb, from: number, until: number): number {
  return (
    prepared<number>(db, 'SELECT count(*) FROM webhook WHERE created_at >= ? AND created_at < ?')
      .pluck()
      .get(from, until) ?? 0
  );
}

/** The created_at of the row that so many others stand before, of those created from `from` on; null where there is none. */
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
