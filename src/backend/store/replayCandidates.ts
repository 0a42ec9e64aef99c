import type { WebhookFilter } from '../../contract/index.ts';
import { prepared, type ReadableDb } from './database.ts';
import { readPage } from './keyset.ts';
import type { PlanItem } from './replay.ts';
import { webhookReading } from './webhookReading.ts';
import { selectWebhooks } from './webhookSelection.ts';

/** A webhook as a plan looks at it. Instants in ms UTC. */
export interface Candidate extends PlanItem {
  /** 0 accepted, 1 failed, 2 pending. */
  delivery: number;
  created_at_text: string | null;
  last_sent_ms: number;
  /** The address without its query. */
  url: string;
  /** The normalised error; null where none is recorded. */
  error: string | null;
}

const CHUNK = 1000;

const columns = `webhook.id AS webhook_id, webhook.event, created_at, successful, accepted_at_text AS accepted_at,
  last_sent_at_text AS last_sent_at, last_error_at_text AS last_error_at, last_error, webhook.delivery, created_at_text,
  webhook.last_sent_at AS last_sent_ms, webhook_class.url, webhook_error.error`;

/** The webhooks a filter selects, oldest first; a thousand at a time, so that no number of them is too many. */
export function* candidatesOf(
  db: ReadableDb,
  filter: WebhookFilter,
): Generator<Candidate[], void, undefined> {
  const reading = webhookReading(db, selectWebhooks(db, filter), { by: 'created_at', direction: 'asc' });
  for (let after: string | undefined; ; ) {
    const { keys, next } = readPage(db, reading, { after, limit: CHUNK });
    const ids = keys.map((key) => Number(key.at(-1)));
    if (ids.length > 0) yield candidatesAt(db, ids);
    if (next === null) return;
    after = next;
  }
}

/** Those of these webhooks that are held, oldest first. */
export function candidatesAt(db: ReadableDb, ids: readonly number[]): Candidate[] {
  return prepared<Omit<Candidate, 'successful'> & { successful: number }>(
    db,
    `SELECT ${columns} FROM webhook JOIN webhook_class ON webhook_class.id = class_id
       LEFT JOIN webhook_error ON webhook_error.id = error_id
     WHERE webhook.id IN (SELECT value FROM json_each(?)) ORDER BY created_at, webhook.id`,
  )
    .all(JSON.stringify(ids))
    .map((row) => ({ ...row, successful: row.successful === 1 }));
}
