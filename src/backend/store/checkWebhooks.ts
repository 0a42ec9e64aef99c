import { type Telling, tellingOf, type WebhookRecord } from '../../domain/tieout/index.ts';
import { type BodyForm, tellingFields } from './body.ts';
import { type CheckUnit, unnamedIds } from './checkDue.ts';
import { gather } from './checkStatements.ts';
import { prepared, type WritableDb } from './database.ts';

type WebhookValues = [
  subscription_id: number,
  id: number,
  event: string,
  successful: number,
  created_at: number,
  accepted_at: number | null,
  last_sent_at: number,
  last_error: string | null,
  last_sent_url: string | null,
  signature: string | null,
  told: string | null,
  body_form: BodyForm,
  body: string | null,
];

/** The body is read only where it is wanted for itself, or was not read for what it tells. */
const columns = (
  bodies: boolean,
) => `webhook.subscription_id, webhook.id, event, successful, created_at, accepted_at,
  last_sent_at, last_error, last_sent_url, signature, told, body_form, ${bodies ? 'body' : 'iif(told IS NULL, body, NULL)'}`;
const told = 'LEFT JOIN webhook_told ON webhook_told.webhook_id = webhook.id';

/** The webhooks of subscriptions (a JSON list of ids) as the checks look at them. To be called inside `commit`. */
export function webhooksOf(
  db: WritableDb,
  subscriptions: string,
  bodies: boolean,
): Map<number, WebhookRecord[]> {
  const rows = prepared<WebhookValues>(
    db,
    `SELECT ${columns(bodies)} FROM json_each(?) AS wanted
     CROSS JOIN webhook INDEXED BY webhook_subscription ON webhook.subscription_id = wanted.value ${told}`,
  )
    .raw()
    .all(subscriptions);
  const found = new Map<number, WebhookRecord[]>();
  for (const row of rows) gather(found, row[0], webhookOf(db, row, bodies));
  return found;
}

/** Those of a unit whose body names no subscription. */
export function unnamedWebhooks(db: WritableDb, unit: CheckUnit, bodies: boolean): WebhookRecord[] {
  const { from, until } = unnamedIds(unit);
  return prepared<WebhookValues>(
    db,
    `SELECT ${columns(bodies)} FROM webhook INDEXED BY webhook_unnamed ${told}
     WHERE webhook.subscription_id IS NULL AND id >= ? AND id < ?`,
  )
    .raw()
    .all(from, until)
    .map((row) => webhookOf(db, row, bodies));
}

function webhookOf(db: WritableDb, row: WebhookValues, bodies: boolean): WebhookRecord {
  const [, id, event, successful, created_at, accepted_at, last_sent_at] = row;
  const [, , , , , , , last_error, last_sent_url, signature, told, form, body] = row;
  return {
    id,
    event,
    successful: successful === 1,
    created_at: created_at === 0 ? null : created_at,
    accepted_at,
    last_sent_at: last_sent_at === 0 ? null : last_sent_at,
    last_error,
    last_sent_url,
    telling: told === null ? readTelling(db, id, body ?? '', form) : told === '' ? NOTHING : JSON.parse(told),
    signature,
    body: bodies ? body : null,
  };
}

const NOTHING: Telling = { statement_id: null, transaction_id: null, statement: null, transactions: [] };

/** Reads what a body tells, and keeps it: a body is read once in its life. Should `tellingOf` change, a migration empties the table. */
function readTelling(db: WritableDb, id: number, body: string, form: BodyForm): Telling {
  const telling = tellingOf(tellingFields(body, form));
  const { statement_id, transaction_id, statement, transactions } = telling;
  const silent =
    statement_id === null && transaction_id === null && statement === null && transactions.length === 0;
  const told = silent ? '' : JSON.stringify(telling);
  prepared(db, 'INSERT INTO webhook_told (webhook_id, told) VALUES (?, ?)').run(id, told);
  return telling;
}
