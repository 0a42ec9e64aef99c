import type { Webhook } from '../../billing/index.ts';
import { type BodyHints, bodyToStore } from './body.ts';
import { prepared, type WritableDb } from './database.ts';
import { errorGroup } from './errorGroup.ts';
import { moment } from './moment.ts';
import { noteSubscription } from './subscription.ts';
import { noTally, type Tally, upsertInto } from './upsert.ts';

/** A day of the UTC calendar, in ms. */
export const DAY = 86_400_000;

/** As stored in `webhook.delivery` and `webhook_class.delivery`. */
export const deliveries = ['accepted', 'failed', 'pending'] as const;

/** A webhook's ids and the hints of its body: what the sync may follow. */
export interface HintedWebhook extends BodyHints {
  id: number;
  event: string;
  created_at: number | null;
}

const upsert = upsertInto({
  table: 'webhook',
  key: ['id'],
  steady: ['created_at', 'subscription_id', 'statement_id', 'component_id'],
  volatile: [
    ...['class_id', 'error_id', 'successful', 'delivery', 'accepted_at', 'last_sent_at', 'last_error_at'],
    ...['event', 'created_at_text', 'accepted_at_text', 'last_sent_at_text', 'last_error_at_text'],
    ...['last_sent_url', 'last_error', 'signature', 'extra', 'body_form', 'body'],
  ],
});

/**
 * Stores rows of the webhook log, read by a request that began at `readAt` (ms UTC, our clock). To be called inside
 * `commit`, with the checkpoint that goes with it. `hinted` are the rows that were new or had changed, with what their
 * bodies name.
 */
export function upsertWebhooks(
  db: WritableDb,
  rows: readonly Webhook[],
  readAt: number,
): Tally & { hinted: HintedWebhook[] } {
  const tally = { ...noTally(), hinted: [] as HintedWebhook[] };
  // A page has few classes.
  const classes = new Map<string, number>();
  const classOf = (event: string, delivery: number, url: string): number => {
    const key = `${delivery} ${event.length} ${event} ${url}`;
    const id = classes.get(key) ?? classId(db, event, delivery, url);
    classes.set(key, id);
    return id;
  };
  for (const row of rows) {
    const { text, form, hints } = bodyToStore(row.body);
    const created = moment(row.created_at);
    const delivery = deliveryOf(row);
    const change = upsert(db, [
      row.id,
      created ?? 0,
      hints.subscription_id,
      hints.statement_id,
      hints.component_id,
      classOf(row.event, delivery, urlGroup(row.last_sent_url)),
      delivery === 1 ? errorId(db, errorGroup(row.last_error)) : null,
      row.successful ? 1 : 0,
      delivery,
      moment(row.accepted_at),
      moment(row.last_sent_at) ?? 0,
      moment(row.last_error_at),
      row.event,
      row.created_at,
      row.accepted_at,
      row.last_sent_at,
      row.last_error_at,
      row.last_sent_url,
      row.last_error,
      row.signature,
      JSON.stringify(row.extra),
      form,
      text,
      readAt,
    ]);
    tally[change] += 1;
    if (change === 'unchanged') continue;
    tally.hinted.push({ id: row.id, event: row.event, created_at: created, ...hints });
  }
  for (const id of new Set(tally.hinted.map((hint) => hint.subscription_id))) {
    if (id !== null) noteSubscription(db, id);
  }
  return tally;
}

/** From the log's fields only: not successful is `failed` where an error is recorded, else `pending`. */
export function deliveryOf(row: Pick<Webhook, 'successful' | 'last_error' | 'last_error_at'>): 0 | 1 | 2 {
  if (row.successful) return 0;
  return row.last_error === null && row.last_error_at === null ? 2 : 1;
}

/** The address without its query, which may hold a signature of its own for every delivery. */
export function urlGroup(url: string | null): string {
  return url === null ? '' : url.replace(/[?#].*$/s, '');
}

function classId(db: WritableDb, event: string, delivery: number, url: string): number {
  return (
    prepared<number>(db, 'SELECT id FROM webhook_class WHERE event = ? AND delivery = ? AND url = ?')
      .pluck()
      .get(event, delivery, url) ??
    Number(
      prepared(db, 'INSERT INTO webhook_class (event, delivery, url) VALUES (?, ?, ?)').run(
        event,
        delivery,
        url,
      ).lastInsertRowid,
    )
  );
}

function errorId(db: WritableDb, error: string): number {
  return (
    prepared<number>(db, 'SELECT id FROM webhook_error WHERE error = ?').pluck().get(error) ??
    Number(prepared(db, 'INSERT INTO webhook_error (error) VALUES (?)').run(error).lastInsertRowid)
  );
}
