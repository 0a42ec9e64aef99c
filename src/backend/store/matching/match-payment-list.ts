import type { z } from 'zod';
import type {
  ContractOutputs,
  PageMarks,
  Payment,
  paymentFilterSchema,
  paymentSortSchema,
} from '../../../contract/index.ts';
import { matchStates, toMatchStateNumbers } from '../bank/bank-account.ts';
import {
  type IndexScan,
  type ListQueryPlan,
  type PageRequest,
  planListScans,
  readPageCursors,
} from '../lists/keyset-pagination.ts';
import {
  getDateRangeStartKey,
  getMoneyFilterConditions,
  getMoneySearchConditions,
  readMoneyListPage,
  sumScansByCurrency,
} from '../lists/money-list.ts';
import { joinConditions, type SqlConditions, whereEqual, whereIn } from '../lists/sql-conditions.ts';
import { type ReadableDb, select } from '../sqlite/connection.ts';
import { listFigureRowIds } from '../workpaper/figure-row-ids.ts';

export interface PaymentQuery {
  filter: z.output<typeof paymentFilterSchema>;
  sort: z.output<typeof paymentSortSchema>;
}

const sorts = {
  paid_on: { column: { name: 'paid_on', type: 'text' }, index: 'match_payment_dated' },
  amount_in_cents: { column: { name: 'amount_in_cents', type: 'number' }, index: 'match_payment_amount' },
} as const;

/** Returns a page of payments. The first page includes the number of payments and their sums. */
export function listPayments(
  db: ReadableDb,
  query: PaymentQuery & PageRequest,
): ContractOutputs['match']['payments'] {
  return readMoneyListPage(db, planPaymentList(db, query), query, {
    listRows: (ids) => listPaymentsById(db, ids),
    sum: () => sumScansByCurrency(db, getPaymentScans(db, query, false)),
  });
}

export function readPaymentPageCursors(db: ReadableDb, query: PaymentQuery & { every: number }): PageMarks {
  return readPageCursors(db, planPaymentList(db, query), query.every, 'match_payment');
}

export function planPaymentList(db: ReadableDb, query: PaymentQuery): ListQueryPlan {
  const { by, direction } = query.sort;
  const columns = [sorts[by].column, { name: 'id', type: 'number' } as const];
  const startKey = by === 'paid_on' ? getDateRangeStartKey(query.filter, direction) : null;
  return planListScans(
    { name: `payments ${by}`, columns, direction },
    getPaymentScans(db, query, true),
    startKey,
  );
}

/** Returns one index scan per match state, or a single scan if the filter names ids, a statement or a subscription. */
function getPaymentScans(db: ReadableDb, { filter, sort }: PaymentQuery, inOrder: boolean): IndexScan[] {
  const { state, kind, currency, vanished, subscription_id, statement_id, ids, figure, search } = filter;
  const states = toMatchStateNumbers(state);
  const conditions = joinConditions(
    getMoneyFilterConditions(filter, 'paid_on', inOrder && sort.by === 'paid_on' ? sort.direction : null),
    whereIn('kind', kind),
    whereEqual('currency', currency),
    whereEqual('removed', vanished === undefined ? undefined : Number(vanished)),
    getPaymentSearchConditions(search),
  );
  const few =
    figure !== undefined || ids !== undefined
      ? 'NOT INDEXED'
      : statement_id !== undefined
        ? 'INDEXED BY match_payment_statement'
        : subscription_id !== undefined
          ? 'INDEXED BY match_payment_subscription'
          : null;
  if (few !== null) {
    const own = joinConditions(
      whereIn('id', ids),
      whereIn('id', figure && listFigureRowIds(db, figure, 'payment')),
      whereEqual('statement_id', statement_id),
      whereEqual('subscription_id', subscription_id),
      whereIn('state', states),
      conditions,
    );
    return [{ from: `match_payment ${few}`, ...own }];
  }
  const from = `match_payment INDEXED BY ${sorts[sort.by].index}`;
  return states.map((each) => ({ from, ...joinConditions(whereEqual('state', each), conditions) }));
}

/** Returns SQL conditions for payments that match the search words, an id or an amount. */
export function getPaymentSearchConditions(search: string | undefined): SqlConditions {
  const texts = ['customer_name', 'organization', 'memo', 'gateway_transaction_id'];
  return getMoneySearchConditions(search, texts, ['id', 'statement_id', 'subscription_id', 'payment_id']);
}

interface ShownPayment extends Omit<Payment, 'state' | 'vanished'> {
  state: number;
  removed: number;
}

const columns = `match_payment.id, statement_id, subscription_id, kind, paid_on, amount_in_cents, currency,
  gateway_transaction_id, memo, customer_name, state, claimed_in_cents, removed, comments`;

/** Returns the payments with these ids in the given order. */
export function listPaymentsById(db: ReadableDb, ids: readonly number[]): Payment[] {
  const sql = `SELECT ${columns} FROM json_each(?) AS wanted CROSS JOIN match_payment ON match_payment.id = wanted.value
     ORDER BY wanted.key`;
  return select.rows<ShownPayment>(db, sql, JSON.stringify(ids)).map(({ state, removed, ...rest }) => ({
    ...rest,
    state: matchStates[state] ?? 'open',
    vanished: removed === 1,
  }));
}

/** Returns a payment with its details, or null if it does not exist. */
export function getPaymentDetail(db: ReadableDb, id: number): ContractOutputs['match']['getPayment'] | null {
  const [payment] = listPaymentsById(db, [id]);
  if (payment === undefined) return null;
  const sql = 'SELECT DISTINCT group_id FROM match_item WHERE transaction_id = ? ORDER BY group_id DESC';
  return {
    ...payment,
    groups: select.values<number>(db, sql, id),
  };
}
