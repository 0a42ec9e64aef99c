import { formatMoney } from '../analysis/finding-message-text.ts';
import { findBalanceBreaks, type StatementFooting } from '../analysis/statement-footing.ts';
import type { SubscriptionAnalysis } from '../analysis/subscription-analysis.ts';
import type { TransactionRecord } from '../analysis/subscription-record.ts';
import { type CauseDefinition, type Correction, changeStatement } from './correction.ts';

export const missingTransactionCause: CauseDefinition = {
  id: 'missing-transaction',
  version: 1,
  title: 'Transaction missing',
  severity: 'error',
  scope: 'payment',
  explanation:
    'The running balances of a statement jump by an amount that no transaction explains. With a payment or charge of ' +
    'this amount, the findings listed here disappear together. Find the transaction at the billing service.',
  *proposeCorrections(analysis) {
    const ids = listUnknownIds(analysis);
    for (const footing of analysis.footings)
      for (const jump of listJumps(footing))
        for (const id of ids) yield createInsertion(analysis, footing, jump, id);
  },
};

/** Id of a missing transaction that no record names. */
const UNKNOWN_ID = 0;

/** Returns the ids that charges and events name but that are on no statement, and `UNKNOWN_ID`. */
function listUnknownIds({ record, transactionsById }: SubscriptionAnalysis): number[] {
  const named = record.statements.flatMap(({ transactions, events }) => [
    ...transactions.map(({ payment_id }) => payment_id),
    ...events.map(({ transaction_id }) => transaction_id),
  ]);
  const isUnknown = (id: number | null): id is number =>
    id !== null && !transactionsById.has(id) && !record.transactions_elsewhere.has(id);
  return [...new Set([...named.filter(isUnknown), UNKNOWN_ID])];
}

/** A jump of the balance from one transaction to the next. */
interface Jump {
  /** Index of the transaction after the jump; the number of transactions if the jump is before the closing balance. */
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

function listJumps(footing: StatementFooting): Jump[] {
  const { statement, transactions } = footing;
  const { starting_balance_in_cents: from, ending_balance_in_cents: to, closed_at } = statement;
  if (transactions.length === 0)
    return closed_at === null || from === null || to === null || from === to ? [] : [{ at: 0, from, to }];
  return findBalanceBreaks(footing)
    .filter(({ where }) => where !== 'movement')
    .map(({ where, transaction, expected, actual }) => ({
      at: where === 'closing' ? transactions.length : transactions.indexOf(transaction),
      from: expected,
      to: actual,
    }));
}

function createInsertion(
  { id: subscription_id, record }: SubscriptionAnalysis,
  { statement, transactions }: StatementFooting,
  { at, from, to }: Jump,
  id: number,
): Correction {
  const isPayment = to < from;
  const before = transactions[at - 1];
  const created_at = before?.created_at ?? statement.opened_at;
  const transaction: TransactionRecord = {
    id,
    transaction_type: isPayment ? 'payment' : 'charge',
    type: isPayment ? 'Payment' : 'Charge',
    kind: null,
    amount_in_cents: Math.abs(to - from),
    starting_balance_in_cents: from,
    ending_balance_in_cents: to,
    success: true,
    memo: null,
    created_at,
    created_on: before?.created_on ?? null,
    subscription_id: null,
    customer_id: null,
    statement_id: null,
    currency: null,
    payment_id: null,
    gateway_transaction_id: null,
    component_id: null,
  };
  return {
    subject: { subscription_id, statement_id: statement.id },
    identity: [`statement ${statement.id}`, `transaction from ${from} to ${to}`],
    message: `A ${isPayment ? 'payment' : 'charge'} of ${formatMoney(Math.abs(to - from))} is missing on statement ${statement.id}.`,
    corrected: changeStatement(record, statement, (found) => ({
      ...found,
      transactions: transactions.toSpliced(at, 0, transaction),
    })),
  };
}
