import type { Webhook } from '../../../billing/index.ts';
import { readWebhookFacts } from '../../../domain/checks/index.ts';
import { toDeliveryErrorGroup } from '../../../domain/webhooks/delivery-error-group.ts';
import { parseTimestamp } from '../../shared/timestamps.ts';
import { prepareSql, type SqlValues, select, type WritableDb } from '../sqlite/connection.ts';
import { createRowChangeCounts, createRowUpsert, type RowChangeCounts } from '../sqlite/row-upsert.ts';
import { addSubscriptions } from '../statements/subscription.ts';
import type { StoredBody } from './body-compression.ts';
import { createBodyCompressor } from './body-dictionary.ts';
import { type NewWebhookRow, recordNewWebhookRows } from './new-webhook-rows.ts';
import { findReplacedWebhooks, type ReplacedWebhook, readStoredVersions } from './replaced-webhook.ts';
import { toStoredSignature, toStoredTime } from './short-values.ts';
import {
  parseBodyFactFields,
  toStoredWebhookBody,
  type WebhookBodyForm,
  type WebhookBodyHints,
} from './webhook-body.ts';

/** Delivery states. The index is the stored value of `webhook.delivery` and `webhook_class.delivery`. */
export const deliveryStates = ['accepted', 'failed', 'pending'] as const;

/** Ids of a webhook and the hints in its body, which tell a sync which records have changed. */
export interface HintedWebhook extends WebhookBodyHints {
  id: number;
  event: string;
}

const upsert = createRowUpsert({
  table: 'webhook',
  key: ['id'],
  stable: ['created_at', 'subscription_id', 'statement_id', 'component_id'],
  volatile: [
    ...['class_id', 'successful', 'delivery', 'accepted_at', 'last_sent_at'],
    ...[
      'event',
      'stored_created_at_text',
      'stored_last_sent_at_text',
      'stored_signature',
      'body',
      'body_dictionary',
    ],
  ],
  defaults: {
    ...{ accepted_at_text: null, last_sent_url: null, extra: '{}', body_form: 'form', body_facts: '' },
    ...{ error_id: null, last_error_at: null, last_error_at_text: null, last_error: null },
  },
});

/** SQL for fields that are only stored if they cannot be derived from other columns or from the webhook class. */
export const sentWebhookFieldsSql = {
  accepted_at: 'iif(accepted_at IS NULL, accepted_at_text, coalesce(accepted_at_text, last_sent_at_text))',
  last_sent_url:
    "coalesce(last_sent_url, (SELECT nullif(url, '') FROM webhook_class WHERE webhook_class.id = class_id))",
} as const;

/**
 * Stores rows of the webhook log, read by a request that started at `readAt` (UTC milliseconds, local clock). Must be
 * called in the transaction that saves the checkpoint. `arrived` contains the new rows with the ids named in their
 * bodies. `replaced` contains the versions that this call overwrites with other content.
 */
export function upsertWebhooks(
  db: WritableDb,
  rows: readonly Webhook[],
  readAt: number,
): RowChangeCounts & { arrived: HintedWebhook[]; replaced: ReplacedWebhook[] } {
  const stored = readStoredVersions(db, rows);
  const replaced = findReplacedWebhooks(stored, rows, readAt);
  const compress = createBodyCompressor(db);
  const tally = createRowChangeCounts();
  const arrived: (HintedWebhook & NewWebhookRow)[] = [];
  const subscriptions = new Set<number>();
  const classOf = createClassLookup(db);
  for (const row of removeRepeats(rows)) {
    const body = toStoredWebhookBody(row.body);
    const { text, hints, form } = body;
    const version = stored.get(row.id);
    const delivery = getWebhookDeliveryState(row);
    const class_id = classOf(row.event, delivery, row.last_sent_url);
    const error_id = delivery === 1 ? findOrAddError(db, toDeliveryErrorGroup(row.last_error)) : null;
    const created_at = parseTimestamp(row.created_at) ?? 0;
    const storedBody = {
      form,
      hints,
      facts: findBodyFacts(text, form),
      ...(version?.content.body === text ? version.body : compress(text)),
    };
    const ids = { class_id, delivery, error_id, created_at };
    const change = upsert(db, toWebhookValues(row, storedBody, ids, readAt));
    tally[change] += 1;
    if (change === 'unchanged') continue;
    if (hints.subscription_id !== null) subscriptions.add(hints.subscription_id);
    if (change === 'changed') continue;
    arrived.push({ id: row.id, event: row.event, class_id, error_id, created_at, ...hints });
  }
  recordNewWebhookRows(db, arrived);
  addSubscriptions(db, subscriptions);
  return { ...tally, arrived, replaced };
}

