import { readWebhookFacts, type WebhookFacts, type WebhookRecord } from '../../../domain/checks/index.ts';
import { type CheckUnit, UNNAMED_STRETCH } from '../check-queue/check-due.ts';
import { prepared, type WritableDb } from '../sqlite/connection.ts';
import { type BodyForm, tellingFields } from '../webhooks/body.ts';
import { asSent } from '../webhooks/webhook.ts';
import { gather } from './gather.ts';

type BriefValues = [
  unit: CheckUnit,
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
const inLog = common.replace('last_sent_url', asSent.last_sent_url);
/**
 * Queries that find webhooks through an index without reading rows of the log. `wanted` is the parameter for the unit.
 */
const sources = {
  named: {
    wanted: 'json_each(?) AS wanted',
    webhooks: 'webhook INDEXED BY webhook_subscription ON subscription_id = wanted.value',
  },
  unnamed: {
    wanted: '(SELECT ? AS value) AS wanted',
    webhooks: `webhook INDEXED BY webhook_unnamed ON subscription_id IS NULL
      AND id >= (-1 - wanted.value) * ${UNNAMED_STRETCH} AND id < (0 - wanted.value) * ${UNNAMED_STRETCH}`,
  },
} as const;
type Source = (typeof sources)[keyof typeof sources];

/** Returns the webhooks of subscriptions (a JSON list of ids) as needed by the checks. Must be called inside `commit`. */
export function webhooksOf(
  db: WritableDb,
  subscriptions: string,
  bodies: boolean,
): Map<CheckUnit, WebhookRecord[]> {
  const found = new Map<CheckUnit, WebhookRecord[]>();
  for (const row of briefsOf(db, sources.named, subscriptions, bodies)) gather(found, row[0], webhookOf(row));
  return found;
}

/** Returns the webhooks of a unit whose bodies name no subscription. */
export function unnamedWebhooks(db: WritableDb, unit: CheckUnit, bodies: boolean): WebhookRecord[] {
  return briefsOf(db, sources.unnamed, unit, bodies).map(webhookOf);
}

function briefsOf(db: WritableDb, source: Source, wanted: string | number, bodies: boolean): BriefValues[] {
  makeBriefs(db, source, wanted);
  const body = bodies ? '(SELECT body FROM webhook WHERE id = webhook_id)' : 'NULL';
  return prepared<BriefValues>(
    db,
    `SELECT unit, webhook_id, ${common}, told, ${body}
     FROM ${source.wanted} CROSS JOIN webhook_brief ON unit = wanted.value`,
  )
    .raw()
    .all(wanted);
}

/** Extracts and stores the facts of webhooks that have none yet. A body is parsed only once, until it changes. */
function makeBriefs(db: WritableDb, { wanted: from, webhooks }: Source, wanted: string | number): void {
  const lacking = prepared<[unit: CheckUnit, id: number, form: BodyForm, body: string]>(
    db,
    `SELECT wanted.value, webhook.id, body_form, body FROM ${from} CROSS JOIN ${webhooks}
     WHERE NOT EXISTS (SELECT 1 FROM webhook_brief WHERE unit = wanted.value AND webhook_id = webhook.id)`,
  )
    .raw()
    .all(wanted);
  if (lacking.length === 0) return;
  const keep = prepared(
    db,
    `INSERT INTO webhook_brief (unit, webhook_id, ${common}, told) SELECT ?, id, ${inLog}, ? FROM webhook WHERE id = ?`,
  );
  for (const [unit, id, form, body] of lacking) keep.run(unit, toldBy(body, form), id);
}

/** Returns the facts of a body as stored. If their extraction changes, a migration must empty the table. */
function toldBy(body: string, form: BodyForm): string {
  const telling = readWebhookFacts(tellingFields(body, form));
  const { statement_id, transaction_id, statement, transactions } = telling;
  const silent =
    statement_id === null && transaction_id === null && statement === null && transactions.length === 0;
  return silent ? '' : JSON.stringify(telling);
}

const NOTHING: WebhookFacts = { statement_id: null, transaction_id: null, statement: null, transactions: [] };

function webhookOf(row: BriefValues): WebhookRecord {
  const [, id, event, successful, created_at, accepted_at, last_sent_at, last_error, last_sent_url] = row;
  const [, , , , , , , , , signature, told, body] = row;
  return {
    id,
    event,
    successful: successful === 1,
    created_at: created_at === 0 ? null : created_at,
    accepted_at,
    last_sent_at: last_sent_at === 0 ? null : last_sent_at,
    last_error,
    last_sent_url,
    facts: told === '' ? NOTHING : (JSON.parse(told) as WebhookFacts),
    signature,
    body,
  };
}
