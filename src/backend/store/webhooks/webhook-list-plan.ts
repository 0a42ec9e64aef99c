import type { z } from 'zod';
import type { webhookSortSchema } from '../../../contract/index.ts';
import { getTimeRangeConditions, getTimeRangeEdge } from '../lists/day-range.ts';
import {
  countRows,
  type IndexScan,
  type ListOrder,
  type ListPlan,
  type ListSection,
  planScans,
  type SortColumn,
} from '../lists/keyset-pagination.ts';
import { INTEGER_PARAMETER, prepare, type ReadableDb, type SqlValues } from '../sqlite/connection.ts';
import { countDaysAtMost, findIdRange } from './webhook-id-ranges.ts';
import {
  getNarrowScan,
  getSearchScan,
  getWebhookConditions,
  isEmptySelection,
  type WebhookSelection,
} from './webhook-selection.ts';

export type WebhookSort = z.output<typeof webhookSortSchema>;

/** Maximum number of classes that are merged. SQLite allows 500 selects in one statement. */
const MAX_MERGED_CLASSES = 400;
/** Maximum number of rows, from a range of days or a search, that are sorted in memory. */
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

/** Plans how the webhook log is read. With a search, time order is id order, which the search index has. */
export function planWebhookList(db: ReadableDb, selection: WebhookSelection, sort: WebhookSort): ListPlan {
  const { by, direction } = sort;
  const order: ListOrder = { name: `webhooks ${by}`, columns: sortColumns[by], direction };
  if (isEmptySelection(selection)) return { order, groups: [], edge: null };
  if (selection.match !== null) return planSearchResults(db, selection, sort, order);
  const narrow = getNarrowScan(selection);
  if (narrow !== null) return single(order, narrow);
  const edge = getTimeRangeEdge(selection.created, direction, 2);
  switch (by) {
    case 'created_at':
      return { order, groups: [group(getTimeScans(selection, direction))], edge };
    case 'event':
      return { order, groups: getEventSections(selection, direction), edge };
    case 'last_sent_at':
      return planBySentTime(db, selection, order);
    case 'id':
      return planById(db, selection, order);
  }
}

const group = (branches: IndexScan[], lead: SqlValues = []): ListSection => ({ lead, branches });
const single = (order: ListOrder, branch: IndexScan): ListPlan => planScans(order, [branch]);

/** Returns the branches for time order: one per class, or one for all. */
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

/** Returns one group per event, each in time order. */
function getEventSections(selection: WebhookSelection, direction: ListOrder['direction']): ListSection[] {
  const byEvent = Map.groupBy(selection.classes, (each) => each.event);
  const groups = [...byEvent].map(([name, classes]) =>
    group(getTimeScans({ ...selection, classes, everyClass: false }, direction), [name]),
  );
  return direction === 'asc' ? groups : groups.reverse();
}

function planBySentTime(db: ReadableDb, selection: WebhookSelection, order: ListOrder): ListPlan {
  const { created: range, classes, error_id } = selection;
  const few = error_id !== null || (range !== null && countDaysAtMost(db, range) <= MAX_ROWS_SORTED);
  if (few || classes.length > MAX_MERGED_CLASSES) return single(order, getFullScan(selection));
  return { order, groups: [group(getClassScans(selection, 'webhook_class_sent'))], edge: null };
}

function planById(db: ReadableDb, selection: WebhookSelection, order: ListOrder): ListPlan {
  const { classes, error_id } = selection;
  if (error_id !== null || classes.length > MAX_MERGED_CLASSES) return single(order, getFullScan(selection));
  const ids = getIdBounds(db, selection, order.direction);
  const branches = getClassScans(selection, 'webhook_class_id').map((branch) => ({
    ...branch,
    where: [...branch.where, ...ids.where],
    bound: [...branch.bound, ...ids.bound],
  }));
  return { order, groups: [group(branches)], edge: ids.edge };
}

/** Returns all rows of a selection from an index with every sort column, to be sorted in memory. */
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

/** Returns the id boundary before a range of days and the SQL condition that ends the range. */
function getIdBounds(
  db: ReadableDb,
  { created: range }: WebhookSelection,
  direction: ListOrder['direction'],
  column = 'id',
): { edge: SqlValues | null; where: string[]; bound: SqlValues } {
  if (range === null) return { edge: null, where: [], bound: [] };
  const { first, last } = findIdRange(db, range);
  return direction === 'asc'
    ? { edge: [first - 1], where: [`${column} <= ${INTEGER_PARAMETER}`], bound: [last] }
    : { edge: [last + 1], where: [`${column} >= ${INTEGER_PARAMETER}`], bound: [first] };
}

function planSearchResults(
  db: ReadableDb,
  selection: WebhookSelection,
  { by, direction }: WebhookSort,
  order: ListOrder,
): ListPlan {
  if (by === 'created_at' || by === 'id') {
    const ids = getIdBounds(db, selection, direction, 'webhook_fts.rowid');
    const branch = { ...getSearchScan(selection, ids), as: { id: 'webhook_fts.rowid' } };
    const inOrder = { ...order, name: 'webhooks found', columns: [id] };
    return { order: inOrder, groups: [group([branch])], edge: ids.edge };
  }
  // The search index has no other order. Few results are sorted by their rows. If there are many, the rows are read in
  // order and filtered by the results.
  if (countSearchResults(db, selection, MAX_RESULTS_SORTED + 1) > MAX_RESULTS_SORTED) {
    const found = prepare<number>(db, 'SELECT rowid FROM webhook_fts WHERE webhook_fts MATCH ?').pluck();
    const only = new Set(found.all(selection.match));
    return { ...planWebhookList(db, { ...selection, match: null }, { by, direction }), only };
  }
  const { where, bound } = getWebhookConditions(selection);
  return single(order, {
    from: 'webhook',
    where: ['id IN (SELECT rowid FROM webhook_fts WHERE webhook_fts MATCH ?)', ...where],
    bound: [selection.match, ...bound],
  });
}

function countSearchResults(db: ReadableDb, { match }: WebhookSelection, most: number): number {
  return countRows(db, [{ from: 'webhook_fts', where: ['webhook_fts MATCH ?'], bound: [match] }], most);
}

/** Returns the rows of a selection in no particular order, for counting. */
export function getWebhookScans(db: ReadableDb, selection: WebhookSelection): IndexScan[] {
  if (isEmptySelection(selection)) return [];
  if (selection.match !== null) {
    const ids = selection.created === null ? null : findIdRange(db, selection.created);
    return [
      getSearchScan(selection, {
        where:
          ids === null ? [] : [`webhook_fts.rowid BETWEEN ${INTEGER_PARAMETER} AND ${INTEGER_PARAMETER}`],
        bound: ids === null ? [] : [ids.first, ids.last],
      }),
    ];
  }
  const narrow = getNarrowScan(selection);
  if (narrow !== null) return [narrow];
  const { everyClass, classes, error_id } = selection;
  return everyClass || error_id !== null || classes.length > MAX_MERGED_CLASSES
    ? [getFullScan(selection)]
    : getClassScans(selection, 'webhook_class_created');
}
