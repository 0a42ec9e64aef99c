import type { z } from 'zod';
import type { statementSortSchema } from '../../../contract/index.ts';
import { edgeOf } from '../lists/day-range.ts';
import type { Branch, Column, Order, Reading } from '../lists/keyset-pagination.ts';
import { prepared, type ReadableDb } from '../sqlite/connection.ts';
import { isNoStatement, type StatementSelection, statementConditions } from './statement-selection.ts';

export type StatementSort = z.output<typeof statementSortSchema>;

/** Maximum number of search results that are sorted in memory. */
const FEW = 2_000;

const id: Column = { name: 'id', type: 'number' };

/**
 * Columns of each sort order, and the index that has them after the state. Sorting by closed_at means by the filing day.
 */
const sorts: Record<StatementSort['by'], { columns: readonly Column[]; index: string }> = {
  closed_at: { columns: [{ name: 'filed_at', type: 'number' }, id], index: 'statement_filed' },
  opened_at: { columns: [{ name: 'opened_at', type: 'number' }, id], index: 'statement_opened' },
  ending_balance_in_cents: {
    columns: [{ name: 'ending_balance_in_cents', type: 'number' }, id],
    index: 'statement_balance',
  },
  customer_name: { columns: [{ name: 'customer_name', type: 'text' }, id], index: 'statement_customer' },
  id: { columns: [id], index: 'statement_id' },
};

/** Plans how a selection of the statements is read in an order. Ties are ordered by id. */
export function statementReading(
  db: ReadableDb,
  selection: StatementSelection,
  { by, direction }: StatementSort,
): Reading {
  const order: Order = { name: `statements ${by}`, columns: sorts[by].columns, direction };
  if (isNoStatement(selection)) return { order, groups: [], edge: null };
  const inTime = by === 'closed_at' ? direction : undefined;
  const few = fewBranch(db, selection, inTime);
  const branches = few === null ? stateBranches(selection, by, inTime) : [few];
  const edge = inTime === undefined ? null : edgeOf(selection.filed, inTime, order.columns.length);
  return { order, groups: [{ lead: [], branches }], edge };
}

/** Returns the branch for selections small enough to be sorted in memory: a subscription, or few search results. */
function fewBranch(
  db: ReadableDb,
  selection: StatementSelection,
  inTime: Order['direction'] | undefined,
): Branch | null {
  const { subscription_id, match } = selection;
  const conditions = statementConditions(selection, { inTime });
  if (subscription_id !== null) {
    return { from: 'statement INDEXED BY statement_subscription', ...conditions };
  }
  if (match === null || hits(db, match, FEW + 1) > FEW) return null;
  return { from: 'statement NOT INDEXED', ...conditions };
}

function hits(db: ReadableDb, match: string, bound: number): number {
  return (
    prepared<number>(
      db,
      'SELECT count(*) FROM (SELECT 1 FROM statement_fts WHERE statement_fts MATCH ? LIMIT ?)',
    )
      .pluck()
      .get(match, bound) ?? 0
  );
}

/**
 * Returns a branch per state. A range of days is read from the index of days, which also contains the columns of most
 * sort orders.
 */
function stateBranches(
  selection: StatementSelection,
  by: StatementSort['by'],
  inTime: Order['direction'] | undefined,
): Branch[] {
  const gathered = selection.filed !== null && by !== 'customer_name';
  const index = gathered ? 'statement_filed' : sorts[by].index;
  const { where, bound } = statementConditions(selection, { inTime, anyState: true });
  return selection.states.map((state) => ({
    from: `statement INDEXED BY ${index}`,
    where: ['state = ?', ...where],
    bound: [state, ...bound],
  }));
}
