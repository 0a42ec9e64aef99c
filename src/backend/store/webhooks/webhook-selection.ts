import type { WebhookFilter } from '../../../contract/index.ts';
import { findSharedErrorWords } from '../../../domain/webhooks/delivery-error-group.ts';
import type { IndexScan } from '../lists/keyset-pagination.ts';
import {
  buildAllTextsQuery,
  buildAnyTextQuery,
  toDeliverySearchToken,
  toFullTextExpression,
  toUrlSearchToken,
} from '../lists/search-expression.ts';
import { type TimeRange, toTimeRange } from '../lists/time-range.ts';
import { prepareSql, type ReadableDb, type SqlValues, select } from '../sqlite/connection.ts';
import { removeUrlQuery } from './webhook.ts';

/** A row of the `webhook_class` table: event, delivery state and address, with the number of such webhooks. */
export interface WebhookClass {
  id: number;
  event: string;
  delivery: 0 | 1 | 2;
  url: string;
  count: number;
}

/** A webhook filter in terms of stored columns. Null means that a column is not filtered. */
export interface WebhookSelection {
  /** Webhook classes that fit the filter, ordered by event. */
  classes: WebhookClass[];
  /** True if every existing class is selected. */
  everyClass: boolean;
  created: TimeRange | null;
  /** Id in `webhook_error`. 0 if no webhook has the selected error. */
  error_id: number | null;
  subscription_id: number | null;
  statement_id: number | null;
  /** FTS5 expression of the search. Empty if nothing can match. */
  match: string | null;
}

const deliveriesByStatus = { successful: [0], failed: [1, 2], pending: [2] } as const;

/** Converts a webhook filter to stored columns: the matching classes and the conditions on each row. */
export function selectWebhooks(db: ReadableDb, filter: WebhookFilter): WebhookSelection {
  const all = listWebhookClasses(db);
  const classes = all.filter((each) => matchesClass(each, filter));
  return {
    classes,
    everyClass: classes.length === all.length,
    created: getFilterTimeRange(db, filter),
    error_id: filter.error === undefined ? null : findErrorId(db, filter.error),
    subscription_id: filter.subscription_id ?? null,
    statement_id: filter.statement_id ?? null,
    match: getMatchExpression(filter),
  };
}

/** Returns the time range that fits both the days and the instants of a filter. */
function getFilterTimeRange(db: ReadableDb, filter: WebhookFilter): TimeRange | null {
  const days = toTimeRange(filter, (at) => findWebhookTimestampNear(db, at));
  if (filter.from === undefined && filter.to === undefined) return days;
  return {
    from: Math.max(days?.from ?? 1, filter.from === undefined ? 1 : Date.parse(filter.from)),
    until: Math.min(
      days?.until ?? Number.MAX_SAFE_INTEGER,
      filter.to === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(filter.to) + 1,
    ),
  };
}

/** Returns true if the selection is known to be empty, so that no rows need to be read. */
export function isEmptyWebhookSelection({ classes, error_id, match }: WebhookSelection): boolean {
  return classes.length === 0 || error_id === 0 || match === '';
}

export function listWebhookClasses(db: ReadableDb): WebhookClass[] {
  const sql =
    'SELECT id, event, delivery, url, count FROM webhook_class WHERE count > 0 ORDER BY event, delivery, url';
  return select.rows<WebhookClass>(db, sql);
}

function matchesClass({ event, delivery, url }: WebhookClass, filter: WebhookFilter): boolean {
  const { status } = filter;
  return (
    (status === undefined || deliveriesByStatus[status].some((each) => each === delivery)) &&
    (filter.event === undefined || filter.event.includes(event)) &&
    (filter.url === undefined || removeUrlQuery(filter.url) === url)
  );
}

function findErrorId(db: ReadableDb, error: string): number {
  return select.value<number>(db, 'SELECT id FROM webhook_error WHERE error = ?', error) ?? 0;
}

/** Returns the datetime text of the webhook nearest to an instant, or null. */
/** Returns the creation time text of the stored webhook nearest to an instant (UTC milliseconds), or null. */
export function findWebhookTimestampNear(db: ReadableDb, at: number): string | null {
  const at_or_after = `SELECT created_at_text FROM webhook INDEXED BY webhook_created
    WHERE created_at >= ? ORDER BY created_at LIMIT 1`;
  const before = `SELECT created_at_text FROM webhook INDEXED BY webhook_created
    WHERE created_at < ? AND created_at > 0 ORDER BY created_at DESC LIMIT 1`;
  return select.value<string>(db, at_or_after, at) ?? prepareSql<string>(db, before).pluck().get(at) ?? null;
}

