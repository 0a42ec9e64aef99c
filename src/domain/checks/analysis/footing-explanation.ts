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
 * A cause that explains why a statement does not foot, for example a failed payment that was counted or a payment
 * recorded twice. Each cause gives one finding: the rule named here reports it, and `statement-foots` reports only the
 * unexplained remainder.
 */
export interface FootingExplanation {
  /** Id of the rule that reports the cause. */
  readonly rule: string;
  readonly transactions: readonly TransactionRecord[];
  /** Part of the footing difference that the cause explains, in cents. */
  readonly cents: Cents;
}

/** Possible causes of a footing difference. */
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

export function explainFooting(
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
  for (const { rule, payment } of findExplainingDuplicates(duplicates, remaining)) {
    explainPart(rule, [payment.transaction], -(payment.footing.effects[payment.index] ?? 0));
  }

  if (remaining < 0 && causes.isPaymentMissing && causes.isRuleEnabled('event-without-transaction')) {
    explainPart('event-without-transaction', [], remaining);
  }
  if (remaining < 0 && causes.isUnpaid && causes.isRuleEnabled('settled-without-payment')) {
    explainPart('settled-without-payment', [], remaining);
  }
  return explanations;
}

/**
 * Returns failed payments that reduced the balance, as shown by the running balances. Without running balances, returns
 * them if the difference equals one failed payment or all of them.
 */
export function findCountedFailedPayments(footing: StatementFooting): readonly TransactionRecord[] {
  const { difference, transactions, statement } = footing;
  const failed = transactions.filter((each) => each.amount_in_cents !== 0 && isFailedPayment(each));
  if (failed.length === 0) return [];
  const moved = failed.filter(
    (each) => (findRunningBalanceChange(each) ?? 0) === -Math.abs(each.amount_in_cents),
  );
  if (statement.closed_at === null) return moved;
  if (difference === null || difference >= 0) return [];
  const one = failed.find((each) => Math.abs(each.amount_in_cents) === -difference);
  if (moved.length > 0 && sumOfAmounts(moved) !== -difference && one !== undefined && moved.includes(one))
    return [one];
  if (moved.length > 0) return moved;
  if (one !== undefined) return [one];
  return sumOfAmounts(failed) === -difference ? failed : [];
}

const sumOfAmounts = (transactions: readonly TransactionRecord[]): Cents =>
  transactions.reduce((sum, { amount_in_cents }) => sum + Math.abs(amount_in_cents), 0);

/** Returns all duplicates, or the first one, if the statement foots without them; otherwise none. */
function findExplainingDuplicates<Duplicate extends { readonly payment: LocatedTransaction }>(
  duplicates: readonly Duplicate[],
  left: Cents,
): readonly Duplicate[] {
  if (left === 0 || duplicates.length === 0) return [];
  const effect = ({ payment }: Duplicate): Cents => payment.footing.effects[payment.index] ?? 0;
  if (duplicates.reduce((sum, each) => sum + effect(each), 0) === -left) return duplicates;
  const one = duplicates.find((each) => effect(each) === -left);
  return one === undefined ? [] : [one];
}

/** Returns true if the statement itself contains a payment or a credit. */
export function containsPaymentOrCredit(footing: StatementFooting): boolean {
  return footing.transactions.some(
    (each, at) =>
      (isSuccessfulPayment(each) && each.amount_in_cents !== 0) ||
      ((footing.effects[at] ?? 0) < 0 && each.kind !== 'coupon'),
  );
}
