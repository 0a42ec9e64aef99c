import type { z } from 'zod';
import type { webhookSortSchema } from '../../../contract/index.ts';
import {
  countScannedRows,
  type IndexScan,
  type ListOrder,
  type ListQueryPlan,
  type ListSection,
  planListScans,
  type SortColumn,
} from '../lists/keyset-pagination.ts';
import { getRangeStartKey, getTimeRangeConditions } from '../lists/time-range.ts';
import { INTEGER_PARAMETER, prepareSql, type ReadableDb, type SqlValues } from '../sqlite/connection.ts';
import { countWebhooksOnDays, findWebhookIdRange } from './webhook-id-ranges.ts';
import {
  getWebhookConditions,
  getWebhookSearchScan,
  getWebhookSubjectScan,
  isEmptyWebhookSelection,
  type WebhookSelection,
} from './webhook-selection.ts';

export type WebhookSort = z.output<typeof webhookSortSchema>;

/** Maximum number of webhook classes whose scans are merged. SQLite allows 500 SELECTs in a compound statement. */
const MAX_MERGED_CLASSES = 400;
/** Maximum number of rows of a date range, and of results of a search, that are sorted in memory. */
const MAX_ROWS_SORTED = 50_000;
const MAX_RESULTS_SORTED = 2_000;

const id: SortColumn = { name: 'id', type: 'number' };
const created: SortColumn = { name: 'created_at', type: 'number' };
const sent: SortColumn = { name: 'last_sent_at', type: 'number' };
const event: SortColumn = { name: 'event', type: 'text' };

const sortColumns: Record<WebhookSort['by'], readonly SortColumn[]> = {
  created_at: [created, id],
  last_sent_at: [sent, id],
  event: [event, created, id],
  id: [id],
};

/** Plans the query of the webhook list. The search index has id order only, so time order needs two steps. */
export function planWebhookList(
  db: ReadableDb,
  selection: WebhookSelection,
  sort: WebhookSort,
): ListQueryPlan {
  const { by, direction } = sort;
  const order: ListOrder = { name: `webhooks ${by}`, columns: sortColumns[by], direction };
  if (isEmptyWebhookSelection(selection)) return { order, sections: [], startKey: null };
  if (selection.match !== null) return planSearchResults(db, selection, sort, order);
  const narrow = getWebhookSubjectScan(selection);
  if (narrow !== null) return single(order, narrow);
  const startKey = getRangeStartKey(selection.created, direction, 2);
  switch (by) {
    case 'created_at':
      return { order, sections: [group(getTimeScans(selection, direction))], startKey };
    case 'event':
      return { order, sections: getEventSections(selection, direction), startKey };
    case 'last_sent_at':
      return planBySentTime(db, selection, order);
    case 'id':
      return planById(db, selection, order);
  }
}

const group = (scans: IndexScan[], leadingValues: SqlValues = []): ListSection => ({ leadingValues, scans });
const single = (order: ListOrder, branch: IndexScan): ListQueryPlan => planListScans(order, [branch]);

/** Returns the scans in time order: one per webhook class, or a single scan of all classes. */
function getTimeScans(selection: WebhookSelection, direction: ListOrder['direction']): IndexScan[] {
  const { classes, everyClass, created: range, error_id } = selection;
  const { where, bound } = getTimeRangeConditions(range, 'created_at', direction);
  if (classes.length > MAX_MERGED_CLASSES) return [getFullScan(selection)];
  if (everyClass && error_id === null) return [{ from: 'webhook INDEXED BY webhook_created', where, bound }];
  const [index, ofError] =
    error_id === null ? ['webhook_class_created', []] : ['webhook_error_class', ['error_id = ?']];
  return classes.map((each) => ({
    from: `webhook INDEXED BY ${index}`,
    where: [...ofError, 'class_id = ?', ...where],
    bound: [...(error_id === null ? [] : [error_id]), each.id, ...bound],
  }));
}

/** Returns one list section per event, each in time order. */
function getEventSections(selection: WebhookSelection, direction: ListOrder['direction']): ListSection[] {
  const byEvent = Map.groupBy(selection.classes, (each) => each.event);
  const groups = [...byEvent].map(([name, classes]) =>
    group(getTimeScans({ ...selection, classes, everyClass: false }, direction), [name]),
  );
  return direction === 'asc' ? groups : groups.reverse();
}

function planBySentTime(db: ReadableDb, selection: WebhookSelection, order: ListOrder): ListQueryPlan {
  const { created: range, classes, error_id } = selection;
  const few = error_id !== null || (range !== null && countWebhooksOnDays(db, range) <= MAX_ROWS_SORTED);
  if (few || classes.length > MAX_MERGED_CLASSES) return single(order, getFullScan(selection));
  return { order, sections: [group(getClassScans(selection, 'webhook_class_sent'))], startKey: null };
}

