import type { WebhookBodyFacts, WebhookRecord } from '../../../domain/checks/index.ts';
import { type CheckQueueUnit, WEBHOOKS_PER_CHECK_UNIT } from '../check-queue/check-queue.ts';
import { prepareSql, type ReadableDb } from '../sqlite/connection.ts';
import { webhookBodySql } from '../webhooks/body-compression.ts';
import { sentWebhookFieldsSql } from '../webhooks/webhook.ts';
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
  facts: string,
  body: string | null,
];

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

/** Returns webhooks of subscriptions (a JSON list of ids) in the format of the checks. */
export function readWebhookRecords(
  db: ReadableDb,
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
  db: ReadableDb,
  unit: CheckQueueUnit,
  bodies: boolean,
): WebhookRecord[] {
  return readWebhookFactsRows(db, sources.unnamed, unit, bodies).map(toWebhookRecord);
}

function readWebhookFactsRows(
  db: ReadableDb,
  source: Source,
  unit: string | number,
  bodies: boolean,
): WebhookFactsRow[] {
  const sql = `SELECT wanted.value, webhook.id, event, successful, created_at, accepted_at, last_sent_at, last_error,
      ${sentWebhookFieldsSql.last_sent_url}, signature, body_facts, ${bodies ? webhookBodySql : 'NULL'}
    FROM ${source.wanted} CROSS JOIN ${source.webhooks} ORDER BY wanted.value, webhook.id`;
  return prepareSql<WebhookFactsRow>(db, sql).raw().all(unit);
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
