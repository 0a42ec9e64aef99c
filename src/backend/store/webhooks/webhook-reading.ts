import type { z } from 'zod';
import type { webhookSortSchema } from '../../../contract/index.ts';
import { edgeOf, within } from '../lists/day-range.ts';
import {
  type Branch,
  type Column,
  countRows,
  type Group,
  type Order,
  type Reading,
} from '../lists/keyset-pagination.ts';
import { integer, prepared, type ReadableDb, type Values } from '../sqlite/connection.ts';
import { idsOfDays, mostOfDays } from './webhook-days.ts';
import {
  conditions,
  foundBranch,
  isEmpty,
  narrowBranch,
  type WebhookSelection,
} from './webhook-selection.ts';

export type WebhookSort = z.output<typeof webhookSortSchema>;

/** Maximum number of classes that are merged. SQLite allows 500 selects in one statement. */
const MOST_CLASSES = 400;
/** Maximum number of rows, from a range of days or a search, that are sorted in memory. */
const FEW = 50_000;
const FEW_FOUND = 2_000;

const id: Column = { name: 'id', type: 'number' };
const created: Column = { name: 'created_at', type: 'number' };
const sent: Column = { name: 'last_sent_at', type: 'number' };
const event: Column = { name: 'event', type: 'text' };

const columnsOf: Record<WebhookSort['by'], readonly Column[]> = {
  created_at: [created, id],
  last_sent_at: [sent, id],
  event: [event, created, id],
  id: [id],
};

/**
 * Plans how a selection of the webhook log is read in an order. Equal times are ordered by id; sorting by event means by
 * event, then time. With a search, time order is id order: the service numbers webhooks as it creates them, and the
 * search index has that order.
 */
export function webhookReading(db: ReadableDb, selection: WebhookSelection, sort: WebhookSort): Reading {
  const { by, direction } = sort;
  const order: Order = { name: `webhooks ${by}`, columns: columnsOf[by], direction };
  if (isEmpty(selection)) return { order, groups: [], edge: null };
  if (selection.match !== null) return foundReading(db, selection, sort, order);
  const narrow = narrowBranch(selection);
  if (narrow !== null) return single(order, narrow);
  const edge = edgeOf(selection.created, direction, 2);
  switch (by) {
    case 'created_at':
      return { order, groups: [group(timeBranches(selection, direction))], edge };
    case 'event':
      return { order, groups: eventGroups(selection, direction), edge };
    case 'last_sent_at':
      return sentReading(db, selection, order);
    case 'id':
      return idReading(db, selection, order);
  }
}

const group = (branches: Branch[], lead: Values = []): Group => ({ lead, branches });
const single = (order: Order, branch: Branch): Reading => ({ order, groups: [group([branch])], edge: null });

