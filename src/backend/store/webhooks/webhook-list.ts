import type { Marks, Total, WebhookFilter, WebhookRow } from '../../../contract/index.ts';
import {
  countRows,
  encodeCursor,
  idsOf,
  type Reading,
  readMarks,
  readPage,
} from '../lists/keyset-pagination.ts';
import { prepared, type ReadableDb } from '../sqlite/connection.ts';
import { asSent, deliveries } from './webhook.ts';
import { countOfDays } from './webhook-days.ts';
import { type WebhookSort, webhookBranches, webhookReading } from './webhook-reading.ts';
import { isEmpty, selectWebhooks, type WebhookSelection } from './webhook-selection.ts';

/** Maximum number of rows counted by reading them, and maximum page size. */
const MOST = 1000;

export interface WebhookQuery {
  filter: WebhookFilter;
  sort: WebhookSort;
}

/** Returns a page of the webhook log. The first page includes the number of matching webhooks. */
export function listWebhooks(
  db: ReadableDb,
  query: WebhookQuery & { after?: string | undefined; limit: number },
): { rows: WebhookRow[]; next: string | null; total: Total | null } {
  const selection = selectWebhooks(db, query.filter);
  const reading = webhookReading(db, selection, query.sort);
  const { keys, next, total } =
    query.after !== undefined
      ? { ...readPage(db, reading, query), total: null }
      : isLookedAt(selection)
        ? firstOfMany(db, reading, query.limit)
        : { ...readPage(db, reading, query), total: { count: countWebhooks(db, selection), exact: true } };
  const ids = idsOf(keys);
  return { rows: webhookRows(db, ids), next, total };
}

/** Returns true if counting requires reading rows or search results. */
function isLookedAt({ match, subscription_id, statement_id }: WebhookSelection): boolean {
  return match !== null || subscription_id !== null || statement_id !== null;
}

/** Reads the first page from as many rows as are counted, so that a search runs once. */
function firstOfMany(db: ReadableDb, reading: Reading, limit: number) {
  const { keys, next } = readPage(db, reading, { limit: MOST });
  return {
    keys: keys.slice(0, limit),
    next: keys.length > limit ? encodeCursor(reading.order, keys[limit - 1]!) : next,
    total: { count: keys.length, exact: next === null },
  };
}

/** Returns cursors at regular intervals of the list, so that any part of it can be read directly. */
export function webhookMarks(db: ReadableDb, query: WebhookQuery & { every: number }): Marks {
  const reading = webhookReading(db, selectWebhooks(db, query.filter), query.sort);
  return readMarks(db, reading, query.every, 'webhook');
}

/** Counts a selection without search, subscription or statement, from stored counts or an index. */
export function countWebhooks(db: ReadableDb, selection: WebhookSelection): number {
  if (isEmpty(selection)) return 0;
  return selection.error_id === null ? countClasses(db, selection) : countErrors(db, selection);
}

function countClasses(db: ReadableDb, selection: WebhookSelection): number {
  const { classes, created } = selection;
  if (created === null) return classes.reduce((sum, each) => sum + each.count, 0);
  const { count, rest } = countOfDays(db, selection, created);
  return rest.reduce(
    (sum, stretch) => sum + countRows(db, webhookBranches(db, { ...selection, created: stretch })),
    count,
  );
}

function countErrors(db: ReadableDb, selection: WebhookSelection): number {
  const { everyClass, created, error_id } = selection;
  if (!everyClass || created !== null) return countRows(db, webhookBranches(db, selection));
  return prepared<number>(db, 'SELECT count FROM webhook_error WHERE id = ?').pluck().get(error_id) ?? 0;
}

/** Columns of a list row. */
export const rowColumns = `webhook.id, event, successful, delivery, created_at_text AS created_at,
  ${asSent.accepted_at} AS accepted_at, last_sent_at_text AS last_sent_at, last_error_at_text AS last_error_at,
  ${asSent.last_sent_url} AS last_sent_url, last_error, subscription_id, statement_id`;

export type StoredRow = Omit<WebhookRow, 'successful' | 'delivery'> & {
  successful: number;
  delivery: 0 | 1 | 2;
};

export function shownRow<Row extends StoredRow>(
  row: Row,
): Omit<Row, 'successful' | 'delivery'> & Pick<WebhookRow, 'successful' | 'delivery'> {
  return { ...row, successful: row.successful === 1, delivery: deliveries[row.delivery] };
}

/** Returns the rows with these ids in the given order. */
export function webhookRows(db: ReadableDb, ids: readonly number[]): WebhookRow[] {
  return prepared<StoredRow>(
    db,
    `SELECT ${rowColumns} FROM json_each(?) AS wanted CROSS JOIN webhook ON webhook.id = wanted.value
     ORDER BY wanted.key`,
  )
    .all(JSON.stringify(ids))
    .map((row) => shownRow(row));
}
