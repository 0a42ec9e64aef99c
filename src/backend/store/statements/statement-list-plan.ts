import type { z } from 'zod';
import type { statementSortSchema } from '../../../contract/index.ts';
import type { IndexScan, ListOrder, ListQueryPlan, SortColumn } from '../lists/keyset-pagination.ts';
import { countScannedRows, planListScans } from '../lists/keyset-pagination.ts';
import { getRangeStartKey } from '../lists/time-range.ts';
import type { ReadableDb } from '../sqlite/connection.ts';
import {
  getStatementConditions,
  isEmptyStatementSelection,
  type StatementSelection,
} from './statement-selection.ts';

export type StatementSort = z.output<typeof statementSortSchema>;

/** Maximum number of search results sorted in memory. */
const MAX_SORTED_IN_MEMORY = 2_000;

const id: SortColumn = { name: 'id', type: 'number' };

/** Sort columns of each order, and the index that contains them after the state. `closed_at` sorts by filing day. */
const sorts: Record<StatementSort['by'], { columns: readonly SortColumn[]; index: string }> = {
  closed_at: { columns: [{ name: 'dated_at', type: 'number' }, id], index: 'statement_dated' },
  opened_at: { columns: [{ name: 'opened_at', type: 'number' }, id], index: 'statement_opened' },
  ending_balance_in_cents: {
    columns: [{ name: 'ending_balance_in_cents', type: 'number' }, id],
    index: 'statement_balance',
  },
  customer_name: { columns: [{ name: 'customer_name', type: 'text' }, id], index: 'statement_customer' },
  id: { columns: [id], index: 'statement_id' },
};

/** Plans the query for a selection of statements in a sort order. Ties are sorted by id. */
export function planStatementList(
  db: ReadableDb,
  selection: StatementSelection,
  { by, direction }: StatementSort,
): ListQueryPlan {
  const order: ListOrder = { name: `statements ${by}`, columns: sorts[by].columns, direction };
  if (isEmptyStatementSelection(selection)) return planListScans(order, []);
  const inTime = by === 'closed_at' ? direction : undefined;
  const small = getSmallScan(db, selection, inTime);
  const scans = small === null ? getStateScans(selection, by, inTime) : [small];
  const edge = inTime === undefined ? null : getRangeStartKey(selection.filed, inTime, order.columns.length);
  return planListScans(order, scans, edge);
}

/** Returns the scan of a selection that can be sorted in memory (one subscription or few search results), or null. */
function getSmallScan(
  db: ReadableDb,
  selection: StatementSelection,
  inTime: ListOrder['direction'] | undefined,
): IndexScan | null {
  const { subscription_id, match } = selection;
  const conditions = getStatementConditions(selection, { inTime });
  if (subscription_id !== null) {
    return { from: 'statement INDEXED BY statement_subscription', ...conditions };
  }
  if (match === null || countHits(db, match, MAX_SORTED_IN_MEMORY + 1) > MAX_SORTED_IN_MEMORY) return null;
  return { from: 'statement NOT INDEXED', ...conditions };
}

function countHits(db: ReadableDb, match: string, bound: number): number {
  const scan = { from: 'statement_fts', where: ['statement_fts MATCH ?'], bound: [match] };
  return countScannedRows(db, [scan], bound);
}

/** Returns one scan per statement state. Date ranges use the date index, which covers most sort orders. */
function getStateScans(
  selection: StatementSelection,
  by: StatementSort['by'],
  inTime: ListOrder['direction'] | undefined,
): IndexScan[] {
  const gathered = selection.filed !== null && by !== 'customer_name';
  const index = gathered ? 'statement_dated' : sorts[by].index;
  const { where, bound } = getStatementConditions(selection, { inTime, anyState: true });
  return selection.states.map((state) => ({
    from: `statement INDEXED BY ${index}`,
    where: ['state = ?', ...where],
    bound: [state, ...bound],
  }));
}
