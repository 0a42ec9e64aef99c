import type { Webhook } from '../../../billing/index.ts';
import { toErrorGroup } from '../../../domain/webhooks/error-group.ts';
import { parseTimestamp } from '../../shared/timestamps.ts';
import { prepared, type WritableDb } from '../sqlite/connection.ts';
import { noTally, type Tally, upsertInto } from '../sqlite/upsert.ts';
import { noteSubscriptions } from '../statements/subscription.ts';
import { type BodyHints, bodyToStore } from './body.ts';
import { type Arrival, noteArrivals } from './webhook-arrivals.ts';

/** Values of `webhook.delivery` and `webhook_class.delivery`, by index. */
export const deliveries = ['accepted', 'failed', 'pending'] as const;

/** A webhook's ids and the hints of its body, from which the sync learns what has changed. */
export interface HintedWebhook extends BodyHints {
  id: number;
  event: string;
}

const upsert = upsertInto({
  table: 'webhook',
  key: ['id'],
  steady: ['created_at', 'subscription_id', 'statement_id', 'component_id'],
  volatile: [
    ...['class_id', 'successful', 'delivery', 'accepted_at', 'last_sent_at'],
    ...['event', 'created_at_text', 'last_sent_at_text', 'signature', 'body'],
  ],
  usual: {
    ...{ accepted_at_text: null, last_sent_url: null, extra: '{}', body_form: 'form' },
    ...{ error_id: null, last_error_at: null, last_error_at_text: null, last_error: null },
  },
});

/**
 * SQL for fields as the service sent them. They are stored only if they cannot be derived: an accepted delivery was
 * accepted when it was sent, and an address without a query is that of the row's class.
 */
export const asSent = {
  accepted_at: 'iif(accepted_at IS NULL, accepted_at_text, coalesce(accepted_at_text, last_sent_at_text))',
  last_sent_url:
    "coalesce(last_sent_url, (SELECT nullif(url, '') FROM webhook_class WHERE webhook_class.id = class_id))",
} as const;

/**
 * Stores rows of the webhook log, read by a request that started at `readAt` (UTC milliseconds, local clock). Must be
 * called inside `commit`, together with its checkpoint. `arrived` are the new rows with the ids named in their bodies.
 */
export function upsertWebhooks(
  db: WritableDb,
  rows: readonly Webhook[],
  readAt: number,
): Tally & { arrived: HintedWebhook[] } {
  const tally = noTally();
  const arrived: (HintedWebhook & Arrival)[] = [];
  const subscriptions = new Set<number>();
  const classOf = classesIn(db);
  for (const row of withoutRepeats(rows)) {
    const { text, form, hints } = bodyToStore(row.body);
    const delivery = deliveryOf(row);
    const class_id = classOf(row.event, delivery, row.last_sent_url);
    const error_id = delivery === 1 ? errorId(db, toErrorGroup(row.last_error)) : null;
    const created_at = parseTimestamp(row.created_at) ?? 0;
    const accepted_at = parseTimestamp(row.accepted_at);
    const change = upsert(db, [
      row.id,
      created_at,
      hints.subscription_id,
      hints.statement_id,
      hints.component_id,
      class_id,
      row.successful ? 1 : 0,
      delivery,
      accepted_at,
      parseTimestamp(row.last_sent_at) ?? 0,
      row.event,
      row.created_at,
      row.last_sent_at,
      row.signature,
      text,
      readAt,
      accepted_at !== null && row.accepted_at === row.last_sent_at ? null : row.accepted_at,
      row.last_sent_url !== '' && row.last_sent_url === urlGroup(row.last_sent_url)
        ? null
        : row.last_sent_url,
      JSON.stringify(row.extra),
      form,
      error_id,
      parseTimestamp(row.last_error_at),
      row.last_error_at,
      row.last_error,
    ]);
    tally[change] += 1;
    if (change === 'unchanged') continue;
    if (hints.subscription_id !== null) subscriptions.add(hints.subscription_id);
    if (change === 'changed') continue;
    arrived.push({ id: row.id, event: row.event, class_id, error_id, created_at, ...hints });
  }
  noteArrivals(db, arrived);
  noteSubscriptions(db, subscriptions);
  return { ...tally, arrived };
}

/** Removes repeated rows of a page. The last occurrence counts. */
function withoutRepeats(rows: readonly Webhook[]): Iterable<Webhook> {
  const ids = new Set(rows.map((row) => row.id));
  return ids.size === rows.length ? rows : new Map(rows.map((row) => [row.id, row])).values();
}

/**
 * Returns the delivery state from the log's fields alone: a webhook that is not successful is `failed` if an error is
 * recorded, else `pending`.
 */
export function deliveryOf(row: Pick<Webhook, 'successful' | 'last_error' | 'last_error_at'>): 0 | 1 | 2 {
  if (row.successful) return 0;
  return row.last_error === null && row.last_error_at === null ? 2 : 1;
}

/** Returns the address without its query, which may contain a different signature per delivery. */
export function urlGroup(url: string | null): string {
  return url === null ? '' : url.replace(/[?#].*$/s, '');
}

/** Returns a lookup of classes with a cache, because a page has few. */
function classesIn(db: WritableDb) {
  const known = deliveries.map(() => new Map<string | null, Map<string, number>>());
  return (event: string, delivery: 0 | 1 | 2, url: string | null): number => {
    const id = known[delivery]?.get(url)?.get(event);
    if (id !== undefined) return id;
    const found = classId(db, event, delivery, urlGroup(url));
    const ofUrl = known[delivery]?.get(url) ?? new Map<string, number>();
    known[delivery]?.set(url, ofUrl.set(event, found));
    return found;
  };
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
