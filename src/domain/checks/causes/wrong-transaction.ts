import { findRunningBalanceChange, findTypeEffect, TRANSACTION_TYPE_EFFECTS } from '../../ledger/index.ts';
import { formatInstant, formatMoney } from '../analysis/finding-message-text.ts';
import type { LocatedTransaction } from '../analysis/payment-index.ts';
import { SAME_TIME_TOLERANCE_MS } from '../analysis/statement-chain.ts';
import type { StatementFooting } from '../analysis/statement-footing.ts';
import type { SubscriptionAnalysis } from '../analysis/subscription-analysis.ts';
import type { TransactionRecord, WebhookTransactionFacts } from '../analysis/subscription-record.ts';
import { type CauseDefinition, type Correction, changeStatement, changeTransaction } from './correction.ts';

export const wrongTransactionCause: CauseDefinition = {
  id: 'wrong-transaction',
  version: 1,
  title: 'Transaction changed',
  severity: 'error',
  scope: 'payment',
  explanation:
    'A transaction differs from what its statement, its running balances, its event or its webhook show: its amount, its ' +
    'type, its date or whether it succeeded. With the other value, the findings listed here disappear together. Compare with the gateway.',
  *proposeCorrections(analysis) {
    const reported = new Map(
      analysis.record.webhooks.flatMap(({ facts }) => facts.transactions).map((facts) => [facts.id, facts]),
    );
    for (const located of analysis.transactionsById.values()) {
      for (const [change, text] of listAttestedChanges(
        located.transaction,
        reported.get(located.transaction.id),
      ))
        yield createChangeCorrection(analysis, located, change, text);
      const dated = findDateChange(located);
      if (dated !== null) yield createChangeCorrection(analysis, located, ...dated);
    }
  },
};

type TransactionChange = readonly [change: Partial<TransactionRecord>, text: string];

/** Returns the changes of a transaction that another record supports, each with a clause for the message. */
const listAttestedChanges = (
  transaction: TransactionRecord,
  reported: WebhookTransactionFacts | undefined,
): TransactionChange[] => [
  ...listAmountChanges(transaction, reported),
  ...listSuccessChanges(transaction, reported),
  ...listTypeChanges(transaction, reported),
];

function listAmountChanges(
  transaction: TransactionRecord,
  reported: WebhookTransactionFacts | undefined,
): TransactionChange[] {
  const { amount_in_cents: stated } = transaction;
  const attested = new Set(
    [reported?.amount_in_cents ?? 0, findRunningBalanceChange(transaction) ?? 0].map(Math.abs),
  );
  return [...attested]
    .filter((amount) => amount !== 0 && amount !== Math.abs(stated))
    .map((amount_in_cents) => [
      { amount_in_cents },
      `is ${formatMoney(stated)} instead of ${formatMoney(amount_in_cents)}`,
    ]);
}

function listSuccessChanges(
  transaction: TransactionRecord,
  reported: WebhookTransactionFacts | undefined,
): TransactionChange[] {
  const { amount_in_cents, success: stated } = transaction;
  if (findTypeEffect(transaction)?.money !== 'received' || amount_in_cents === 0) return [];
  const success = stated === false;
  const isAttested =
    reported?.success === success ||
    findRunningBalanceChange(transaction) === (success ? -Math.abs(amount_in_cents) : 0);
  const text = success ? 'is marked as failed but succeeded' : 'is marked as successful but failed';
  return isAttested ? [[{ success }, text]] : [];
}

function listTypeChanges(
  transaction: TransactionRecord,
  reported: WebhookTransactionFacts | undefined,
): TransactionChange[] {
  const stated = findTypeEffect(transaction);
  const change = findRunningBalanceChange(transaction);
  const lowersBalance =
    stated?.direction === 'none' && change !== null && change < 0 && change === -transaction.amount_in_cents;
  const raisesBalance =
    stated?.direction === 'lowers' && change !== null && change > 0 && change === transaction.amount_in_cents;
  const attested =
    reported?.transaction_type ?? (lowersBalance ? 'payment' : raisesBalance ? 'charge' : null);
  const type = TRANSACTION_TYPE_EFFECTS.find(({ transaction_type }) => transaction_type === attested);
  if (type === undefined || type === stated) return [];
  const text = `is a ${transaction.transaction_type} instead of a ${type.transaction_type}`;
  return [[{ transaction_type: type.transaction_type, type: type.type }, text]];
}

