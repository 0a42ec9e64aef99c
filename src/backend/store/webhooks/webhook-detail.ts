import type { WebhookDetail } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { prepared, type ReadableDb } from '../sqlite/connection.ts';
import { type BodyForm, dottedKey, storedBodyFields } from './body.ts';
import { rowColumns, type StoredRow, shownRow } from './webhook-list.ts';

interface StoredDetail extends StoredRow {
  body: string;
  body_form: BodyForm;
  signature: string | null;
  extra: string;
  read_at: number;
}

/** Returns a complete webhook, or null if it is not stored. */
export function webhookDetail(cache: ReadableDb, books: ReadableDb, id: number): WebhookDetail | null {
  const row = prepared<StoredDetail>(
    cache,
    `SELECT ${rowColumns}, body, body_form, signature, extra, read_at FROM webhook WHERE id = ?`,
  ).get(id);
  if (row === undefined) return null;
  const { read_at, extra, ...rest } = row;
  return {
    ...shownRow(rest),
    fields: storedBodyFields(row.body, row.body_form).map(([key, value]) => ({
      key: dottedKey(key),
      value,
    })),
    extra: JSON.parse(extra) as WebhookDetail['extra'],
    synced_at: formatTimestamp(read_at),
    replays: replaysOf(books, id),
  };
}

function replaysOf(books: ReadableDb, webhook: number): WebhookDetail['replays'] {
  return prepared<{ job: string; outcome: string; sent_at: number | null }>(
    books,
    `SELECT item.job, item.outcome, item.sent_at FROM replay_item AS item
     JOIN replay_job USING (job) WHERE item.webhook_id = ? ORDER BY replay_job.started_at DESC, item.job DESC`,
  )
    .all(webhook)
    .map((row) => ({ ...row, sent_at: formatTimestamp(row.sent_at) }));
}
