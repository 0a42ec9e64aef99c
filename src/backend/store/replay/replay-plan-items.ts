import type { Outputs, ReplayPlanItem } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { type Branch, countRows, type Reading, readPage } from '../lists/keyset-pagination.ts';
import { prepared, type ReadableDb, type Values } from '../sqlite/connection.ts';

/** Lists a plan's webhooks in the order of sending. */
export function listPlanItems(
  books: ReadableDb,
  { plan, after, limit }: { plan: string; after?: string | undefined; limit: number },
): Outputs['replay']['planItems'] {
  const branches: Branch[] = [{ from: 'replay_plan_item', where: ['plan = ?'], bound: [plan] }];
  const reading: Reading = {
    order: { name: 'plan items', columns: [{ name: 'ordinal', type: 'number' }], direction: 'asc' },
    groups: [{ lead: [], branches }],
    edge: null,
  };
  const { keys, next } = readPage(books, reading, { after, limit });
  return {
    rows: keys.map((key) => planItemAt(books, plan, key)),
    next,
    total: after === undefined ? { count: countRows(books, branches), exact: true } : null,
  };
}

function planItemAt(books: ReadableDb, plan: string, key: Values): ReplayPlanItem {
  const row = prepared<Omit<ReplayPlanItem, 'created_at'> & { created_at: number }>(
    books,
    `SELECT webhook_id AS id, event, created_at, last_sent_at, last_error, subscription_id FROM replay_plan_item
     WHERE plan = ? AND ordinal = ?`,
  ).get(plan, ...key)!;
  return { ...row, created_at: formatTimestamp(row.created_at) };
}
