import {
  type Cents,
  type DateRange,
  findBalanceEffect,
  findMovementKind,
  findTypeEffect,
  isInDateRange,
  isSuccessfulRefund,
} from '../../domain/ledger/index.ts';
import type { RowContribution } from '../../domain/workpaper/index.ts';
import { toStoredPayment } from '../matching/update-payments.ts';
import { toChunks } from '../shared/chunks.ts';
import { extractDate } from '../store/lists/time-range.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { type MoneyTransaction, toBalanceTransaction } from '../store/statements/transaction.ts';
import {
  type ClosedStatement,
  type DatedTransaction,
  findStatementTimeRange,
  readClosedStatements,
  readMoneyTransactions,
  readTransactionsOfStatements,
} from '../store/workpaper/workpaper-billing.ts';

/**
 * Yields the contributions to schedule S1 in passes over statements and payments, a few records at a time. Yields null for
 * each payment without a contribution.
 */
export function* readBillingContributions(
  cache: ReadableDb,
  currency: string,
  period: DateRange,
): Generator<RowContribution | null, void, undefined> {
  const rowRange = findStatementTimeRange(cache, period);
  const toContribution = (
    row: Pick<RowContribution, 'kind' | 'id' | 'day' | 'statement'>,
    [figure, cents]: FigureAmount,
  ): RowContribution => ({ figure: `S1.${figure}`, part: '', currency, ...row, cents });

  let before: ClosedStatement | null = null;
  for (const statement of closedStatementsWithTransactions(cache, rowRange)) {
    for (const [closed, amount] of analyzeBalances(before, statement))
      yield toContribution(toStatementRow(closed), amount);
    let difference = statement.ending_balance_in_cents - statement.starting_balance_in_cents;
    for (const transaction of statement.transactions) {
      const { effect, figures } = analyzeTransaction(transaction, currency, period);
      difference -= effect;
      for (const amount of figures) yield toContribution(toTransactionRow(transaction), amount);
    }
    if (difference !== 0) yield toContribution(toStatementRow(statement), ['footing', difference]);
    before = statement;
  }
  if (before !== null)
    yield toContribution(toStatementRow(before), ['closing', before.ending_balance_in_cents]);

  for (const transaction of readMoneyTransactions(cache, isReceipt, rowRange)) {
    const cents = findPaidAmount(transaction, currency, period);
    yield cents === null ? null : toContribution(toTransactionRow(transaction), ['paid-open', cents]);
  }
}

/** Returns the cents of a payment of the period on a statement not closed in it; null for any other transaction. */
function findPaidAmount(transaction: DatedTransaction, currency: string, period: DateRange): Cents | null {
  const payment = transaction.inside === 1 ? null : toStoredPayment(transaction, currency);
  return payment?.kind === 'payment' && isInDateRange(period, payment.paid_on)
    ? payment.amount_in_cents
    : null;
}

/** Returns true if transactions of this type receive money. */
const isReceipt = (type: string): boolean =>
  findTypeEffect({ transaction_type: type, type: null })?.money === 'received';

type FigureAmount = readonly [figure: string, cents: Cents];

/**
 * Yields the difference between a statement's opening balance and the previous closing balance. If the previous
 * statement belongs to another subscription, yields both balances instead.
 */
function* analyzeBalances(
  before: ClosedStatement | null,
  statement: ClosedStatement,
): Generator<[ClosedStatement, FigureAmount]> {
  if (before?.subscription_id === statement.subscription_id) {
    const difference = statement.starting_balance_in_cents - before.ending_balance_in_cents;
    if (difference !== 0) yield [statement, ['carried', difference]];
    return;
  }
  if (before !== null) yield [before, ['closing', before.ending_balance_in_cents]];
  yield [statement, ['opening', statement.starting_balance_in_cents]];
}

const toStatementRow = ({ id, closed_at_text }: ClosedStatement) =>
  ({ kind: 'statement', id, day: extractDate(closed_at_text) }) as const;

const toTransactionRow = ({ id, statement_id, created_at_text }: MoneyTransaction) =>
  ({ kind: 'transaction', id, statement: statement_id, day: extractDate(created_at_text) }) as const;

/** Number of statements whose transactions are read per batch. */
const STATEMENTS_PER_BATCH = 500;

/** Yields the statements closed in a time range with their transactions. */
export function* closedStatementsWithTransactions(
  cache: ReadableDb,
  rowRange: ReturnType<typeof findStatementTimeRange>,
): Generator<ClosedStatement & { readonly transactions: readonly MoneyTransaction[] }> {
  for (const statements of toChunks(readClosedStatements(cache, rowRange), STATEMENTS_PER_BATCH)) {
    const ids = statements.map(({ id }) => id);
    const byStatement = readTransactionsOfStatements(cache, ids);
    for (const each of statements) yield { ...each, transactions: byStatement.get(each.id) ?? [] };
  }
}

/** Returns a transaction's effect on its statement's balance, and its contributions to figures. */
function analyzeTransaction(
  transaction: MoneyTransaction,
  currency: string,
  period: DateRange,
): { effect: Cents; figures: readonly FigureAmount[] } {
  const movement = toBalanceTransaction(transaction);
  const kind = findMovementKind(movement);
  const effect = findBalanceEffect(movement) ?? 0;
  const figures: FigureAmount[] = kind === null ? [] : [[kind, effect]];
  const payment = toStoredPayment(transaction, currency);
  if (payment?.kind === 'payment') {
    figures.push(['paid', payment.amount_in_cents]);
    if (!isInDateRange(period, payment.paid_on)) figures.push(['paid-outside', 0 - payment.amount_in_cents]);
  }
  if (isSuccessfulRefund(movement)) figures.push(['refunds', 0 - Math.abs(transaction.amount_in_cents)]);
  return { effect, figures };
}
