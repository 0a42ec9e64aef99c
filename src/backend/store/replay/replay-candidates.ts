import type { WebhookFilter } from '../../../contract/index.ts';
import { prepareSql, type ReadableDb, type SqlValues, select } from '../sqlite/connection.ts';
import { sentWebhookFieldsSql } from '../webhooks/webhook.ts';
import {
  getFullWebhookScan,
  isEmptyWebhookSelection,
  selectWebhooks,
} from '../webhooks/webhook-selection.ts';
import type { DeliveryFields, StoredReplayPlanItem } from './replay.ts';

/** Fields of a webhook for replay planning. Instants are UTC milliseconds. */
export interface ReplayCandidate extends Omit<StoredReplayPlanItem, 'superseded_by'> {
  /** Delivery state: 0 accepted, 1 failed, 2 pending. */
  delivery: number;
  created_at_text: string | null;
  last_sent_ms: number;
  /** Webhook address without its query. */
  url: string;
  /** Normalized delivery error, or null. */
  error: string | null;
}

const columns = `webhook.id AS webhook_id, webhook.event, created_at, successful, ${sentWebhookFieldsSql.accepted_at} AS accepted_at,
  last_sent_at_text AS last_sent_at, last_error_at_text AS last_error_at, last_error, subscription_id, delivery,
  created_at_text, last_sent_at AS last_sent_ms, class_id, error_id`;

const ORDER = 'ORDER BY created_at, webhook.id';

/** Yields the webhooks that a filter selects, oldest first, without loading all of them into memory. */
export function readReplayCandidates(
  db: ReadableDb,
  filter: WebhookFilter,
): Generator<ReplayCandidate, void, undefined> {
  const query = getReplayCandidateQuery(db, filter);
  return query === null ? yieldNothing() : readCandidates(db, query.sql, query.bound);
}

/** Returns the SQL for the replay candidates of a filter, or null if the filter cannot select anything. */
export function getReplayCandidateQuery(
  db: ReadableDb,
  filter: WebhookFilter,
): { sql: string; bound: SqlValues } | null {
  const selection = selectWebhooks(db, filter);
  if (isEmptyWebhookSelection(selection)) return null;
  const { from, where, bound } = getFullWebhookScan(selection);
  const condition = where.length === 0 ? '' : ` WHERE ${where.join(' AND ')}`;
  return { sql: `SELECT ${columns} FROM ${from}${condition} ${ORDER}`, bound };
}

/** Yields the stored webhooks among these ids, oldest first. */
export function readReplayCandidatesById(
  db: ReadableDb,
  ids: readonly number[],
): Generator<ReplayCandidate, void, undefined> {
  const sql = `SELECT ${columns} FROM webhook WHERE id IN (SELECT value FROM json_each(?)) ${ORDER}`;
  return readCandidates(db, sql, [JSON.stringify(ids)]);
}

/** Returns the webhooks that were not accepted and were created or sent after an instant (UTC milliseconds). */
export function listWebhooksSentSince(
  db: ReadableDb,
  ids: readonly number[],
  since: number,
): Pick<ReplayCandidate, 'webhook_id' | 'delivery' | 'created_at' | 'last_sent_ms' | 'last_error'>[] {
  const sql = `SELECT id AS webhook_id, delivery, created_at, last_sent_at AS last_sent_ms, last_error FROM webhook
     WHERE id IN (SELECT value FROM json_each(?)) AND delivery <> 0 AND max(created_at, last_sent_at) > ?`;
  return select.rows<ReturnType<typeof listWebhooksSentSince>[number]>(db, sql, JSON.stringify(ids), since);
}

/** Returns the stored delivery fields of these webhooks by id. */
export function readStoredDeliveryStates(
  db: ReadableDb,
  ids: readonly number[],
): Map<number, DeliveryFields> {
  const sql = `SELECT id AS webhook_id, successful, ${sentWebhookFieldsSql.accepted_at} AS accepted_at, last_sent_at_text AS last_sent_at,
       last_error_at_text AS last_error_at, last_error
     FROM webhook WHERE id IN (SELECT value FROM json_each(?))`;
  const rows = select.rows<DeliveryFields & { webhook_id: number }>(db, sql, JSON.stringify(ids));
  return new Map(
    rows.map(({ webhook_id, ...state }) => [
      webhook_id,
      { ...state, successful: Number(state.successful) === 1 },
    ]),
  );
}

function* yieldNothing(): Generator<never> {}

type Row = Omit<ReplayCandidate, 'successful' | 'url' | 'error'> & {
  successful: number;
  class_id: number;
  error_id: number | null;
};

function* readCandidates(
  db: ReadableDb,
  sql: string,
  bound: SqlValues,
): Generator<ReplayCandidate, void, undefined> {
  const urls = readNames(db, 'SELECT id, url FROM webhook_class');
  const errors = readNames(db, 'SELECT id, error FROM webhook_error');
  for (const { class_id, error_id, successful, ...row } of prepareSql<Row>(db, sql).iterate(...bound)) {
    yield {
      ...row,
      successful: successful === 1,
      url: urls.get(class_id) ?? '',
      error: error_id === null ? null : (errors.get(error_id) ?? null),
    };
  }
}

function readNames(db: ReadableDb, sql: string): Map<number, string> {
  return new Map(prepareSql<[number, string]>(db, sql).raw().all() as [number, string][]);
}
