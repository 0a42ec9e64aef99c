import { type Telling, tellingOf, type WebhookRecord } from '../../../domain/tieout/index.ts';
import { prepared, type WritableDb } from '../database.ts';
import { type BodyForm, tellingFields } from '../webhooks/body.ts';
import { asSent } from '../webhooks/webhook.ts';
import { type CheckUnit, UNNAMED_STRETCH } from './check-due.ts';
import { gather } from './check-statements.ts';

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
/** Where webhooks are found, by an index that needs no row of the log. `wanted` gives the unit. */
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

/** The webhooks of subscriptions (a JSON list of ids) as the checks look at them. To be called inside `commit`. */
export function webhooksOf(
  db: WritableDb,
  subscriptions: string,
  bodies: boolean,
): Map<CheckUnit, WebhookRecord[]> {
  const found = new Map<CheckUnit, WebhookRecord[]>();
  for (const row of briefsOf(db, sources.named, subscriptions, bodies)) gather(found, row[0], webhookOf(row));
  return found;
}

/** Those of a unit whose body names no subscription. */
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

/** Reads the webhooks that have no brief, and keeps one of each: a body is read once, until it changes. */
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

/** What a body tells, as it is kept. Should `tellingOf` change, a migration empties the table. */
function toldBy(body: string, form: BodyForm): string {
  const telling = tellingOf(tellingFields(body, form));
  const { statement_id, transaction_id, statement, transactions } = telling;
  const silent =
    statement_id === null && transaction_id === null && statement === null && transactions.length === 0;
  return silent ? '' : JSON.stringify(telling);
}

const NOTHING: Telling = { statement_id: null, transaction_id: null, statement: null, transactions: [] };

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
    telling: told === '' ? NOTHING : (JSON.parse(told) as Telling),
    signature,
    body,
  };
}
