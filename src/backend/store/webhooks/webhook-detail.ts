import type { WebhookDetail } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';
import { webhookBodySql } from './body-compression.ts';
import { parseStoredWebhookBody, toDottedKey, type WebhookBodyForm } from './webhook-body.ts';
import { type StoredWebhookRow, toWebhookRow, webhookColumns } from './webhook-list.ts';

interface StoredDetail extends StoredWebhookRow {
  body: string;
  body_form: WebhookBodyForm;
  signature: string | null;
  extra: string;
  read_at: number;
}

/** Returns a webhook with its body, or null if it is not stored. */
export function getWebhookDetail(cache: ReadableDb, books: ReadableDb, id: number): WebhookDetail | null {
  const sql = `SELECT ${webhookColumns}, ${webhookBodySql} AS body, body_form, signature, extra, read_at
     FROM webhook WHERE id = ?`;
  const row = prepareSql<StoredDetail>(cache, sql).get(id);
  if (row === undefined) return null;
  const { body, body_form, signature, extra, read_at } = row;
  return {
    ...toWebhookRow(row),
    ...{ body, body_form, signature },
    fields: parseStoredWebhookBody(body, body_form).map(([key, value]) => ({
      key: toDottedKey(key),
      value,
    })),
    extra: JSON.parse(extra) as WebhookDetail['extra'],
    synced_at: formatTimestamp(read_at),
    replays: listReplaysOfWebhook(books, id),
  };
}

function listReplaysOfWebhook(books: ReadableDb, webhook: number): WebhookDetail['replays'] {
  const sql = `SELECT item.job, item.outcome, item.sent_at FROM replay_item AS item
     JOIN replay_job USING (job) WHERE item.webhook_id = ? ORDER BY replay_job.started_at DESC, item.job DESC`;
  return select
    .rows<{ job: string; outcome: string; sent_at: number | null }>(books, sql, webhook)
    .map((row) => ({ ...row, sent_at: formatTimestamp(row.sent_at) }));
}
