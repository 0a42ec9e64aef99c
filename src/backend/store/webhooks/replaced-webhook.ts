import type { Webhook } from '../../../billing/index.ts';
import { type ReadableDb, select } from '../sqlite/connection.ts';
import { toStoredWebhookBody } from './webhook-body.ts';

/** Content of a webhook that never changes, because resending a webhook only changes its delivery. */
export interface ReplacedWebhook {
  readonly id: number;
  readonly event: string;
  readonly created_at_text: string | null;
  readonly body: string | null;
}

/**
 * Returns the webhook versions that will be overwritten by rows with the same id but another event, time or body. These
 * versions were stored by a request that started before `readAt` (UTC milliseconds), or come earlier in the same list.
 */
export function findReplacedWebhooks(
  db: ReadableDb,
  rows: readonly Webhook[],
  readAt: number,
): ReplacedWebhook[] {
  const sql = `SELECT id, event, created_at_text, CAST(body AS TEXT) AS body FROM webhook
    WHERE id IN (SELECT value FROM json_each(?)) AND read_at <= ?`;
  const ids = JSON.stringify(rows.map(({ id }) => id));
  const versions = new Map(
    select.rows<ReplacedWebhook>(db, sql, ids, readAt).map((stored) => [stored.id, stored]),
  );
  const replaced: ReplacedWebhook[] = [];
  for (const row of rows) {
    const version = toVersion(row);
    const earlier = versions.get(row.id);
    if (earlier !== undefined && !isSameContent(earlier, version)) replaced.push(earlier);
    versions.set(row.id, version);
  }
  return replaced;
}

function toVersion({ id, event, created_at, body }: Webhook): ReplacedWebhook {
  return { id, event, created_at_text: created_at, body: toStoredWebhookBody(body).text };
}

const isSameContent = (one: ReplacedWebhook, other: ReplacedWebhook): boolean =>
  one.event === other.event && one.created_at_text === other.created_at_text && one.body === other.body;
