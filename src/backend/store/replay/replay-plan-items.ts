import type { ContractOutputs, ReplayPlanItem } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { orderByColumn, type PageRequest, planListScans, readRowPage } from '../lists/keyset-pagination.ts';
import { type ReadableDb, type SqlValues, select } from '../sqlite/connection.ts';

/** Lists the webhooks of a replay plan in sending order. */
export function listReplayPlanItems(
  books: ReadableDb,
  query: PageRequest & { plan: string },
): ContractOutputs['replay']['planItems'] {
  const scan = { from: 'replay_plan_item', where: ['plan = ?'], bound: [query.plan] };
  const plan = planListScans(orderByColumn('plan items', 'ordinal', 'asc'), [scan]);
  return readRowPage(books, plan, query, (key) => getPlanItem(books, query.plan, key));
}

function getPlanItem(books: ReadableDb, plan: string, key: SqlValues): ReplayPlanItem {
  const sql = `SELECT webhook_id AS id, event, created_at, last_sent_at, last_error, subscription_id, superseded_by FROM replay_plan_item
     WHERE plan = ? AND ordinal = ?`;
  const row = select.row<Omit<ReplayPlanItem, 'created_at'> & { created_at: number }>(
    books,
    sql,
    plan,
    ...key,
  )!;
  return { ...row, created_at: formatTimestamp(row.created_at) };
}
