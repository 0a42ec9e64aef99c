import type { z } from 'zod';
import type { Outputs, TransactionRow, transactionFilterSchema } from '../../../contract/index.ts';
import { getTimeRangeConditions, getTimeRangeEdge, type TimeRange, toTimeRange } from '../lists/day-range.ts';
import {
  type IndexScan,
  type ListOrder,
  type ListPlan,
  type PageRequest,
  planScans,
  readPage,
  type SortColumn,
  toRowIds,
} from '../lists/keyset-pagination.ts';
import { prepare, type ReadableDb, select } from '../sqlite/connection.ts';

export interface TransactionQuery extends PageRequest {
  filter: z.output<typeof transactionFilterSchema>;
  sort: { by: 'created_at' | 'id'; direction: 'asc' | 'desc' };
}

interface TransactionClass {
  id: number;
  type: string;
  kind: string;
  count: number;
  amount_in_cents: number;
}

interface TransactionSelection {
  classes: TransactionClass[];
  created: TimeRange | null;
  subscription_id: number | null;
}

const id: SortColumn = { name: 'id', type: 'number' };
const row: SortColumn = { name: 'row', type: 'number' };
const sorts = {
  created_at: { columns: [{ name: 'created_at', type: 'number' }, id, row], index: 'txn_class_created' },
  id: { columns: [id, row], index: 'txn_class_id' },
} as const satisfies Record<string, { columns: readonly SortColumn[]; index: string }>;

/** Returns a page of transactions. The first page includes the number of transactions and the sums per type. */
export function listTransactions(db: ReadableDb, query: TransactionQuery): Outputs['transactions']['list'] {
  const selection = selectTransactions(db, query.filter);
  const { keys, next } = readPage(db, planSelection(selection, query.sort), query);
  const rows = listTransactionRows(db, toRowIds(keys));
  if (query.after !== undefined) return { rows, next, total: null, sums: null };
  const sums = sumByType(db, selection);
  const count = sums.reduce((total, each) => total + each.count, 0);
  return { rows, next, total: { count, exact: true }, sums };
}

function selectTransactions(db: ReadableDb, filter: TransactionQuery['filter']): TransactionSelection {
  const types = filter.type?.map((type) => type.toLowerCase());
  const sql =
    'SELECT id, type, kind, count, amount_in_cents FROM txn_class WHERE count > 0 ORDER BY type, kind';
  const all = select.rows<TransactionClass>(db, sql);
  return {
    classes: all.filter(
      ({ type, kind }) =>
        (types === undefined || types.includes(type)) &&
        (filter.kind === undefined || filter.kind.includes(kind)),
    ),
    created: toTimeRange(filter, (at) => findTimestampNear(db, all, at)),
    subscription_id: filter.subscription_id ?? null,
  };
}

/** Returns the datetime text nearest to an instant among transactions of the most frequent kind. */
function findTimestampNear(db: ReadableDb, classes: readonly TransactionClass[], at: number): string | null {
  const most = classes.reduce<TransactionClass | null>(
    (best, each) => (best === null || each.count > best.count ? each : best),
    null,
  );
  if (most === null) return null;
  const near = (side: '>=' | '<', direction: 'ASC' | 'DESC') =>
    prepare<string>(
      db,
      `SELECT created_at_text FROM txn INDEXED BY txn_class_created
       WHERE class_id = ? AND created_at ${side} ? AND created_at > 0 ORDER BY created_at ${direction} LIMIT 1`,
    )
      .pluck()
      .get(most.id, at);
  return near('>=', 'ASC') ?? near('<', 'DESC') ?? null;
}

/** Plans how a query's transactions are read in order. */
export function planTransactionList(
  db: ReadableDb,
  { filter, sort }: Pick<TransactionQuery, 'filter' | 'sort'>,
): ListPlan {
  return planSelection(selectTransactions(db, filter), sort);
}

function planSelection(
  selection: TransactionSelection,
  { by, direction }: TransactionQuery['sort'],
): ListPlan {
  const order: ListOrder = { name: `transactions ${by}`, columns: sorts[by].columns, direction };
  if (selection.classes.length === 0) return planScans(order, []);
  if (by !== 'created_at') return planScans(order, getTransactionScans(selection, by));
  const edge = getTimeRangeEdge(selection.created, direction, order.columns.length);
  return planScans(order, getTransactionScans(selection, by, direction), edge);
}

