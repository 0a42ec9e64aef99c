import { readWebhookFacts, type WebhookBodyFacts, type WebhookRecord } from '../../../domain/checks/index.ts';
import { type CheckQueueUnit, WEBHOOKS_PER_CHECK_UNIT } from '../check-queue/check-queue.ts';
import { prepareSql, type WritableDb } from '../sqlite/connection.ts';
import { webhookBodySql } from '../webhooks/body-compression.ts';
import { sentWebhookFieldsSql } from '../webhooks/webhook.ts';
import { parseBodyFactFields, type WebhookBodyForm } from '../webhooks/webhook-body.ts';
import { addItemToGroup } from './add-to-group.ts';

type WebhookFactsRow = [
  unit: CheckQueueUnit,
  id: number,
  event: string,
  successful: number,
  created_at: number,
  accepted_at: number | null,
  last_sent_at: number,
  last_error: string | null,
  last_sent_url: string | null,
  signature: string | null,
  told: string,
  body: string | null,
];

const common =
  'event, successful, created_at, accepted_at, last_sent_at, last_error, last_sent_url, signature';
const inLog = common.replace('last_sent_url', sentWebhookFieldsSql.last_sent_url);
/** SQL that finds a check unit's webhooks through an index. `wanted` is the FROM clause for the unit. */
const sources = {
  named: {
    wanted: 'json_each(?) AS wanted',
    webhooks: 'webhook INDEXED BY webhook_subscription ON subscription_id = wanted.value',
  },
  unnamed: {
    wanted: '(SELECT ? AS value) AS wanted',
    webhooks: `webhook INDEXED BY webhook_unnamed ON subscription_id IS NULL
      AND id >= (-1 - wanted.value) * ${WEBHOOKS_PER_CHECK_UNIT} AND id < (0 - wanted.value) * ${WEBHOOKS_PER_CHECK_UNIT}`,
  },
} as const;
type Source = (typeof sources)[keyof typeof sources];

/** Returns webhooks of subscriptions (a JSON list of ids) in the format of the checks. Requires a transaction. */
export function readWebhookRecords(
  db: WritableDb,
  subscriptions: string,
  bodies: boolean,
): Map<CheckQueueUnit, WebhookRecord[]> {
  const found = new Map<CheckQueueUnit, WebhookRecord[]>();
  for (const row of readWebhookFactsRows(db, sources.named, subscriptions, bodies))
    addItemToGroup(found, row[0], toWebhookRecord(row));
  return found;
}

/** Returns the webhooks of a check unit whose bodies name no subscription. */
export function readWebhooksWithoutSubscription(
  db: WritableDb,
  unit: CheckQueueUnit,
  bodies: boolean,
): WebhookRecord[] {
  return readWebhookFactsRows(db, sources.unnamed, unit, bodies).map(toWebhookRecord);
}

function readWebhookFactsRows(
  db: WritableDb,
  source: Source,
  unit: string | number,
  bodies: boolean,
): WebhookFactsRow[] {
  storeMissingFacts(db, source, unit);
  const body = bodies ? `(SELECT ${webhookBodySql} FROM webhook WHERE id = webhook_id)` : 'NULL';
  const sql = `SELECT unit, webhook_id, ${common}, body_facts, ${body}
     FROM ${source.wanted} CROSS JOIN webhook_brief ON unit = wanted.value`;
  return prepareSql<WebhookFactsRow>(db, sql).raw().all(unit);
}

/** Extracts and stores missing webhook facts. Each body is parsed only once unless it changes. */
function storeMissingFacts(db: WritableDb, { wanted: from, webhooks }: Source, unit: string | number): void {
  const lackingSql = `SELECT wanted.value, webhook.id, body_form, ${webhookBodySql} FROM ${from} CROSS JOIN ${webhooks}
     WHERE NOT EXISTS (SELECT 1 FROM webhook_brief WHERE unit = wanted.value AND webhook_id = webhook.id)`;
  const lacking = prepareSql<[unit: CheckQueueUnit, id: number, form: WebhookBodyForm, body: string]>(
    db,
    lackingSql,
  )
    .raw()
    .all(unit);
  if (lacking.length === 0) return;
  const keepSql = `INSERT INTO webhook_brief (unit, webhook_id, ${common}, body_facts) SELECT ?, id, ${inLog}, ? FROM webhook WHERE id = ?`;
  const insert = prepareSql(db, keepSql);
  for (const [unit, id, form, body] of lacking) insert.run(unit, extractFacts(body, form), id);
}

/** Extracts the facts of a webhook body for storage. If this changes, a migration must empty the table of facts. */
function extractFacts(body: string, form: WebhookBodyForm): string {
  const facts = readWebhookFacts(parseBodyFactFields(body, form));
  const { statement_id, transaction_id, statement, transactions } = facts;
  const isEmpty =
    statement_id === null && transaction_id === null && statement === null && transactions.length === 0;
  return isEmpty ? '' : JSON.stringify(facts);
}

const NO_FACTS: WebhookBodyFacts = {
  statement_id: null,
  transaction_id: null,
  statement: null,
  transactions: [],
};

function toWebhookRecord(row: WebhookFactsRow): WebhookRecord {
  const [, id, event, successful, created_at, accepted_at, last_sent_at, last_error, last_sent_url] = row;
  const [, , , , , , , , , signature, facts, body] = row;
  return {
    id,
    event,
    successful: successful === 1,
    created_at: created_at === 0 ? null : created_at,
    accepted_at,
    last_sent_at: last_sent_at === 0 ? null : last_sent_at,
    last_error,
    last_sent_url,
    facts: facts === '' ? NO_FACTS : (JSON.parse(facts) as WebhookBodyFacts),
    signature,
    body,
  };
}
