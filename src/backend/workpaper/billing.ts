import {
  balanceEffect,
  type Cents,
  effectRowOf,
  isRefundMade,
  isWithin,
  type Period,
} from '../../domain/ledger/index.ts';
import type { Contribution } from '../../domain/workpaper/index.ts';
import { inChunks } from '../inChunks.ts';
import { paymentOf } from '../matching/renew.ts';
import type { ReadableDb } from '../store/database.ts';
import { dateOf } from '../store/days.ts';
import type { MoneyTransaction } from '../store/matching/matchPayment.ts';
import {
  type ClosedStatement,
  closedStatements,
  moneyAbout,
  statementStretch,
  transactionsOf,
} from '../store/periods/workpaperBilling.ts';

/**
 * What S1 is the sum of, statement by statement and payment by payment. It is one pass over the statements closed in the period and one
 * over the payments dated about it; nothing is held but some statements at hand.
 */
export function* billingContributions(
  cache: ReadableDb,
  currency: string,
  period: Period,
): Generator<Contribution, void, undefined> {
  const stretch = statementStretch(cache, period);
  let before: ClosedStatement | null = null;
  const of = (statement: ClosedStatement, figure: string, cents: Cents, count = 1): Contribution => ({
    figure: `S1.${figure}`,
    part: '',
    currency,
    kind: 'statement',
    id: statement.id,
    day: dateOf(statement.closed_at_text),
    cents,
    count,
  });
  for (const [statement, transactions] of withTransactions(cache, closedStatements(cache, stretch))) {
    const isNext = before !== null && before.subscription_id === statement.subscription_id;
    if (!isNext) {
      if (before !== null) yield of(before, 'closing', before.ending_balance_in_cents);
      yield of(statement, 'opening', statement.starting_balance_in_cents);
    } else {
      const step = statement.starting_balance_in_cents - (before as ClosedStatement).ending_balance_in_cents;
      if (step !== 0) yield of(statement, 'carried', step);
    }
    const sums = statementSums(transactions, currency, period);
    for (const [figure, { cents, count }] of sums.figures) yield of(statement, figure, cents, count);
    const apart = statement.ending_balance_in_cents - statement.starting_balance_in_cents - sums.effect;
    if (apart !== 0) yield of(statement, 'footing', apart);
    before = statement;
  }
  if (before !== null) yield of(before, 'closing', before.ending_balance_in_cents);

  const moves = (type: string) => effectRowOf({ transaction_type: type, type: null })?.money === 'received';
  for (const transaction of moneyAbout(cache, moves, stretch)) {
    if (transaction.inside === 1) continue;
    const payment = paymentOf(transaction, currency);
    if (payment === null || payment.kind !== 'payment' || !isWithin(period, payment.paid_on)) continue;
    yield {
      figure: 'S1.paid-open',
      part: '',
      currency,
      kind: 'payment',
      id: payment.id,
      day: payment.paid_on,
      cents: payment.amount_in_cents,
    };
  }
}

/** Statements whose transactions are read together. */
const TOGETHER = 500;

function* withTransactions(
  cache: ReadableDb,
  statements: Iterable<ClosedStatement>,
): Generator<[ClosedStatement, readonly MoneyTransaction[]]> {
  for (const some of inChunks(statements, TOGETHER)) {
    const found = transactionsOf(
      cache,
      some.map(({ id }) => id),
    );
    for (const each of some) yield [each, found.get(each.id) ?? []];
  }
}

/** What the transactions of a statement come to, by the figure they are part of. */
function statementSums(transactions: readonly MoneyTransaction[], currency: string, period: Period) {
  const figures = new Map<string, { cents: Cents; count: number }>();
  let effect = 0;
  const add = (figure: string, cents: Cents) => {
    const sum = figures.get(figure) ?? { cents: 0, count: 0 };
    figures.set(figure, { cents: sum.cents + cents, count: sum.count + 1 });
  };
  for (const transaction of transactions) {
    const movement = {
      ...transaction,
      success: transaction.success === null ? null : transaction.success === 1,
    };
    const row = effectRowOf(movement);
    const moved = balanceEffect(movement) ?? 0;
    effect += moved;
    if (row === null) add('unknown', 0);
    else if (row.direction === 'raises') add('charges', moved);
    else if (row.direction === 'as sent') add('adjusted', moved);
    else if (row.direction === 'lowers' && row.money === null) add('credits', moved);
    else if (row.direction === 'lowers' && moved !== 0) add('payments', moved);
    const payment = paymentOf(transaction, currency);
    if (payment?.kind === 'payment') {
      add('paid', payment.amount_in_cents);
      if (!isWithin(period, payment.paid_on)) add('paid-outside', 0 - payment.amount_in_cents);
    }
    if (isRefundMade(movement)) add('refunds', 0 - Math.abs(transaction.amount_in_cents));
  }
  return { figures, effect };
}
