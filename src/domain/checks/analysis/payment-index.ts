import { isSuccessfulPayment } from '../../ledger/index.ts';
import { balanceAfter, type StatementFooting } from './statement-footing.ts';
import type { TransactionRecord } from './subscription-record.ts';

/** A transaction with its position on a statement. */
export interface LocatedTransaction {
  readonly footing: StatementFooting;
  /** Position in the statement's running order. */
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
/** An identifier shared by this many payments identifies none of them: the gateway returns a constant. */
const MIN_MEANINGLESS_COUNT = 4;

/** Returns the gateway's identifier of a payment; null if there is none or it is known to be meaningless. */
export function meaningfulGatewayId({ gateway_transaction_id: id }: TransactionRecord): string | null {
  return id === null || id === '' || id === TEST_GATEWAY_ID ? null : id;
}

/** Indexes transactions by id: the first occurrence of each, and all occurrences of repeated ones. */
export function indexTransactions(footings: readonly StatementFooting[]): {
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

/** Returns the successful payments, each once, in the order of the statements. Payments of zero are left out. */
export function findPayments(
  transactionsById: ReadonlyMap<number, LocatedTransaction>,
): readonly LocatedTransaction[] {
  return [...transactionsById.values()].filter(
    ({ transaction }) => transaction.amount_in_cents !== 0 && isSuccessfulPayment(transaction),
  );
}

/** Groups payments with the same gateway identifier: the card was charged once, but recorded more often. */
export function findGatewayIdDuplicates(
  payments: readonly LocatedTransaction[],
): readonly (readonly LocatedTransaction[])[] {
  return groupByKey(payments, ({ transaction }) => meaningfulGatewayId(transaction)).filter(
    (group) => group.length < MIN_MEANINGLESS_COUNT,
  );
}

/**
 * Groups equal payments of the same day if the later ones had nothing left to pay: each took the balance below zero, where it
 * stayed for the day. Equal payments that each paid a balance are not duplicates.
 */
export function findSameDayDuplicates(
  payments: readonly LocatedTransaction[],
): readonly (readonly LocatedTransaction[])[] {
  const equalPayments = groupByKey(payments, ({ transaction }) =>
    transaction.created_on === null ? null : `${transaction.created_on} ${transaction.amount_in_cents}`,
  );
  const alreadyFound = new Set(findGatewayIdDuplicates(payments).flat());
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
  return (balanceAfter(footing, index) ?? 0) < 0 && (balanceAfter(footing, last) ?? 0) < 0;
}

/** Returns the transactions of a statement that were recorded more than once, with the rule that reports each. */
export function findDuplicatesIn(
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

/** Groups payments by key and returns the groups with several members. */
function groupByKey(
  payments: readonly LocatedTransaction[],
  keyOf: (payment: LocatedTransaction) => string | null,
): readonly (readonly LocatedTransaction[])[] {
  const groups = new Map<string, LocatedTransaction[]>();
  for (const payment of payments) {
    const key = keyOf(payment);
    if (key === null) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [payment]);
    else group.push(payment);
  }
  return groups.size === payments.length ? [] : [...groups.values()].filter((group) => group.length > 1);
}
