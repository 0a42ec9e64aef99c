import {
  balanceEffect,
  type Cents,
  type DateRange,
  findTypeEffect,
  isInDateRange,
  isSuccessfulRefund,
} from '../../domain/ledger/index.ts';
import type { Contribution } from '../../domain/workpaper/index.ts';
import { toStoredPayment } from '../matching/update-payments.ts';
import { toChunks } from '../shared/chunks.ts';
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
 * Yields the contributions to schedule S1 in one pass over the statements closed in the period and one over the payments
 * dated around it. Only a few statements are in memory at a time.
 */
export function* billingContributions(
  cache: ReadableDb,
  currency: string,
  period: DateRange,
): Generator<Contribution, void, undefined> {
  const rowRange = statementStretch(cache, period);
  let before: ClosedStatement | null = null;
  const toContribution = (statement: ClosedStatement, figure: string, cents: Cents): Contribution => ({
    figure: `S1.${figure}`,
    part: '',
    currency,
    kind: 'statement',
    id: statement.id,
    day: dateOf(statement.closed_at_text),
    cents,
  });
  for (const [statement, transactions] of withTransactions(cache, closedStatements(cache, rowRange))) {
    const isNext = before !== null && before.subscription_id === statement.subscription_id;
    if (!isNext) {
      if (before !== null) yield toContribution(before, 'closing', before.ending_balance_in_cents);
      yield toContribution(statement, 'opening', statement.starting_balance_in_cents);
    } else {
      const carryDifference =
        statement.starting_balance_in_cents - (before as ClosedStatement).ending_balance_in_cents;
      if (carryDifference !== 0) yield toContribution(statement, 'carried', carryDifference);
    }
    let effect = 0;
    for (const transaction of transactions) {
      const analysis = analyzeTransaction(transaction, currency, period);
      effect += analysis.effect;
      for (const [figure, cents] of analysis.figures)
        yield toTransactionContribution(transaction, figure, currency, cents);
    }
    const footingDifference =
      statement.ending_balance_in_cents - statement.starting_balance_in_cents - effect;
    if (footingDifference !== 0) yield toContribution(statement, 'footing', footingDifference);
    before = statement;
  }
  if (before !== null) yield toContribution(before, 'closing', before.ending_balance_in_cents);

  const moves = (type: string) =>
    findTypeEffect({ transaction_type: type, type: null })?.money === 'received';
  for (const transaction of moneyAbout(cache, moves, rowRange)) {
    if (transaction.inside === 1) continue;
    const payment = toStoredPayment(transaction, currency);
    if (payment === null || payment.kind !== 'payment' || !isInDateRange(period, payment.paid_on)) continue;
    yield toTransactionContribution(transaction, 'paid-open', currency, payment.amount_in_cents);
  }
}

const toTransactionContribution = (
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

/** Number of statements whose transactions are read per batch. */
const STATEMENTS_PER_BATCH = 500;

function* withTransactions(
  cache: ReadableDb,
  statements: Iterable<ClosedStatement>,
): Generator<[ClosedStatement, readonly MoneyTransaction[]]> {
  for (const some of toChunks(statements, STATEMENTS_PER_BATCH)) {
    const found = transactionsOf(
      cache,
      some.map(({ id }) => id),
    );
    for (const each of some) yield [each, found.get(each.id) ?? []];
  }
}

/** Returns a transaction's effect on the balance of its statement, and its contributions to figures. */
function analyzeTransaction(
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
