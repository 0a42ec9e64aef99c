import type { Marks, Total, WebhookFilter, WebhookRow } from '../../contract/index.ts';
import { prepared, type ReadableDb, type Values } from './database.ts';
import { countRows, readMarks, readPage } from './keyset.ts';
import { deliveries } from './webhook.ts';
import { countOfDays } from './webhookDays.ts';
import { type WebhookSort, webhookBranches, webhookReading } from './webhookReading.ts';
import { isEmpty, selectWebhooks, type WebhookSelection } from './webhookSelection.ts';

/** What is found is counted up to here: in the search index alone, and where rows must be looked at. */
const MOST_FOUND = 10_000;
const MOST_ROWS = 2_000;

export interface WebhookQuery {
  filter: WebhookFilter;
  sort: WebhookSort;
}

/** A page of the webhook log; with the first one, how many the filter matches. */
export function listWebhooks(
  db: ReadableDb,
  query: WebhookQuery & { after?: string | undefined; limit: number },
): { rows: WebhookRow[]; next: string | null; total: Total | null } {
  const selection = selectWebhooks(db, query.filter);
  const { keys, next } = readPage(db, webhookReading(db, selection, query.sort), query);
  return {
    rows: webhookRows(
      db,
      keys.map((key) => Number(key.at(-1))),
    ),
    next,
    total: query.after === undefined ? countWebhooks(db, selection) : null,
  };
}

export function webhookMarks(db: ReadableDb, query: WebhookQuery & { every: number }): Marks {
  const reading = webhookReading(db, selectWebhooks(db, query.filter), query.sort);
  const columns = reading.order.columns.map(({ name }) => name).join(', ');
  const keyOf = (id: number): Values =>
    prepared<Values>(db, `SELECT ${columns} FROM webhook WHERE id = ?`).raw().get(id)!;
  return readMarks(db, reading, query.every, keyOf);
}

/** From the kept counts where they tell it, from covering indexes else; bounded where rows must be looked at. */
export function countWebhooks(db: ReadableDb, selection: WebhookSelection): Total {
  if (isEmpty(selection)) return { count: 0, exact: true };
  const { match, subscription_id, statement_id, error_id } = selection;
  if (match === null && subscription_id === null && statement_id === null) {
    return {
      count: error_id === null ? countClasses(db, selection) : countErrors(db, selection),
      exact: true,
    };
  }
  const branches = webhookBranches(db, selection);
  const most = branches.every(({ from }) => from === 'webhook_fts') ? MOST_FOUND : MOST_ROWS;
  const count = countRows(db, branches, most + 1);
  return { count: Math.min(count, most), exact: count <= most };
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

/** The columns of a list's row. */
export const rowColumns = `webhook.id, event, successful, delivery, created_at_text AS created_at,
  accepted_at_text AS accepted_at, last_sent_at_text AS last_sent_at, last_error_at_text AS last_error_at,
  last_sent_url, last_error, subscription_id, statement_id`;

export type StoredRow = Omit<WebhookRow, 'successful' | 'delivery'> & {
  successful: number;
  delivery: 0 | 1 | 2;
};

export function shownRow<Row extends StoredRow>(
  row: Row,
): Omit<Row, 'successful' | 'delivery'> & Pick<WebhookRow, 'successful' | 'delivery'> {
  return { ...row, successful: row.successful === 1, delivery: deliveries[row.delivery] };
}

/** The rows of these ids, in the order of the ids given. */
export function webhookRows(db: ReadableDb, ids: readonly number[]): WebhookRow[] {
  return prepared<StoredRow>(
    db,
    `SELECT ${rowColumns} FROM json_each(?) AS wanted CROSS JOIN webhook ON webhook.id = wanted.value
     ORDER BY wanted.key`,
  )
    .all(JSON.stringify(ids))
    .map((row) => shownRow(row));
}
