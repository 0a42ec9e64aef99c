import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';
import { webhookBodySql } from '../webhooks/body-compression.ts';
import type { WebhookBodyForm } from '../webhooks/webhook-body.ts';

/** A stored webhook body as received from the service. */
export interface StoredWebhookBody {
  id: number;
  body: string;
  body_form: WebhookBodyForm;
  /** Signature that the service sent with the body, or null. */
  signature: string | null;
}

export function readWebhookBody(cache: ReadableDb, id: number): StoredWebhookBody | null {
  const sql = `SELECT id, ${webhookBodySql} AS body, body_form, signature FROM webhook WHERE id = ?`;
  return select.row<StoredWebhookBody>(cache, sql, id);
}

/** Returns the newest webhooks with a signature, newest first. */
export function listNewestSignedBodies(cache: ReadableDb, limit: number): StoredWebhookBody[] {
  const sql = `SELECT id, ${webhookBodySql} AS body, body_form, signature FROM webhook INDEXED BY webhook_created
     WHERE signature IS NOT NULL ORDER BY created_at DESC LIMIT ?`;
  return select.rows<StoredWebhookBody>(cache, sql, limit);
}

/** Returns the complete address of a plan's endpoint, or null if the service resends the webhooks. */
export function findPlanEndpoint(
  books: ReadableDb,
  plan: string,
): { endpoint: string; include_unverified: boolean } | null {
  const sql = 'SELECT endpoint, summary FROM replay_plan WHERE id = ? AND endpoint IS NOT NULL';
  const row = select.row<{ endpoint: string; summary: string }>(books, sql, plan);
  if (row === null) return null;
  const { include_unverified = false } = JSON.parse(row.summary) as { include_unverified?: boolean };
  return { endpoint: row.endpoint, include_unverified };
}

/**
 * Returns a function that checks if an address (without query) accepted a local delivery of a webhook. The check is
 * fast if the site has no local deliveries.
 */
export function createLocalAcceptanceLookup(
  books: ReadableDb,
): (webhook: number, address: string) => boolean {
  const hasAny = select.value<number>(books, 'SELECT 1 FROM replay_plan WHERE address IS NOT NULL LIMIT 1');
  if (hasAny === null) return () => false;
  const sql = `SELECT 1 FROM replay_item CROSS JOIN replay_job USING (job) JOIN replay_plan ON replay_plan.id = replay_job.plan
     WHERE webhook_id = ? AND outcome = 'accepted' AND address = ? LIMIT 1`;
  const statement = prepareSql<unknown>(books, sql);
  return (webhook, address) => statement.get(webhook, address) !== undefined;
}

/** Returns those of these webhooks that an address (without its query) accepted, according to the log. */
export function listWebhooksAcceptedByAddress(
  cache: ReadableDb,
  ids: readonly number[],
  address: string,
): number[] {
  const sql = `SELECT webhook.id FROM webhook JOIN webhook_class ON webhook_class.id = class_id
     WHERE webhook.id IN (SELECT value FROM json_each(?)) AND successful = 1 AND url = ?`;
  return select.values<number>(cache, sql, JSON.stringify(ids), address);
}