function planById(db: ReadableDb, selection: WebhookSelection, order: ListOrder): ListQueryPlan {
  const { classes, error_id } = selection;
  if (error_id !== null || classes.length > MAX_MERGED_CLASSES) return single(order, getFullScan(selection));
  const ids = getIdBounds(db, selection, order.direction);
  const scans = getClassScans(selection, 'webhook_class_id').map((branch) => ({
    ...branch,
    where: [...branch.where, ...ids.where],
    bound: [...branch.bound, ...ids.bound],
  }));
  return { order, sections: [group(scans)], startKey: ids.startKey };
}

/** Returns the scan of all rows of a selection, which SQLite sorts in memory. Its index contains every sort column. */
function getFullScan(selection: WebhookSelection): IndexScan {
  const { where, bound } = getWebhookConditions(selection);
  const index = selection.error_id === null ? 'webhook_created' : 'webhook_error_class';
  return { from: `webhook INDEXED BY ${index}`, where, bound };
}

function getClassScans(selection: WebhookSelection, index: string): IndexScan[] {
  const { where, bound } = getWebhookConditions(selection, 'class');
  return selection.classes.map((each) => ({
    from: `webhook INDEXED BY ${index}`,
    where: ['class_id = ?', ...where],
    bound: [each.id, ...bound],
  }));
}

/** Returns the id before a date range in list order, and the SQL condition that ends the range. */
function getIdBounds(
  db: ReadableDb,
  { created: range }: WebhookSelection,
  direction: ListOrder['direction'],
  column = 'id',
): { startKey: SqlValues | null; where: string[]; bound: SqlValues } {
  if (range === null) return { startKey: null, where: [], bound: [] };
  const { first, last } = findWebhookIdRange(db, range);
  return direction === 'asc'
    ? { startKey: [first - 1], where: [`${column} <= ${INTEGER_PARAMETER}`], bound: [last] }
    : { startKey: [last + 1], where: [`${column} >= ${INTEGER_PARAMETER}`], bound: [first] };
}

function planSearchResults(
  db: ReadableDb,
  selection: WebhookSelection,
  { by, direction }: WebhookSort,
  order: ListOrder,
): ListQueryPlan {
  if (by === 'created_at' || by === 'id') {
    const ids = getIdBounds(db, selection, direction, 'webhook_fts.rowid');
    const branch = { ...getWebhookSearchScan(selection, ids), as: { id: 'webhook_fts.rowid' } };
    const inOrder = { ...order, name: 'webhooks found', columns: [id] };
    return { order: inOrder, sections: [group([branch])], startKey: ids.startKey };
  }
  // The search index has only id order. Few results are sorted in memory. For many results, the log is read in time
  // order and filtered by the results.
  if (countSearchResults(db, selection, MAX_RESULTS_SORTED + 1) > MAX_RESULTS_SORTED) {
    const found = prepareSql<number>(db, 'SELECT rowid FROM webhook_fts WHERE webhook_fts MATCH ?').pluck();
    const onlyIds = new Set(found.all(selection.match));
    return { ...planWebhookList(db, { ...selection, match: null }, { by, direction }), onlyIds };
  }
  const { where, bound } = getWebhookConditions(selection);
  return single(order, {
    from: 'webhook',
    where: ['id IN (SELECT rowid FROM webhook_fts WHERE webhook_fts MATCH ?)', ...where],
    bound: [selection.match, ...bound],
  });
}

function countSearchResults(db: ReadableDb, { match }: WebhookSelection, most: number): number {
  return countScannedRows(
    db,
    [{ from: 'webhook_fts', where: ['webhook_fts MATCH ?'], bound: [match] }],
    most,
  );
}

/** Returns the scans of a selection for counting, in no particular order. */
export function getWebhookScans(db: ReadableDb, selection: WebhookSelection): IndexScan[] {
  if (isEmptyWebhookSelection(selection)) return [];
  if (selection.match !== null) {
    const ids = selection.created === null ? null : findWebhookIdRange(db, selection.created);
    return [
      getWebhookSearchScan(selection, {
        where:
          ids === null ? [] : [`webhook_fts.rowid BETWEEN ${INTEGER_PARAMETER} AND ${INTEGER_PARAMETER}`],
        bound: ids === null ? [] : [ids.first, ids.last],
      }),
    ];
  }
  const narrow = getWebhookSubjectScan(selection);
  if (narrow !== null) return [narrow];
  const { everyClass, classes, error_id } = selection;
  return everyClass || error_id !== null || classes.length > MAX_MERGED_CLASSES
    ? [getFullScan(selection)]
    : getClassScans(selection, 'webhook_class_created');
}
