import { isSuccessfulPayment } from '../../ledger/index.ts';
import { computeBalanceAfter, type StatementFooting } from './statement-footing.ts';
import type { TransactionRecord } from './subscription-record.ts';

/** A transaction with its position on a statement. */
export interface LocatedTransaction {
  readonly footing: StatementFooting;
  /** Index of the transaction in the statement's balance order. */
  readonly index: number;
  readonly transaction: TransactionRecord;
}

/** Groups of payments that were probably recorded more than once. */
interface RecordedDuplicates {
  readonly gatewayIdDuplicates: readonly (readonly LocatedTransaction[])[];
  readonly sameDayDuplicates: readonly (readonly LocatedTransaction[])[];
  readonly repeatedTransactions: ReadonlyMap<number, readonly LocatedTransaction[]>;
}

/** Identifier that the common test gateway returns for every payment. */
const TEST_GATEWAY_ID = '53433';
/** Minimum number of payments with a gateway id that make it a constant of the gateway. Chosen by judgment. */
const MIN_MEANINGLESS_COUNT = 4;

/** Returns the gateway's identifier of a payment; null if it is missing or known to be meaningless. */
export const findMeaningfulGatewayId = ({ gateway_transaction_id: id }: TransactionRecord): string | null =>
  id === null || id === '' || id === TEST_GATEWAY_ID ? null : id;

/** Indexes transactions by id. Returns the first occurrence of each transaction, and all occurrences of repeated ones. */
export function indexTransactionsById(footings: readonly StatementFooting[]): {
  transactionsById: ReadonlyMap<number, LocatedTransaction>;
  repeatedTransactions: ReadonlyMap<number, readonly LocatedTransaction[]>;
} {
  const transactionsById = new Map<number, LocatedTransaction>();
  const repeatedTransactions = new Map<number, LocatedTransaction[]>();
  for (const footing of footings) {
    for (const [index, transaction] of footing.transactions.entries()) {
      const { id } = transaction;
      const first = transactionsById.get(id);
      const located = { footing, index, transaction };
      if (first === undefined) transactionsById.set(id, located);
      else repeatedTransactions.set(id, [...(repeatedTransactions.get(id) ?? [first]), located]);
    }
  }
  return { transactionsById, repeatedTransactions };
}

/** Returns the distinct successful payments, except payments of zero, in the order of the statements. */
export function listSuccessfulPayments(
  transactionsById: ReadonlyMap<number, LocatedTransaction>,
): readonly LocatedTransaction[] {
  return [...transactionsById.values()].filter(
    ({ transaction }) => transaction.amount_in_cents !== 0 && isSuccessfulPayment(transaction),
  );
}

/** Groups payments with the same gateway identifier. The card was charged once, but several payments were recorded. */
export function findDuplicatePaymentsByGatewayId(
  payments: readonly LocatedTransaction[],
): readonly (readonly LocatedTransaction[])[] {
  return groupByKey(payments, ({ transaction }) => findMeaningfulGatewayId(transaction)).filter(
    (group) => group.length < MIN_MEANINGLESS_COUNT,
  );
}

/**
 * Groups equal payments on the same day if nothing was left to pay for the later ones: each took the balance below
 * zero, and it stayed there that day. Equal payments that each paid a balance are not duplicates.
 */
export function findSameDayDuplicatePayments(
  payments: readonly LocatedTransaction[],
): readonly (readonly LocatedTransaction[])[] {
  const equalPayments = groupByKey(payments, ({ transaction }) =>
    transaction.created_on === null ? null : `${transaction.created_on} ${transaction.amount_in_cents}`,
  );
  const alreadyFound = new Set(findDuplicatePaymentsByGatewayId(payments).flat());
  return equalPayments
    .map((group) =>
      group.filter((payment, index) => index === 0 || (!alreadyFound.has(payment) && isOverpayment(payment))),
    )
    .filter((group) => group.length > 1);
}

function isOverpayment({ footing, index, transaction }: LocatedTransaction): boolean {
  const { transactions } = footing;
  let last = index;
  while (transactions[last + 1]?.created_on === transaction.created_on) last++;
  return (computeBalanceAfter(footing, index) ?? 0) < 0 && (computeBalanceAfter(footing, last) ?? 0) < 0;
}

/** Returns a statement's transactions that were recorded more than once, with the rule that reports each. */
export function listDuplicateTransactions(
  { gatewayIdDuplicates, sameDayDuplicates, repeatedTransactions }: RecordedDuplicates,
  footing: StatementFooting,
): { rule: string; payment: LocatedTransaction }[] {
  const duplicates: { rule: string; payment: LocatedTransaction }[] = [];
  const add = (rule: string, payments: readonly LocatedTransaction[]): void => {
    for (const payment of payments) if (payment.footing === footing) duplicates.push({ rule, payment });
  };
  for (const group of gatewayIdDuplicates) add('duplicate-payment', group.slice(1));
  for (const group of sameDayDuplicates) add('repeated-payment', group.slice(1));
  for (const group of repeatedTransactions.values()) add('transaction-in-two-statements', group);
  return duplicates;
}

function groupByKey(
  payments: readonly LocatedTransaction[],
  keyOf: (payment: LocatedTransaction) => string | null,
): readonly (readonly LocatedTransaction[])[] {
  const groups = Map.groupBy(payments, keyOf);
  groups.delete(null);
  return [...groups.values()].filter((group) => group.length > 1);
}