/** Returns the branch of a subscription's index, else a branch per class, in time order if a direction is given. */
function getTransactionScans(
  { classes, created, subscription_id }: TransactionSelection,
  by: keyof typeof sorts,
  direction?: ListOrder['direction'],
): IndexScan[] {
  const { where, bound } = getTimeRangeConditions(created, 'created_at', direction);
  if (subscription_id !== null) {
    return [
      {
        from: 'txn INDEXED BY txn_subscription',
        where: ['subscription_id = ?', 'class_id IN (SELECT value FROM json_each(?))', ...where],
        bound: [subscription_id, JSON.stringify(classes.map((each) => each.id)), ...bound],
      },
    ];
  }
  return classes.map((each) => ({
    from: `txn INDEXED BY ${sorts[by].index}`,
    where: ['class_id = ?', ...where],
    bound: [each.id, ...bound],
  }));
}

type TypeSum = NonNullable<Outputs['transactions']['list']['sums']>[number];

/** Returns count and sum per type, from stored totals if nothing else is filtered, else from an index. */
function sumByType(db: ReadableDb, selection: TransactionSelection): TypeSum[] {
  const { classes, created, subscription_id } = selection;
  const isStored = created === null && subscription_id === null;
  const byType = new Map<string, TypeSum>();
  for (const each of classes) {
    const { count, amount_in_cents } = isStored ? each : sumClass(db, selection, each);
    if (count === 0) continue;
    const sum = byType.get(each.type) ?? { type: each.type, count: 0, amount_in_cents: 0 };
    byType.set(each.type, {
      ...sum,
      count: sum.count + count,
      amount_in_cents: sum.amount_in_cents + amount_in_cents,
    });
  }
  return [...byType.values()];
}

function sumClass(db: ReadableDb, selection: TransactionSelection, one: TransactionClass) {
  const [branch] = getTransactionScans({ ...selection, classes: [one] }, 'created_at');
  const sql = `SELECT count(*) AS count, ifnull(sum(amount_in_cents), 0) AS amount_in_cents
     FROM ${branch!.from} WHERE ${branch!.where.join(' AND ')}`;
  return select.row<{ count: number; amount_in_cents: number }>(db, sql, ...branch!.bound)!;
}

/** Columns of a row. */
export const transactionColumns = `txn.id, statement_id, subscription_id, transaction_type, txn.type, kind,
  amount_in_cents, starting_balance_in_cents, ending_balance_in_cents, success, memo, created_at_text AS created_at,
  product_id, payment_id, gateway_transaction_id, extra`;

export interface StoredTransaction extends Omit<TransactionRow, 'success' | 'extra' | 'transaction_type'> {
  transaction_type: string | null;
  success: number | null;
  extra: string;
}

export function toTransactionRow(stored: StoredTransaction): TransactionRow {
  return {
    ...stored,
    transaction_type: stored.transaction_type ?? '',
    success: stored.success === null ? null : stored.success === 1,
    extra: JSON.parse(stored.extra) as TransactionRow['extra'],
  };
}

/** Returns the transactions with these row ids in the given order. */
export function listTransactionRows(db: ReadableDb, rows: readonly number[]): TransactionRow[] {
  const sql = `SELECT ${transactionColumns} FROM json_each(?) AS wanted CROSS JOIN txn ON txn.row = wanted.value
     ORDER BY wanted.key`;
  return select.rows<StoredTransaction>(db, sql, JSON.stringify(rows)).map(toTransactionRow);
}

/** Returns the stored transactions with these ids. One listed under two statements is returned for the first. */
export function findTransactionsById(db: ReadableDb, ids: readonly number[]): Map<number, TransactionRow> {
  const sql = `SELECT ${transactionColumns} FROM json_each(?) AS wanted CROSS JOIN txn INDEXED BY txn_id ON txn.id = wanted.value
     ORDER BY txn.statement_id DESC`;
  const found = select.rows<StoredTransaction>(db, sql, JSON.stringify(ids));
  return new Map(found.map((stored) => [stored.id, toTransactionRow(stored)]));
}
