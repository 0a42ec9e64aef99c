import type { ContractOutputs, PageMarks, SubscriptionRow } from '../../../contract/index.ts';
import {
  type ListQueryPlan,
  type PageRequest,
  planListScans,
  readPageCursors,
  readRowPage,
  type SortColumn,
} from '../lists/keyset-pagination.ts';
import { type SqlConditions, whereIf } from '../lists/sql-conditions.ts';
import { prepareSql, type ReadableDb } from '../sqlite/connection.ts';
import { toLikePattern } from '../sqlite/like-pattern.ts';

export interface SubscriptionQuery {
  filter: { search?: string | undefined };
  sort: { by: 'subscription_id' | 'customer_name' | 'balance_in_cents'; direction: 'asc' | 'desc' };
}

const id: SortColumn = { name: 'subscription_id', type: 'number' };
const sorts: Record<SubscriptionQuery['sort']['by'], { columns: readonly SortColumn[]; from: string }> = {
  subscription_id: { columns: [id], from: 'subscription' },
  customer_name: {
    columns: [{ name: 'customer_name', type: 'text' }, id],
    from: 'subscription INDEXED BY subscription_customer',
  },
  balance_in_cents: {
    columns: [{ name: 'balance_in_cents', type: 'number' }, id],
    from: 'subscription INDEXED BY subscription_balance',
  },
};

export function listSubscriptions(
  db: ReadableDb,
  query: SubscriptionQuery & PageRequest,
): ContractOutputs['subscriptions']['list'] {
  return readRowPage(
    db,
    planSubscriptionList(query),
    query,
    (key) => findSubscription(db, Number(key.at(-1)))!,
  );
}

export function readSubscriptionPageCursors(
  db: ReadableDb,
  query: SubscriptionQuery & { every: number },
): PageMarks {
  return readPageCursors(db, planSubscriptionList(query), query.every, 'subscription');
}

/** Returns a subscription, or null if nothing is stored about it. */
export function findSubscription(db: ReadableDb, subscription_id: number): SubscriptionRow | null {
  const sql = `SELECT subscription_id, nullif(customer_name, '') AS customer_name, customer_organization, statements, unpaid,
       iif(last_closed_at IS NULL, NULL, balance_in_cents) AS balance_in_cents, last_closed_at_text AS last_closed_at
     FROM subscription WHERE subscription_id = ?`;
  const row = prepareSql<SubscriptionRow & { balance_in_cents: number }>(db, sql).get(subscription_id);
  return row ?? null;
}

/** Plans the query of the subscription list. The list is short enough to find names by scanning all rows. */
function planSubscriptionList({ filter, sort: { by, direction } }: SubscriptionQuery): ListQueryPlan {
  const { columns, from } = sorts[by];
  const scan = { from, ...getSubscriptionSearchConditions(filter.search) };
  return planListScans({ name: `subscriptions ${by}`, columns, direction }, [scan]);
}

/** Returns SQL conditions for subscriptions with this text in the customer's name or organization, or as id. */
export function getSubscriptionSearchConditions(search: string | undefined): SqlConditions {
  const text = search?.trim() || undefined;
  const like = text && toLikePattern(text);
  const condition = `(customer_name LIKE ? ESCAPE '\\' OR customer_organization LIKE ? ESCAPE '\\' OR subscription_id = ?)`;
  return whereIf(condition, like, like, text);
}
