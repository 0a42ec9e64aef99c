import {
  type Cents,
  findRunningBalanceChange,
  isFailedPayment,
  isSuccessfulPayment,
} from '../../ledger/index.ts';
import type { LocatedTransaction } from './payment-index.ts';
import type { StatementFooting } from './statement-footing.ts';
import type { TransactionRecord } from './subscription-record.ts';

/**
 * A cause that explains why a statement does not foot, for example a payment recorded twice. The rule `rule` reports
 * the cause, and `statement-foots` reports only the unexplained remainder.
 */
export interface FootingExplanation {
  readonly rule: string;
  readonly transactions: readonly TransactionRecord[];
  /** Part of the footing difference that the cause explains, in cents. */
  readonly cents: Cents;
}

export interface PossibleFootingCauses {
  isRuleEnabled(rule: string): boolean;
  /** True if the statement foots from the previous closing balance but not from its own opening balance. */
  readonly isOpeningWrong: boolean;
  /** Transactions of the statement that were recorded more than once, with the rule that reports each. */
  readonly duplicates: readonly { readonly rule: string; readonly payment: LocatedTransaction }[];
  /** True if an event of the statement reports a payment that no statement lists. */
  readonly isPaymentMissing: boolean;
  /** True if the statement is marked as settled although nothing paid it. */
  readonly isUnpaid: boolean;
}

export function explainFootingDifference(
  footing: StatementFooting,
  causes: PossibleFootingCauses,
): readonly FootingExplanation[] {
  const { difference } = footing;
  if (difference === null || difference === 0) return [];
  const explanations: FootingExplanation[] = [];
  let remaining: Cents = difference;
  const explainPart = (rule: string, transactions: readonly TransactionRecord[], cents: Cents): void => {
    explanations.push({ rule, transactions, cents });
    remaining -= cents;
  };

  if (causes.isOpeningWrong && causes.isRuleEnabled('balance-carried-forward')) {
    explainPart('balance-carried-forward', [], remaining);
    return explanations;
  }

  const failed = causes.isRuleEnabled('failed-payment-counted') ? findCountedFailedPayments(footing) : [];
  if (failed.length > 0) explainPart('failed-payment-counted', failed, -sumOfAmounts(failed));

  const duplicates = causes.duplicates.filter(({ rule }) => causes.isRuleEnabled(rule));
  for (const { rule, payment } of findExplainingDuplicates(duplicates, remaining))
    explainPart(rule, [payment.transaction], -(payment.footing.effects[payment.index] ?? 0));

  if (remaining < 0 && causes.isPaymentMissing && causes.isRuleEnabled('event-without-transaction'))
    explainPart('event-without-transaction', [], remaining);
  if (remaining < 0 && causes.isUnpaid && causes.isRuleEnabled('settled-without-payment'))
    explainPart('settled-without-payment', [], remaining);
  return explanations;
}

/**
 * Returns failed payments that reduced the running balances. If there are no running balances, returns the failed
 * payment, or all failed payments, whose amount equals the difference.
 */
export function findCountedFailedPayments(footing: StatementFooting): readonly TransactionRecord[] {
  const { difference, transactions, statement } = footing;
  const failed = transactions.filter((each) => each.amount_in_cents !== 0 && isFailedPayment(each));
  if (failed.length === 0) return [];
  const counted = failed.filter(
    (each) => (findRunningBalanceChange(each) ?? 0) === -Math.abs(each.amount_in_cents),
  );
  if (statement.closed_at === null) return counted;
  if (difference === null || difference >= 0) return [];
  const explainingPayment = failed.find((each) => Math.abs(each.amount_in_cents) === -difference);
  if (
    counted.length > 0 &&
    sumOfAmounts(counted) !== -difference &&
    explainingPayment !== undefined &&
    counted.includes(explainingPayment)
  )
    return [explainingPayment];
  if (counted.length > 0) return counted;
  if (explainingPayment !== undefined) return [explainingPayment];
  return sumOfAmounts(failed) === -difference ? failed : [];
}

const sumOfAmounts = (transactions: readonly TransactionRecord[]): Cents =>
  transactions.reduce((sum, { amount_in_cents }) => sum + Math.abs(amount_in_cents), 0);

/** Returns all duplicates if the statement foots without them, or else the first one that explains the difference. */
function findExplainingDuplicates<Duplicate extends { readonly payment: LocatedTransaction }>(
  duplicates: readonly Duplicate[],
  remaining: Cents,
): readonly Duplicate[] {
  if (remaining === 0 || duplicates.length === 0) return [];
  const getEffect = ({ payment }: Duplicate): Cents => payment.footing.effects[payment.index] ?? 0;
  if (duplicates.reduce((sum, each) => sum + getEffect(each), 0) === -remaining) return duplicates;
  const explainingDuplicate = duplicates.find((each) => getEffect(each) === -remaining);
  return explainingDuplicate === undefined ? [] : [explainingDuplicate];
}

export function containsPaymentOrCredit(footing: StatementFooting): boolean {
  return footing.transactions.some(
    (each, at) =>
      (isSuccessfulPayment(each) && each.amount_in_cents !== 0) ||
      ((footing.effects[at] ?? 0) < 0 && each.kind !== 'coupon'),
  );
}
