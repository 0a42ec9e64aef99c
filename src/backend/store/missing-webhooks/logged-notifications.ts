import type { LoggedNotification } from '../../../domain/missing-webhooks/index.ts';
import { prepareSql, type ReadableDb } from '../sqlite/connection.ts';
import { webhookBodySql } from '../webhooks/body-compression.ts';
import { readReportedIds, type WebhookBodyForm } from '../webhooks/webhook-body.ts';

interface LoggedRow {
  event: string;
  at: number;
  subscription_id: number | null;
  statement_id: number | null;
  component_id: number | null;
  body_form: WebhookBodyForm;
  body: string;
}

/** Returns at most `limit` stored webhooks that were created in a time range (UTC milliseconds), oldest first. */
export function listLoggedNotifications(
  cache: ReadableDb,
  { from, to }: { from: number; to: number },
  limit: number,
): LoggedNotification[] {
  const sql = `SELECT event, created_at AS at, subscription_id, statement_id, component_id, body_form, ${webhookBodySql} AS body
     FROM webhook INDEXED BY webhook_created WHERE created_at BETWEEN ? AND ? ORDER BY created_at LIMIT ?`;
  const found: LoggedNotification[] = [];
  for (const { body, body_form, ...row } of prepareSql<LoggedRow>(cache, sql).iterate(from, to, limit)) {
    const isStatement = row.event.startsWith('statement_');
    const { event_id, transaction_id } = readReportedIds(body, body_form);
    found.push({
      ...row,
      event_id,
      transaction_id: isStatement ? null : transaction_id,
      statement_id: isStatement ? row.statement_id : null,
    });
  }
  return found;
}
