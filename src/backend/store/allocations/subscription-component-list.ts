import type { Marks, Outputs, SubscriptionComponent } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import {
  type Branch,
  type Column,
  countRows,
  type Reading,
  readMarks,
  readPage,
} from '../lists/keyset-pagination.ts';
import { prepared, type ReadableDb, type Value, type Values } from '../sqlite/connection.ts';
import { containing } from '../sqlite/like-pattern.ts';
import type { ComponentKey, HistoryState } from './subscription-component.ts';

export interface SubscriptionComponentQuery {
  filter: {
    subscription_id?: number | undefined;
    component_id?: number | undefined;
    state?: HistoryState | undefined;
    search?: string | undefined;
  };
  sort: { by: 'last_at' | 'subscription_id'; direction: 'asc' | 'desc' };
}

const row: Column = { name: 'row', type: 'number' };
const sorts: Record<SubscriptionComponentQuery['sort']['by'], readonly Column[]> = {
  last_at: [{ name: 'last_at', type: 'number' }, row],
  subscription_id: [
    { name: 'subscription_id', type: 'number' },
    { name: 'component_id', type: 'number' },
    row,
  ],
};

export function listSubscriptionComponents(
  db: ReadableDb,
  query: SubscriptionComponentQuery & { after?: string | undefined; limit: number },
): Outputs['allocations']['components'] {
  const reading = readingOf(query);
  const { keys, next } = readPage(db, reading, query);
  return {
    rows: keys.map((key) => componentWhere(db, 'row = ?', [key.at(-1)!])!),
    next,
    total:
      query.after === undefined ? { count: countRows(db, reading.groups[0]!.branches), exact: true } : null,
  };
}

/** Returns cursors at regular intervals of the list, so that any part of it can be read directly. */
export function componentMarks(db: ReadableDb, query: SubscriptionComponentQuery & { every: number }): Marks {
  const reading = readingOf(query);
  return readMarks(db, reading, query.every, 'subscription_component');
}

/** Returns a subscription component as defined by the contract, or null if it is not followed. */
export function shownSubscriptionComponent(
  db: ReadableDb,
  component: ComponentKey,
): SubscriptionComponent | null {
  const { subscription_id, component_id } = component;
  return componentWhere(db, 'subscription_id = ? AND component_id = ?', [subscription_id, component_id]);
}

/** Plans how the list is read. There are few enough rows to scan those that a filter excludes. */
function readingOf({ filter, sort: { by, direction } }: SubscriptionComponentQuery): Reading {
  const where: string[] = [];
  const bound: Values = [];
  const add = (sql: string, ...values: Value[]) => {
    where.push(sql);
    bound.push(...values);
  };
  if (filter.subscription_id !== undefined) add('subscription_id = ?', filter.subscription_id);
  if (filter.component_id !== undefined) add('component_id = ?', filter.component_id);
  if (filter.state !== undefined) add('state = ?', filter.state);
  if (filter.search !== undefined && filter.search.trim() !== '') {
    const like = containing(filter.search);
    const id = filter.search.trim();
    add(
      `(component_name LIKE ? ESCAPE '\\' OR component_id = ? OR subscription_id = ? OR subscription_id IN (
          SELECT subscription_id FROM subscription
          WHERE customer_name LIKE ? ESCAPE '\\' OR customer_organization LIKE ? ESCAPE '\\'))`,
      ...[like, id, id, like, like],
    );
  }
  const branch: Branch = { from: 'subscription_component', where, bound };
  return {
    order: { name: `pairs ${by}`, columns: sorts[by], direction },
    groups: [{ lead: [], branches: [branch] }],
    edge: null,
  };
}

interface StoredSubscriptionComponent extends Omit<SubscriptionComponent, 'customer_name' | 'synced_at'> {
  read_at: number | null;
}

function componentWhere(db: ReadableDb, where: string, bound: Values): SubscriptionComponent | null {
  const stored = prepared<StoredSubscriptionComponent>(
    db,
    `SELECT subscription_id, component_id, component_name, quantity, allocations, last_at_text AS last_at, state, source,
       read_at FROM subscription_component WHERE ${where}`,
  ).get(...bound);
  if (stored === undefined) return null;
  const { read_at, ...rest } = stored;
  const customer_name = prepared<string | null>(
    db,
    `SELECT nullif(customer_name, '') FROM subscription WHERE subscription_id = ?`,
  )
    .pluck()
    .get(stored.subscription_id);
  return { ...rest, customer_name: customer_name ?? null, synced_at: formatTimestamp(read_at) };
}