/** Returns the branches for time order: one per class, or one for all. */
function timeBranches(selection: WebhookSelection, direction: Order['direction']): Branch[] {
  const { classes, everyClass, created: stretch, error_id } = selection;
  const { where, bound } = within(stretch, 'created_at', direction);
  if (classes.length > MOST_CLASSES) return [gatheredBranch(selection)];
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
function eventGroups(selection: WebhookSelection, direction: Order['direction']): Group[] {
  const byEvent = Map.groupBy(selection.classes, (each) => each.event);
  const groups = [...byEvent].map(([name, classes]) =>
    group(timeBranches({ ...selection, classes, everyClass: false }, direction), [name]),
  );
  return direction === 'asc' ? groups : groups.reverse();
}

function sentReading(db: ReadableDb, selection: WebhookSelection, order: Order): Reading {
  const { created: stretch, classes, error_id } = selection;
  const few = error_id !== null || (stretch !== null && mostOfDays(db, stretch) <= FEW);
  if (few || classes.length > MOST_CLASSES) return single(order, gatheredBranch(selection));
  return { order, groups: [group(classBranches(selection, 'webhook_class_sent'))], edge: null };
}

function idReading(db: ReadableDb, selection: WebhookSelection, order: Order): Reading {
  const { classes, error_id } = selection;
  if (error_id !== null || classes.length > MOST_CLASSES) return single(order, gatheredBranch(selection));
  const ids = idBounds(db, selection, order.direction);
  const branches = classBranches(selection, 'webhook_class_id').map((branch) => ({
    ...branch,
    where: [...branch.where, ...ids.where],
    bound: [...branch.bound, ...ids.bound],
  }));
  return { order, groups: [group(branches)], edge: ids.edge };
}

/** Returns all rows of a selection from an index with every sort column, to be sorted in memory. */
function gatheredBranch(selection: WebhookSelection): Branch {
  const { where, bound } = conditions(selection);
  const index = selection.error_id === null ? 'webhook_created' : 'webhook_error_class';
  return { from: `webhook INDEXED BY ${index}`, where, bound };
}

function classBranches(selection: WebhookSelection, index: string): Branch[] {
  const { where, bound } = conditions(selection, 'class');
  return selection.classes.map((each) => ({
    from: `webhook INDEXED BY ${index}`,
    where: ['class_id = ?', ...where],
    bound: [each.id, ...bound],
  }));
}

/** Returns where a range of days lies in id order: the boundary before it and the condition that ends it. */
function idBounds(
  db: ReadableDb,
  { created: stretch }: WebhookSelection,
  direction: Order['direction'],
  column = 'id',
): { edge: Values | null; where: string[]; bound: Values } {
  if (stretch === null) return { edge: null, where: [], bound: [] };
  const { first, last } = idsOfDays(db, stretch);
  return direction === 'asc'
    ? { edge: [first - 1], where: [`${column} <= ${integer}`], bound: [last] }
    : { edge: [last + 1], where: [`${column} >= ${integer}`], bound: [first] };
}

function foundReading(
  db: ReadableDb,
  selection: WebhookSelection,
  { by, direction }: WebhookSort,
  order: Order,
): Reading {
  if (by === 'created_at' || by === 'id') {
    const ids = idBounds(db, selection, direction, 'webhook_fts.rowid');
    const branch = { ...foundBranch(selection, ids), as: { id: 'webhook_fts.rowid' } };
    const inOrder = { ...order, name: 'webhooks found', columns: [id] };
    return { order: inOrder, groups: [group([branch])], edge: ids.edge };
  }
  // The search index has no other order. Few results are sorted by their rows. If there are many, the rows are read in
  // order and filtered by the results.
  if (countFound(db, selection, FEW_FOUND + 1) > FEW_FOUND) {
    const found = prepared<number>(db, 'SELECT rowid FROM webhook_fts WHERE webhook_fts MATCH ?').pluck();
    const only = new Set(found.all(selection.match));
    return { ...webhookReading(db, { ...selection, match: null }, { by, direction }), only };
  }
  const { where, bound } = conditions(selection);
  return single(order, {
    from: 'webhook',
    where: ['id IN (SELECT rowid FROM webhook_fts WHERE webhook_fts MATCH ?)', ...where],
    bound: [selection.match, ...bound],
  });
}

function countFound(db: ReadableDb, { match }: WebhookSelection, most: number): number {
  return countRows(db, [{ from: 'webhook_fts', where: ['webhook_fts MATCH ?'], bound: [match] }], most);
}

/** Returns the rows of a selection in no particular order, for counting. */
export function webhookBranches(db: ReadableDb, selection: WebhookSelection): Branch[] {
  if (isEmpty(selection)) return [];
  if (selection.match !== null) {
    const ids = selection.created === null ? null : idsOfDays(db, selection.created);
    return [
      foundBranch(selection, {
        where: ids === null ? [] : [`webhook_fts.rowid BETWEEN ${integer} AND ${integer}`],
        bound: ids === null ? [] : [ids.first, ids.last],
      }),
    ];
  }
  const narrow = narrowBranch(selection);
  if (narrow !== null) return [narrow];
  const { everyClass, classes, error_id } = selection;
  return everyClass || error_id !== null || classes.length > MOST_CLASSES
    ? [gatheredBranch(selection)]
    : classBranches(selection, 'webhook_class_created');
}