/** Returns the nearest time of the statement's period if the transaction is dated outside of it; null otherwise. */
function findDateChange({ footing, transaction }: LocatedTransaction): TransactionChange | null {
  const { opened_at, closed_at } = footing.statement;
  const { created_at: stated } = transaction;
  if (stated === null || opened_at === null || closed_at === null || closed_at < opened_at) return null;
  const created_at = Math.min(Math.max(stated, opened_at), closed_at);
  if (Math.abs(created_at - stated) <= SAME_TIME_TOLERANCE_MS) return null;
  const text = `is dated ${formatInstant(stated)}, outside the period of its statement`;
  return [{ created_at, created_on: null }, text];
}

function createChangeCorrection(
  { id, record }: SubscriptionAnalysis,
  located: LocatedTransaction,
  change: Partial<TransactionRecord>,
  text: string,
): Correction {
  const { footing, transaction } = located;
  return {
    subject: { subscription_id: id, statement_id: footing.statement.id, transaction_id: transaction.id },
    identity: [`statement ${footing.statement.id}`, `transaction ${transaction.id}`, ...Object.keys(change)],
    message: `Transaction ${transaction.id} on statement ${footing.statement.id} ${text}.`,
    corrected: changeTransaction(record, located, (found) => ({ ...found, ...change })),
  };
}

export const misplacedTransactionCause: CauseDefinition = {
  id: 'misplaced-transaction',
  version: 1,
  title: 'Transaction on the wrong statement',
  severity: 'error',
  scope: 'payment',
  explanation:
    'A transaction names another statement, or is dated in the period of another one. On that statement, the findings ' +
    'listed here disappear together. Both statements show a wrong amount until it is moved.',
  *proposeCorrections(analysis) {
    for (const located of analysis.transactionsById.values()) {
      const target = findOtherStatement(analysis, located);
      if (target !== null) yield createMoveCorrection(analysis, located, target);
    }
  },
};

/** Returns the statement to which a transaction's statement id or date belongs; null if it is already there. */
function findOtherStatement(
  { footings }: SubscriptionAnalysis,
  { footing, transaction: { statement_id, created_at } }: LocatedTransaction,
): StatementFooting | null {
  const isWithin = ({ statement: { opened_at, closed_at } }: StatementFooting): boolean =>
    created_at !== null &&
    opened_at !== null &&
    created_at >= opened_at - SAME_TIME_TOLERANCE_MS &&
    created_at <= (closed_at ?? Number.POSITIVE_INFINITY) + SAME_TIME_TOLERANCE_MS;
  const target =
    statement_id === null
      ? isWithin(footing)
        ? undefined
        : footings.find(isWithin)
      : footings.find(({ statement }) => statement.id === statement_id);
  return target === undefined || target === footing ? null : target;
}

function createMoveCorrection(
  { id, record }: SubscriptionAnalysis,
  located: LocatedTransaction,
  { statement: target }: StatementFooting,
): Correction {
  const { footing, transaction } = located;
  const removed = changeTransaction(record, located, () => null);
  return {
    subject: { subscription_id: id, statement_id: footing.statement.id, transaction_id: transaction.id },
    identity: [`statement ${footing.statement.id}`, `transaction ${transaction.id}`, `to ${target.id}`],
    message: `Transaction ${transaction.id} is on statement ${footing.statement.id} but belongs to statement ${target.id}.`,
    corrected: changeStatement(removed, target, (found) => ({
      ...found,
      transactions: [...found.transactions, transaction],
    })),
  };
}

export const wrongEventCause: CauseDefinition = {
  id: 'wrong-event',
  version: 1,
  title: 'Event names the wrong payment',
  severity: 'warning',
  scope: 'payment',
  explanation:
    'An event reports a payment that no statement lists, and a payment of the same time has no event. The event ' +
    'probably names the wrong payment. With the other one, the findings listed here disappear together.',
  *proposeCorrections(analysis) {
    for (const { statement, transactions } of analysis.footings) {
      for (const event of statement.events) {
        if (event.transaction_id === null || analysis.transactionsById.has(event.transaction_id)) continue;
        const payment = transactions.find(
          ({ created_at, transaction_type }) =>
            event.key.startsWith(`${transaction_type}_`) &&
            Math.abs((created_at ?? 0) - (event.created_at ?? 0)) <= SAME_TIME_TOLERANCE_MS,
        );
        if (payment === undefined) continue;
        yield {
          subject: { subscription_id: analysis.id, statement_id: statement.id, event_id: event.id },
          identity: [`statement ${statement.id}`, `event ${event.id}`],
          message: `Event ${event.id} on statement ${statement.id} names transaction ${event.transaction_id} instead of ${payment.id}.`,
          corrected: changeStatement(analysis.record, statement, (found) => ({
            ...found,
            events: found.events.map((each) =>
              each === event ? { ...each, transaction_id: payment.id } : each,
            ),
          })),
        };
      }
    }
  },
};
