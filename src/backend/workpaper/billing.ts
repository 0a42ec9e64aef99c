import {
  balanceEffect,
  type Cents,
  type DateRange,
  findTypeEffect,
  isInDateRange,
  isSuccessfulRefund,
} from '../../domain/ledger/index.ts';
import type { Contribution } from '../../domain/workpaper/index.ts';
import { toStoredPayment } from '../matching/renew.ts';
import { inChunks } from '../shared/chunks.ts';
import { dateOf } from '../store/lists/day-range.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import type { MoneyTransaction } from '../store/statements/transaction.ts';
import {
  type ClosedStatement,
  closedStatements,
  moneyAbout,
  statementStretch,
  transactionsOf,
} from '../store/workpaper/workpaper-billing.ts';

/**
 * Yields the contributions to S1, statement by statement and transaction by transaction, in one pass over the statements
 * closed in the period and one over the payments dated around it. Holds only a few statements in memory.
 */
export function* billingContributions(
  cache: ReadableDb,
  currency: string,
  period: DateRange,
): Generator<Contribution, void, undefined> {
  const stretch = statementStretch(cache, period);
  let before: ClosedStatement | null = null;
  const of = (statement: ClosedStatement, figure: string, cents: Cents): Contribution => ({
    figure: `S1.${figure}`,
    part: '',
    currency,
    kind: 'statement',
    id: statement.id,
    day: dateOf(statement.closed_at_text),
    cents,
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
    let effect = 0;
    for (const transaction of transactions) {
      const moved = movedBy(transaction, currency, period);
      effect += moved.effect;
      for (const [figure, cents] of moved.figures) yield ofTransaction(transaction, figure, currency, cents);
    }
    const apart = statement.ending_balance_in_cents - statement.starting_balance_in_cents - effect;
    if (apart !== 0) yield of(statement, 'footing', apart);
    before = statement;
  }
  if (before !== null) yield of(before, 'closing', before.ending_balance_in_cents);

  const moves = (type: string) =>
    findTypeEffect({ transaction_type: type, type: null })?.money === 'received';
  for (const transaction of moneyAbout(cache, moves, stretch)) {
    if (transaction.inside === 1) continue;
    const payment = toStoredPayment(transaction, currency);
    if (payment === null || payment.kind !== 'payment' || !isInDateRange(period, payment.paid_on)) continue;
    yield ofTransaction(transaction, 'paid-open', currency, payment.amount_in_cents);
  }
}

const ofTransaction = (
  { id, statement_id, created_at_text }: MoneyTransaction,
  figure: string,
  currency: string,
  cents: Cents,
): Contribution => ({
  figure: `S1.${figure}`,
  part: '',
  currency,
  kind: 'transaction',
  id,
  statement: statement_id,
  day: dateOf(created_at_text),
  cents,
});

/** Number of statements whose transactions are read together. */
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

/** Returns a transaction's effect on the balance of its statement, and its contributions to figures. */
function movedBy(
  transaction: MoneyTransaction,
  currency: string,
  period: DateRange,
): { effect: Cents; figures: readonly (readonly [figure: string, cents: Cents])[] } {
  const movement = {
    ...transaction,
    success: transaction.success === null ? null : transaction.success === 1,
  };
  const row = findTypeEffect(movement);
  const effect = balanceEffect(movement) ?? 0;
  const figures: (readonly [string, Cents])[] = [];
  if (row === null) figures.push(['unknown', 0]);
  else if (row.direction === 'raises') figures.push(['charges', effect]);
  else if (row.direction === 'as sent') figures.push(['adjusted', effect]);
  else if (row.direction === 'lowers' && row.money === null) figures.push(['credits', effect]);
  else if (row.direction === 'lowers' && effect !== 0) figures.push(['payments', effect]);
  const payment = toStoredPayment(transaction, currency);
  if (payment?.kind === 'payment') {
    figures.push(['paid', payment.amount_in_cents]);
    if (!isInDateRange(period, payment.paid_on)) figures.push(['paid-outside', 0 - payment.amount_in_cents]);
  }
  if (isSuccessfulRefund(movement)) figures.push(['refunds', 0 - Math.abs(transaction.amount_in_cents)]);
  return { effect, figures };
}
