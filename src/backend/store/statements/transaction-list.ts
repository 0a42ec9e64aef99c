import type { z } from 'zod';
import type { ContractOutputs, TransactionRow, transactionFilterSchema } from '../../../contract/index.ts';
import {
  type IndexScan,
  type ListOrder,
  type ListQueryPlan,
  type PageRequest,
  planListScans,
  readListPage,
  type SortColumn,
  toRowIds,
} from '../lists/keyset-pagination.ts';
import {
  getRangeStartKey,
  getTimeRangeConditions,
  type TimeRange,
  toTimeRange,
} from '../lists/time-range.ts';
import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';

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

/** Returns a page of transactions. The first page includes the number of transactions and their sums by type. */
export function listTransactions(
  db: ReadableDb,
  query: TransactionQuery,
): ContractOutputs['transactions']['list'] {
  const selection = selectTransactions(db, query.filter);
  const { keys, next } = readListPage(db, planSelection(selection, query.sort), query);
  const rows = listTransactionsByRow(db, toRowIds(keys));
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

/** Returns the datetime text nearest to an instant among transactions of the most frequent kind, or null. */
function findTimestampNear(db: ReadableDb, classes: readonly TransactionClass[], at: number): string | null {
  const most = classes.reduce<TransactionClass | null>(
    (best, each) => (best === null || each.count > best.count ? each : best),
    null,
  );
  if (most === null) return null;
  const near = (side: '>=' | '<', direction: 'ASC' | 'DESC') =>
    prepareSql<string>(
      db,
      `SELECT created_at_text FROM txn INDEXED BY txn_class_created
       WHERE class_id = ? AND created_at ${side} ? AND created_at > 0 ORDER BY created_at ${direction} LIMIT 1`,
    )
      .pluck()
      .get(most.id, at);
  return near('>=', 'ASC') ?? near('<', 'DESC') ?? null;
}

export function planTransactionList(
  db: ReadableDb,
  { filter, sort }: Pick<TransactionQuery, 'filter' | 'sort'>,
): ListQueryPlan {
  return planSelection(selectTransactions(db, filter), sort);
}

function planSelection(
  selection: TransactionSelection,
  { by, direction }: TransactionQuery['sort'],
): ListQueryPlan {
  const order: ListOrder = { name: `transactions ${by}`, columns: sorts[by].columns, direction };
  if (selection.classes.length === 0) return planListScans(order, []);
  if (by !== 'created_at') return planListScans(order, getTransactionScans(selection, by));
  const edge = getRangeStartKey(selection.created, direction, order.columns.length);
  return planListScans(order, getTransactionScans(selection, by, direction), edge);
}

/** Returns a scan of the subscription's index, or one scan per class. A direction requests time order. */
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

type TypeSum = NonNullable<ContractOutputs['transactions']['list']['sums']>[number];

/** Returns count and sum by type, from stored totals if only types are filtered, otherwise from an index. */
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

export const transactionColumns = `txn.id, statement_id, subscription_id, transaction_type, txn.type, kind,
  amount_in_cents, starting_balance_in_cents, ending_balance_in_cents, success, memo, created_at_text AS created_at,
  product_id, payment_id, gateway_transaction_id, extra`;

export interface StoredTransactionRow extends Omit<TransactionRow, 'success' | 'extra' | 'transaction_type'> {
  transaction_type: string | null;
  success: number | null;
  extra: string;
}

export function toTransactionRow(stored: StoredTransactionRow): TransactionRow {
  return {
    ...stored,
    transaction_type: stored.transaction_type ?? '',
    success: stored.success === null ? null : stored.success === 1,
    extra: JSON.parse(stored.extra) as TransactionRow['extra'],
  };
}

/** Returns the transactions with these row ids in the given order. */
export function listTransactionsByRow(db: ReadableDb, rows: readonly number[]): TransactionRow[] {
  const sql = `SELECT ${transactionColumns} FROM json_each(?) AS wanted CROSS JOIN txn ON txn.row = wanted.value
     ORDER BY wanted.key`;
  return select.rows<StoredTransactionRow>(db, sql, JSON.stringify(rows)).map(toTransactionRow);
}

/** Returns the stored transactions with these ids. If two statements list a transaction, the first statement counts. */
export function findTransactionsById(db: ReadableDb, ids: readonly number[]): Map<number, TransactionRow> {
  const sql = `SELECT ${transactionColumns} FROM json_each(?) AS wanted CROSS JOIN txn INDEXED BY txn_id ON txn.id = wanted.value
     ORDER BY txn.statement_id DESC`;
  const found = select.rows<StoredTransactionRow>(db, sql, JSON.stringify(ids));
  return new Map(found.map((stored) => [stored.id, toTransactionRow(stored)]));
}
