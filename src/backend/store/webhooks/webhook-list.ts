import type { ListTotal, PageMarks, WebhookFilter, WebhookRow } from '../../../contract/index.ts';
import {
  countScannedRows,
  encodeCursor,
  type ListQueryPlan,
  readListPage,
  readPageCursors,
  toRowIds,
} from '../lists/keyset-pagination.ts';
import { type ReadableDb, select } from '../sqlite/connection.ts';
import { toTimeText } from './short-values.ts';
import { deliveryStates, sentWebhookFieldsSql } from './webhook.ts';
import { countWebhooksOnWholeDays } from './webhook-id-ranges.ts';
import { getWebhookScans, planWebhookList, type WebhookSort } from './webhook-list-plan.ts';
import { isEmptyWebhookSelection, selectWebhooks, type WebhookSelection } from './webhook-selection.ts';

/** Maximum number of webhooks counted by reading them, and maximum page size. */
const MAX_COUNTED_ROWS = 1000;

export interface WebhookQuery {
  filter: WebhookFilter;
  sort: WebhookSort;
}

/** Returns a page of the webhook log. The first page includes the number of matching webhooks. */
export function listWebhooks(
  db: ReadableDb,
  query: WebhookQuery & { after?: string | undefined; limit: number },
): { rows: WebhookRow[]; next: string | null; total: ListTotal | null } {
  const selection = selectWebhooks(db, query.filter);
  const plan = planWebhookList(db, selection, query.sort);
  const { keys, next, total } =
    query.after !== undefined
      ? { ...readListPage(db, plan, query), total: null }
      : isCountedByRow(selection)
        ? readFirstPage(db, plan, query.limit)
        : {
            ...readListPage(db, plan, query),
            total: { count: countSelectedWebhooks(db, selection), exact: true },
          };
  const ids = toRowIds(keys);
  return { rows: listWebhooksById(db, ids), next, total };
}

/** Returns true if counting the selection requires reading rows or search results. */
function isCountedByRow({ match, subscription_id, statement_id }: WebhookSelection): boolean {
  return match !== null || subscription_id !== null || statement_id !== null;
}

/** Reads as many rows as may be counted and returns the first page. The search then runs only once. */
function readFirstPage(db: ReadableDb, plan: ListQueryPlan, limit: number) {
  const { keys, next } = readListPage(db, plan, { limit: MAX_COUNTED_ROWS });
  return {
    keys: keys.slice(0, limit),
    next: keys.length > limit ? encodeCursor(plan.order, keys[limit - 1]!) : next,
    total: { count: keys.length, exact: next === null },
  };
}

export function readWebhookPageCursors(db: ReadableDb, query: WebhookQuery & { every: number }): PageMarks {
  const plan = planWebhookList(db, selectWebhooks(db, query.filter), query.sort);
  return readPageCursors(db, plan, query.every, 'webhook');
}

/** Counts a webhook selection without search, subscription or statement from stored counts or an index. */
export function countSelectedWebhooks(db: ReadableDb, selection: WebhookSelection): number {
  if (isEmptyWebhookSelection(selection)) return 0;
  return selection.error_id === null ? countClasses(db, selection) : countErrors(db, selection);
}

function countClasses(db: ReadableDb, selection: WebhookSelection): number {
  const { classes, created } = selection;
  if (created === null) return classes.reduce((sum, each) => sum + each.count, 0);
  const { count, rest } = countWebhooksOnWholeDays(db, selection, created);
  return rest.reduce(
    (sum, range) => sum + countScannedRows(db, getWebhookScans(db, { ...selection, created: range })),
    count,
  );
}

function countErrors(db: ReadableDb, selection: WebhookSelection): number {
  const { everyClass, created, error_id } = selection;
  if (!everyClass || created !== null) return countScannedRows(db, getWebhookScans(db, selection));
  return select.value<number>(db, 'SELECT count FROM webhook_error WHERE id = ?', error_id) ?? 0;
}

export const webhookColumns = `webhook.id, event, successful, delivery, created_at AS created_ms, stored_created_at_text,
  accepted_at AS accepted_ms, accepted_at_text, last_sent_at AS last_sent_ms, stored_last_sent_at_text,
  last_error_at_text AS last_error_at,
  ${sentWebhookFieldsSql.last_sent_url} AS last_sent_url, last_error, subscription_id, statement_id`;

export interface StoredWebhookRow
  extends Omit<WebhookRow, 'successful' | 'delivery' | 'created_at' | 'accepted_at' | 'last_sent_at'> {
  successful: number;
  delivery: 0 | 1 | 2;
  created_ms: number;
  stored_created_at_text: string | number | null;
  accepted_ms: number | null;
  accepted_at_text: string | null;
  last_sent_ms: number;
  stored_last_sent_at_text: string | number | null;
}

export function toWebhookRow(row: StoredWebhookRow): WebhookRow {
  const last_sent_at = toTimeText(row.stored_last_sent_at_text, row.last_sent_ms);
  return {
    id: row.id,
    event: row.event,
    successful: row.successful === 1,
    delivery: deliveryStates[row.delivery],
    created_at: toTimeText(row.stored_created_at_text, row.created_ms),
    accepted_at: row.accepted_ms === null ? row.accepted_at_text : (row.accepted_at_text ?? last_sent_at),
    last_sent_at,
    last_error_at: row.last_error_at,
    last_sent_url: row.last_sent_url,
    last_error: row.last_error,
    subscription_id: row.subscription_id,
    statement_id: row.statement_id,
  };
}

/** Returns the webhooks with these ids in the given order. */
export function listWebhooksById(db: ReadableDb, ids: readonly number[]): WebhookRow[] {
  const sql = `SELECT ${webhookColumns} FROM json_each(?) AS wanted CROSS JOIN webhook ON webhook.id = wanted.value
     ORDER BY wanted.key`;
  return select.rows<StoredWebhookRow>(db, sql, JSON.stringify(ids)).map((row) => toWebhookRow(row));
}