/** Returns the facts in a body that the checks need, as they are stored. If this changes, stored webhooks must be read again. */
function findBodyFacts(text: string, form: WebhookBodyForm): string {
  const facts = readWebhookFacts(parseBodyFactFields(text, form));
  const { statement_id, transaction_id, statement, transactions } = facts;
  const isEmpty =
    statement_id === null && transaction_id === null && statement === null && transactions.length === 0;
  return isEmpty ? '' : JSON.stringify(facts);
}

/** Returns the column values of a webhook in the order of `upsert`. */
function toWebhookValues(
  row: Webhook,
  {
    form,
    hints,
    facts,
    body,
    body_dictionary,
  }: StoredBody & Pick<ReturnType<typeof toStoredWebhookBody>, 'form' | 'hints'> & { facts: string },
  {
    class_id,
    delivery,
    error_id,
    created_at,
  }: Pick<NewWebhookRow, 'class_id' | 'error_id' | 'created_at'> & { delivery: number },
  readAt: number,
): SqlValues {
  const { accepted_at: accepted, last_sent_at, last_sent_url: url } = row;
  const accepted_at = parseTimestamp(accepted);
  const sentAt = parseTimestamp(last_sent_at);
  return [
    ...[row.id, created_at],
    ...[hints.subscription_id, hints.statement_id, hints.component_id],
    ...[class_id, row.successful ? 1 : 0, delivery, accepted_at, sentAt ?? 0],
    ...[row.event, toStoredTime(row.created_at, created_at), toStoredTime(last_sent_at, sentAt)],
    ...[toStoredSignature(row.signature), body, body_dictionary, readAt],
    accepted_at !== null && accepted === last_sent_at ? null : accepted,
    url !== '' && url === removeUrlQuery(url) ? null : url,
    ...[JSON.stringify(row.extra), form, facts, error_id],
    ...[parseTimestamp(row.last_error_at), row.last_error_at, row.last_error],
  ];
}

/** Removes repeated rows of a page, keeping the last occurrence. */
function removeRepeats(rows: readonly Webhook[]): Iterable<Webhook> {
  const ids = new Set(rows.map((row) => row.id));
  return ids.size === rows.length ? rows : new Map(rows.map((row) => [row.id, row])).values();
}

/** Returns the delivery state. An unsuccessful webhook is `failed` if an error is recorded, otherwise `pending`. */
export function getWebhookDeliveryState(
  row: Pick<Webhook, 'successful' | 'last_error' | 'last_error_at'>,
): 0 | 1 | 2 {
  if (row.successful) return 0;
  return row.last_error === null && row.last_error_at === null ? 2 : 1;
}

/** Returns a webhook address without its query, which may contain a different signature in each delivery. */
export function removeUrlQuery(url: string | null): string {
  return url === null ? '' : url.replace(/[?#].*$/s, '');
}

/** Creates a cached lookup of webhook classes, because a page contains few classes. */
function createClassLookup(db: WritableDb) {
  const classIds = deliveryStates.map(() => new Map<string | null, Map<string, number>>());
  return (event: string, delivery: 0 | 1 | 2, url: string | null): number => {
    const id = classIds[delivery]?.get(url)?.get(event);
    if (id !== undefined) return id;
    const found = findOrAddClass(db, event, delivery, removeUrlQuery(url));
    const ofUrl = classIds[delivery]?.get(url) ?? new Map<string, number>();
    classIds[delivery]?.set(url, ofUrl.set(event, found));
    return found;
  };
}

function findOrAddClass(db: WritableDb, event: string, delivery: number, url: string): number {
  const sql = 'SELECT id FROM webhook_class WHERE event = ? AND delivery = ? AND url = ?';
  return (
    select.value<number>(db, sql, event, delivery, url) ??
    Number(
      prepareSql(db, 'INSERT INTO webhook_class (event, delivery, url) VALUES (?, ?, ?)').run(
        event,
        delivery,
        url,
      ).lastInsertRowid,
    )
  );
}

function findOrAddError(db: WritableDb, error: string): number {
  return (
    select.value<number>(db, 'SELECT id FROM webhook_error WHERE error = ?', error) ??
    Number(prepareSql(db, 'INSERT INTO webhook_error (error) VALUES (?)').run(error).lastInsertRowid)
  );
}
