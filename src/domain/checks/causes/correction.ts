import type { RuleDefinition } from '../analysis/check-rule.ts';
import type { FindingSubject } from '../analysis/finding.ts';
import type { LocatedTransaction } from '../analysis/payment-index.ts';
import type { SubscriptionAnalysis } from '../analysis/subscription-analysis.ts';
import type {
  StatementRecord,
  SubscriptionRecord,
  TransactionRecord,
} from '../analysis/subscription-record.ts';

/**
 * A supposed error in the records that may cause several findings, with the records as they would be without it. The
 * findings that vanish with the correction are the members of one group.
 */
export interface Correction {
  readonly subject: FindingSubject;
  /** Values that distinguish corrections of one cause in every check run. */
  readonly identity: readonly (string | number)[];
  /** Sentence that states the supposed error. */
  readonly message: string;
  readonly corrected: SubscriptionRecord;
}

/** A kind of error that can cause several findings. Users see and disable a cause like a rule. */
export interface CauseDefinition extends Omit<RuleDefinition, 'check' | 'checkGroup' | 'remedy'> {
  /** Returns the corrections for which the records contain evidence, most likely first. */
  proposeCorrections(analysis: SubscriptionAnalysis): Iterable<Correction>;
}

/** Returns a record with one statement replaced, or removed if `change` returns null. */
export const changeStatement = (
  record: SubscriptionRecord,
  statement: StatementRecord,
  change: (statement: StatementRecord) => StatementRecord | null,
): SubscriptionRecord => ({
  ...record,
  statements: record.statements.flatMap((each) => (each === statement ? (change(each) ?? []) : each)),
});

/** Returns a record with one transaction replaced, or removed if `change` returns null. */
export const changeTransaction = (
  record: SubscriptionRecord,
  { footing: { statement }, transaction }: LocatedTransaction,
  change: (transaction: TransactionRecord) => TransactionRecord | null,
): SubscriptionRecord =>
  changeStatement(record, statement, (found) => ({
    ...found,
    transactions: found.transactions.flatMap((each) => (each === transaction ? (change(each) ?? []) : each)),
  }));

/** Returns an amount plus a number of cents; null stays null. */
export const addCents = (amount: number | null, cents: number): number | null =>
  amount === null ? null : amount + cents;

/** Returns a transaction with its balances before and after shifted by a number of cents. */
export const shiftTransactionBalances = (
  transaction: TransactionRecord,
  cents: number,
): TransactionRecord => ({
  ...transaction,
  starting_balance_in_cents: addCents(transaction.starting_balance_in_cents, cents),
  ending_balance_in_cents: addCents(transaction.ending_balance_in_cents, cents),
});

/** Returns a statement with all its balances shifted by a number of cents. */
export const shiftStatementBalances = (statement: StatementRecord, cents: number): StatementRecord => ({
  ...statement,
  starting_balance_in_cents: addCents(statement.starting_balance_in_cents, cents),
  ending_balance_in_cents: addCents(statement.ending_balance_in_cents, cents),
  transactions: statement.transactions.map((each) => shiftTransactionBalances(each, cents)),
});
