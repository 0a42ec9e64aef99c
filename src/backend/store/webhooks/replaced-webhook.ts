import type { Webhook } from '../../../billing/index.ts';
import { type ReadableDb, select } from '../sqlite/connection.ts';
import { type StoredBody, webhookBodySql } from './body-compression.ts';
import { toStoredWebhookBody } from './webhook-body.ts';

/** Content of a webhook that never changes, because resending a webhook only changes its delivery. */
export interface ReplacedWebhook {
  readonly id: number;
  readonly event: string;
  readonly created_at_text: string | null;
  readonly body: string | null;
}

/** The stored version of a webhook. */
export interface StoredVersion {
  readonly content: ReplacedWebhook;
  readonly body: StoredBody;
  readonly read_at: number;
}

/** Returns the stored versions of these webhooks by id. */
export function readStoredVersions(db: ReadableDb, rows: readonly Webhook[]): Map<number, StoredVersion> {
  const sql = `SELECT id, event, created_at_text, ${webhookBodySql} AS text, body, body_dictionary, read_at FROM webhook
    WHERE id IN (SELECT value FROM json_each(?))`;
  type Row = Omit<ReplacedWebhook, 'body'> & StoredBody & { text: string; read_at: number };
  const stored = select.rows<Row>(db, sql, JSON.stringify(rows.map(({ id }) => id)));
  return new Map(
    stored.map(({ id, event, created_at_text, text, body, body_dictionary, read_at }) => [
      id,
      { content: { id, event, created_at_text, body: text }, body: { body, body_dictionary }, read_at },
    ]),
  );
}

/**
 * Returns the webhook versions that will be overwritten by rows with the same id but another event, time or body. These
 * versions were stored by a request that started before `readAt` (UTC milliseconds), or come earlier in the same list.
 */
export function findReplacedWebhooks(
  stored: ReadonlyMap<number, StoredVersion>,
  rows: readonly Webhook[],
  readAt: number,
): ReplacedWebhook[] {
  const versions = new Map<number, ReplacedWebhook>();
  for (const [id, { content, read_at }] of stored) if (read_at <= readAt) versions.set(id, content);
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
