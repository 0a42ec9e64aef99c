import type { z } from 'zod';
import type {
  Marks,
  Outputs,
  Payment,
  paymentFilterSchema,
  paymentSortSchema,
} from '../../../contract/index.ts';
import { matchStates, stateNumbers } from '../bank/bank-account.ts';
import { notesOn } from '../bank/bank-line-list.ts';
import { type Branch, type Order, type Reading, readMarks } from '../lists/keyset-pagination.ts';
import {
  among,
  type Conditions,
  dayEdge,
  equal,
  moneyConditions,
  moneyPage,
  searching,
  sumsOf,
  together,
} from '../lists/money-list.ts';
import { prepared, type ReadableDb } from '../sqlite/connection.ts';
import { figureIds } from '../workpaper/figure-ids.ts';

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
  query: PaymentQuery & { after?: string | undefined; limit: number },
): Outputs['match']['payments'] {
  return moneyPage(
    db,
    paymentReading(db, query),
    query,
    (ids) => payments(db, ids),
    () => sumsOf(db, branchesOf(db, query, false)),
  );
}

/** Returns cursors at regular intervals of the list, so that any part of it can be read directly. */
export function paymentMarks(db: ReadableDb, query: PaymentQuery & { every: number }): Marks {
  return readMarks(db, paymentReading(db, query), query.every, 'match_payment');
}

/** Plans how a list of payments is read. */
export function paymentReading(db: ReadableDb, query: PaymentQuery): Reading {
  const { by, direction } = query.sort;
  const order: Order = {
    name: `payments ${by}`,
    columns: [sorts[by].column, { name: 'id', type: 'number' }],
    direction,
  };
  const branches = branchesOf(db, query, true);
  return {
    order,
    groups: branches.length === 0 ? [] : [{ lead: [], branches }],
    edge: by === 'paid_on' ? dayEdge(query.filter, direction) : null,
  };
}

/**
 * Returns a branch per state. The few payments of a subscription or statement are read from its index, those of a figure
 * by their ids.
 */
function branchesOf(db: ReadableDb, { filter, sort }: PaymentQuery, inOrder: boolean): Branch[] {
  const { state, kind, currency, vanished, subscription_id, statement_id, figure, search } = filter;
  const states = stateNumbers(state);
  const conditions = together(
    moneyConditions(filter, 'paid_on', inOrder && sort.by === 'paid_on' ? sort.direction : null),
    among('kind', kind),
    equal('currency', currency),
    equal('gone', vanished === undefined ? undefined : Number(vanished)),
    paymentWords(search),
  );
  const few =
    figure !== undefined
      ? 'NOT INDEXED'
      : statement_id !== undefined
        ? 'INDEXED BY match_payment_statement'
        : subscription_id !== undefined
          ? 'INDEXED BY match_payment_subscription'
          : null;
  if (few !== null) {
    const own = together(
      among('id', figure && figureIds(db, figure, 'payment')),
      equal('statement_id', statement_id),
      equal('subscription_id', subscription_id),
      among('state', states),
      conditions,
    );
    return [{ from: `match_payment ${few}`, ...own }];
  }
  return states.map((each) => ({
    from: `match_payment INDEXED BY ${sorts[sort.by].index}`,
    where: ['state = ?', ...conditions.where],
    bound: [each, ...conditions.bound],
  }));
}

/** Returns conditions for payments with these search words, one of these ids or this amount. */
export function paymentWords(search: string | undefined): Conditions {
  const texts = ['customer_name', 'organization', 'memo', 'gateway_transaction_id'];
  return searching(search, texts, ['id', 'statement_id', 'subscription_id', 'payment_id']);
}

interface ShownPayment extends Omit<Payment, 'state' | 'vanished'> {
  state: number;
  gone: number;
}

const columns = `match_payment.id, statement_id, subscription_id, kind, paid_on, amount_in_cents, currency,
  gateway_transaction_id, memo, customer_name, state, claimed_in_cents, gone, notes`;

/** Returns the payments with these ids in the given order. */
export function payments(db: ReadableDb, ids: readonly number[]): Payment[] {
  return prepared<ShownPayment>(
    db,
    `SELECT ${columns} FROM json_each(?) AS wanted CROSS JOIN match_payment ON match_payment.id = wanted.value
     ORDER BY wanted.key`,
  )
    .all(JSON.stringify(ids))
    .map(({ state, gone, ...rest }) => ({
      ...rest,
      state: matchStates[state] ?? 'open',
      vanished: gone === 1,
    }));
}

/** Returns null if the payment does not exist. */
export function paymentDetail(db: ReadableDb, id: number): Outputs['match']['getPayment'] | null {
  const [payment] = payments(db, [id]);
  if (payment === undefined) return null;
  return {
    ...payment,
    groups: prepared<number>(
      db,
      'SELECT DISTINCT group_id FROM match_item WHERE transaction_id = ? ORDER BY group_id DESC',
    )
      .pluck()
      .all(id),
    note_texts: notesOn(db, 'transaction_id', id),
  };
}
