import type { ContractOutputs, PageMarks, SubscriptionComponent } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import {
  type ListQueryPlan,
  type PageRequest,
  planListScans,
  readPageCursors,
  readRowPage,
  type SortColumn,
} from '../lists/keyset-pagination.ts';
import { joinConditions, whereEqual, whereIf } from '../lists/sql-conditions.ts';
import { prepareSql, type ReadableDb, type SqlValues } from '../sqlite/connection.ts';
import { toLikePattern } from '../sqlite/like-pattern.ts';
import type { AllocationHistoryState, ComponentKey } from './subscription-component.ts';
import { COMPONENT_NAME_SQL, findCustomerName } from './subscription-component.ts';

export interface SubscriptionComponentQuery {
  filter: {
    subscription_id?: number | undefined;
    component_id?: number | undefined;
    state?: AllocationHistoryState | undefined;
    search?: string | undefined;
  };
  sort: { by: 'last_at' | 'subscription_id'; direction: 'asc' | 'desc' };
}

const row: SortColumn = { name: 'row', type: 'number' };
const sorts: Record<SubscriptionComponentQuery['sort']['by'], readonly SortColumn[]> = {
  last_at: [{ name: 'last_at', type: 'number' }, row],
  subscription_id: [
    { name: 'subscription_id', type: 'number' },
    { name: 'component_id', type: 'number' },
    row,
  ],
};

export function listSubscriptionComponents(
  db: ReadableDb,
  query: SubscriptionComponentQuery & PageRequest,
): ContractOutputs['allocations']['components'] {
  const toRow = (key: SqlValues) => findComponentWhere(db, 'row = ?', [key.at(-1)!])!;
  return readRowPage(db, planComponentList(query), query, toRow);
}

export function readSubscriptionComponentPageCursors(
  db: ReadableDb,
  query: SubscriptionComponentQuery & { every: number },
): PageMarks {
  return readPageCursors(db, planComponentList(query), query.every, 'subscription_component');
}

/** Returns a subscription component as defined by the contract, or null if it is not known. */
export function getSubscriptionComponent(
  db: ReadableDb,
  component: ComponentKey,
): SubscriptionComponent | null {
  const { subscription_id, component_id } = component;
  return findComponentWhere(db, 'subscription_id = ? AND component_id = ?', [subscription_id, component_id]);
}

/** Plans the query of the component list. The list is short enough to scan rows that a filter excludes. */
function planComponentList({ filter, sort: { by, direction } }: SubscriptionComponentQuery): ListQueryPlan {
  const id = filter.search?.trim() || undefined;
  const like = id && toLikePattern(id);
  const conditions = joinConditions(
    whereEqual('subscription_id', filter.subscription_id),
    whereEqual('component_id', filter.component_id),
    whereEqual('state', filter.state),
    whereIf(
      `(${COMPONENT_NAME_SQL} LIKE ? ESCAPE '\\' OR component_id = ? OR subscription_id = ? OR subscription_id IN (
          SELECT subscription_id FROM subscription
          WHERE customer_name LIKE ? ESCAPE '\\' OR customer_organization LIKE ? ESCAPE '\\'))`,
      ...[like, id, id, like, like],
    ),
  );
  const order = { name: `pairs ${by}`, columns: sorts[by], direction };
  return planListScans(order, [{ from: 'subscription_component', ...conditions }]);
}

interface StoredSubscriptionComponent extends Omit<SubscriptionComponent, 'customer_name' | 'synced_at'> {
  read_at: number | null;
}

function findComponentWhere(db: ReadableDb, where: string, bound: SqlValues): SubscriptionComponent | null {
  const storedSql = `SELECT subscription_id, component_id, ${COMPONENT_NAME_SQL} AS component_name, quantity, allocations, last_at_text AS last_at, state, source,
       read_at FROM subscription_component WHERE ${where}`;
  const stored = prepareSql<StoredSubscriptionComponent>(db, storedSql).get(...bound);
  if (stored === undefined) return null;
  const { read_at, ...rest } = stored;
  const customer_name = findCustomerName(db, stored.subscription_id);
  return { ...rest, customer_name, synced_at: formatTimestamp(read_at) };
}
