import type { WebhookFilter } from '../../../contract/index.ts';
import { prepared, type ReadableDb, type Values } from '../sqlite/connection.ts';
import { asSent } from '../webhooks/webhook.ts';
import { isEmpty, passBranch, selectWebhooks } from '../webhooks/webhook-selection.ts';
import type { LogState, PlanItem } from './replay.ts';

/** The fields of a webhook needed for a plan. Instants are UTC milliseconds. */
export interface Candidate extends PlanItem {
  /** 0 accepted, 1 failed, 2 pending. */
  delivery: number;
  created_at_text: string | null;
  last_sent_ms: number;
  /** The address without its query. */
  url: string;
  /** The normalized error, or null. */
  error: string | null;
}

const columns = `webhook.id AS webhook_id, webhook.event, created_at, successful, ${asSent.accepted_at} AS accepted_at,
  last_sent_at_text AS last_sent_at, last_error_at_text AS last_error_at, last_error, subscription_id, delivery,
  created_at_text, last_sent_at AS last_sent_ms, class_id, error_id`;

const ORDER = 'ORDER BY created_at, webhook.id';

/** Yields the webhooks that a filter selects, oldest first, in one pass without holding them. */
export function candidatesOf(db: ReadableDb, filter: WebhookFilter): Generator<Candidate, void, undefined> {
  const asked = candidateQuery(db, filter);
  return asked === null ? nothing() : read(db, asked.sql, asked.bound);
}

/** Returns the statement for it, or null if nothing can be selected. */
export function candidateQuery(db: ReadableDb, filter: WebhookFilter): { sql: string; bound: Values } | null {
  const selection = selectWebhooks(db, filter);
  if (isEmpty(selection)) return null;
  const { from, where, bound } = passBranch(selection);
  const condition = where.length === 0 ? '' : ` WHERE ${where.join(' AND ')}`;
  return { sql: `SELECT ${columns} FROM ${from}${condition} ${ORDER}`, bound };
}

/** Yields the stored ones among these webhooks, oldest first. */
export function candidatesAt(db: ReadableDb, ids: readonly number[]): Generator<Candidate, void, undefined> {
  const sql = `SELECT ${columns} FROM webhook WHERE id IN (SELECT value FROM json_each(?)) ${ORDER}`;
  return read(db, sql, [JSON.stringify(ids)]);
}

/**
 * Returns which of these webhooks were not accepted and were created or last sent after an instant (UTC milliseconds).
 */
export function sentSince(
  db: ReadableDb,
  ids: readonly number[],
  since: number,
): Pick<Candidate, 'webhook_id' | 'delivery' | 'created_at' | 'last_sent_ms' | 'last_error'>[] {
  return prepared<ReturnType<typeof sentSince>[number]>(
    db,
    `SELECT id AS webhook_id, delivery, created_at, last_sent_at AS last_sent_ms, last_error FROM webhook
     WHERE id IN (SELECT value FROM json_each(?)) AND delivery <> 0 AND max(created_at, last_sent_at) > ?`,
  ).all(JSON.stringify(ids), since);
}

/** Returns the stored delivery states of these webhooks. */
export function logStatesOf(db: ReadableDb, ids: readonly number[]): Map<number, LogState> {
  const rows = prepared<LogState & { webhook_id: number }>(
    db,
    `SELECT id AS webhook_id, successful, ${asSent.accepted_at} AS accepted_at, last_sent_at_text AS last_sent_at,
       last_error_at_text AS last_error_at, last_error
     FROM webhook WHERE id IN (SELECT value FROM json_each(?))`,
  ).all(JSON.stringify(ids));
  return new Map(
    rows.map(({ webhook_id, ...state }) => [
      webhook_id,
      { ...state, successful: Number(state.successful) === 1 },
    ]),
  );
}

function* nothing(): Generator<never> {}

type Row = Omit<Candidate, 'successful' | 'url' | 'error'> & {
  successful: number;
  class_id: number;
  error_id: number | null;
};

function* read(db: ReadableDb, sql: string, bound: Values): Generator<Candidate, void, undefined> {
  const urls = namesOf(db, 'SELECT id, url FROM webhook_class');
  const errors = namesOf(db, 'SELECT id, error FROM webhook_error');
  for (const { class_id, error_id, successful, ...row } of prepared<Row>(db, sql).iterate(...bound)) {
    yield {
      ...row,
      successful: successful === 1,
      url: urls.get(class_id) ?? '',
      error: error_id === null ? null : (errors.get(error_id) ?? null),
    };
  }
}

function namesOf(db: ReadableDb, sql: string): Map<number, string> {
  return new Map(prepared<[number, string]>(db, sql).raw().all() as [number, string][]);
}
