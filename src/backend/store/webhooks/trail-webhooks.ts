import type { TrailRecord } from '../../../contract/index.ts';
import { type ReadableDb, select } from '../sqlite/connection.ts';
import { webhookBodySql } from './body-compression.ts';
import { deliveryStates } from './webhook.ts';
import { parseStoredWebhookBody, toDottedKey, type WebhookBodyForm } from './webhook-body.ts';

interface StoredBody {
  readonly body: string;
  readonly body_form: WebhookBodyForm;
}

interface FoundWebhook extends StoredBody {
  readonly id: number;
  readonly statement_id: number | null;
  readonly event: string;
  readonly delivery: number;
  readonly created_at_text: string | null;
}

const COLUMNS = `id, statement_id, event, delivery, created_at, created_at_text, body_form, ${webhookBodySql} AS body`;

/** Returns the webhooks about a payment and about its statement as records of a trail, oldest first. */
export function listTrailWebhooks(
  cache: ReadableDb,
  payment: { readonly id: number; readonly statement_id: number; readonly subscription_id: number | null },
): TrailRecord[] {
  const sql = `SELECT ${COLUMNS} FROM webhook WHERE statement_id = ?
     UNION SELECT ${COLUMNS} FROM webhook WHERE subscription_id = ? AND instr(${webhookBodySql}, ?) > 0 ORDER BY created_at, id`;
  const { id, statement_id, subscription_id } = payment;
  const found = select.rows<FoundWebhook>(cache, sql, statement_id, subscription_id, String(id));
  return found
    .filter((webhook) => {
      const transaction = findTransactionId(webhook);
      return transaction === null ? webhook.statement_id === statement_id : transaction === id;
    })
    .map(({ id: webhook, event, delivery, created_at_text }) => ({
      ...{ id: webhook, dated_on: null, at: created_at_text, title: event },
      ...{ detail: deliveryStates[delivery] ?? null, amount_in_cents: null, currency: null },
    }));
}

/** Returns the transaction and the statement that a webhook is about; null for what its body does not name. */
export function findWebhookSubject(
  cache: ReadableDb,
  id: number,
): { readonly transaction: number | null; readonly statement: number | null } | null {
  const sql = `SELECT ${webhookBodySql} AS body, body_form, statement_id FROM webhook WHERE id = ?`;
  const [webhook] = select.rows<StoredBody & { statement_id: number | null }>(cache, sql, id);
  return webhook === undefined
    ? null
    : { transaction: findTransactionId(webhook), statement: webhook.statement_id };
}

/** Returns the id of the transaction in a webhook's body, or null if it contains none. */
function findTransactionId({ body, body_form }: StoredBody): number | null {
  const pairs = parseStoredWebhookBody(body, body_form);
  const value = pairs.find(([key]) => toDottedKey(key) === 'payload.transaction.id')?.[1];
  return value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : null;
}