/** Returns the FTS5 expression of a filter. It may match too many rows, which the row conditions then exclude. */
function getMatchExpression(filter: WebhookFilter): string | null {
  const { search, status, event, url, error, subscription_id, statement_id } = filter;
  if (search === undefined || search.trim() === '') return null;
  const match = toFullTextExpression(search, ['body', 'event', 'error']);
  if (match === null) return '';
  const narrowings: (string | null)[] = [
    status === undefined
      ? null
      : buildAnyTextQuery('narrow', deliveriesByStatus[status].map(toDeliverySearchToken)),
    url === undefined ? null : buildAnyTextQuery('narrow', [toUrlSearchToken(removeUrlQuery(url))]),
    event === undefined ? null : buildAnyTextQuery('event', event),
    error === undefined ? null : buildAllTextsQuery('error', findSharedErrorWords(error)),
    subscription_id === undefined ? null : buildAnyTextQuery('body', [String(subscription_id)]),
    statement_id === undefined ? null : buildAnyTextQuery('body', [String(statement_id)]),
  ];
  return [match, ...narrowings.filter((each) => each !== null)].map((each) => `(${each})`).join(' AND ');
}

type WebhookCondition = 'class' | 'created' | 'error' | 'subscription' | 'statement';

/** Returns the SQL conditions on each row of a selection, except conditions that the query plan already covers. */
export function getWebhookConditions(
  selection: WebhookSelection,
  ...except: WebhookCondition[]
): { where: string[]; bound: SqlValues } {
  const { classes, everyClass, created, error_id, subscription_id, statement_id } = selection;
  const all: [WebhookCondition, boolean, string, SqlValues][] = [
    ['statement', statement_id !== null, 'statement_id = ?', [statement_id]],
    ['subscription', subscription_id !== null, 'subscription_id = ?', [subscription_id]],
    ['error', error_id !== null, 'error_id = ?', [error_id]],
    [
      'class',
      !everyClass,
      'class_id IN (SELECT value FROM json_each(?))',
      [JSON.stringify(classes.map(({ id }) => id))],
    ],
    [
      'created',
      created !== null,
      'created_at >= ? AND created_at < ?',
      [created?.from ?? 0, created?.until ?? 0],
    ],
  ];
  const applied = all.filter(([name, filtered]) => filtered && !except.includes(name));
  return { where: applied.map(([, , sql]) => sql), bound: applied.flatMap(([, , , values]) => values) };
}

/** Returns an index scan of one statement or subscription, or null if the selection names neither. */
export function getWebhookSubjectScan(selection: WebhookSelection): IndexScan | null {
  const name = (['statement', 'subscription'] as const).find((name) => selection[`${name}_id`] !== null);
  if (name === undefined) return null;
  const { where, bound } = getWebhookConditions(selection, name);
  return {
    from: `webhook INDEXED BY webhook_${name}`,
    where: [`${name}_id = ?`, ...where],
    bound: [selection[`${name}_id`], ...bound],
  };
}

/** Returns the scan of the webhooks that a search has found, with conditions on their ids. */
export function getWebhookSearchScan(
  selection: WebhookSelection,
  ids: { where: string[]; bound: SqlValues },
): IndexScan {
  const { where, bound } = getWebhookConditions(selection);
  return {
    from:
      where.length === 0 ? 'webhook_fts' : 'webhook_fts CROSS JOIN webhook ON webhook.id = webhook_fts.rowid',
    where: ['webhook_fts MATCH ?', ...ids.where, ...where],
    bound: [selection.match, ...ids.bound, ...bound],
  };
}

/** Returns one scan of all rows of a selection, in `created_at` order if only classes and time are selected. */
export function getFullWebhookScan(selection: WebhookSelection): IndexScan {
  const { where, bound } = getWebhookConditions(selection);
  if (selection.match !== null) {
    return {
      from: 'webhook_fts CROSS JOIN webhook ON webhook.id = webhook_fts.rowid',
      where: ['webhook_fts MATCH ?', ...where],
      bound: [selection.match, ...bound],
    };
  }
  const index = selection.error_id === null ? 'webhook_created' : 'webhook_error_class';
  return getWebhookSubjectScan(selection) ?? { from: `webhook INDEXED BY ${index}`, where, bound };
}
