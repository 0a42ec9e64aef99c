import type { RuleDefinition } from '../../analysis/check-rule.ts';
import { CONSOLIDATED_BILLING, isBilledAlone } from '../../analysis/consolidated-billing.ts';
import { type FindingDraft, toTransactionEvidence, toTransactionSubject } from '../../analysis/finding.ts';
import { formatMoney } from '../../analysis/finding-message-text.ts';
import type { LocatedTransaction } from '../../analysis/payment-index.ts';
import {
  isHistoryComplete,
  linkRefunds,
  type RefundLink,
  sumAbsoluteAmounts,
} from '../../analysis/refunded-payments.ts';
import type { SubscriptionAnalysis } from '../../analysis/subscription-analysis.ts';

export const refundWithoutPaymentRule: RuleDefinition = {
  id: 'refund-without-payment',
  version: 1,
  title: 'Refund without its payment',
  severity: 'error',
  scope: 'payment',
  explanation:
    'A refund returns a payment that the customer made before. If the payment that it names is on no statement of ' +
    'the subscription, the money may have gone to the wrong customer, or was never received. Compare with the ' +
    'gateway’s report. Payments from before the first stored statement are not expected.',
  check(analysis, { habits }) {
    const isAlone = isBilledAlone(analysis) && !habits.has(CONSOLIDATED_BILLING);
    return linkRefunds(analysis).flatMap((link) => {
      const problem = findPaymentError(analysis, link, isAlone);
      return problem === null ? [] : [createRefundFinding(analysis, link, problem)];
    });
  },
};

/** Returns a clause about the error in the payment that a refund names; null if there may be no error. */
function findPaymentError(
  analysis: SubscriptionAnalysis,
  { refund, payment, elsewhere }: RefundLink,
  isAlone: boolean,
): string | null {
  const { payment_id } = refund.transaction;
  if (payment !== null) return isBefore(refund, payment) ? 'which was made later' : null;
  if (payment_id === null) return null;
  if (elsewhere !== null) {
    const { statement_id, subscription_id } = elsewhere;
    return isAlone ? `which is on statement ${statement_id} of subscription ${subscription_id}` : null;
  }
  if (analysis.transactionsById.has(payment_id)) return 'which is not a successful payment';
  return isPaymentExpected(analysis, refund, payment_id) ? 'which is on no statement' : null;
}

function isBefore(
  { transaction: one }: LocatedTransaction,
  { transaction: other }: LocatedTransaction,
): boolean {
  return one.created_at !== null && other.created_at !== null && one.created_at < other.created_at;
}

/**
 * Returns true if a payment with this id must be stored. Ids increase, so a later id cannot be from before the first
 * statement. A statement that was read while it was open may lack the payment.
 */
function isPaymentExpected(
  analysis: SubscriptionAnalysis,
  { transaction: { created_at } }: LocatedTransaction,
  id: number,
): boolean {
  const isCurrent = analysis.footings.every(
    ({ statement: { closed_at, read_at } }) =>
      closed_at !== null || read_at === null || read_at >= (created_at ?? Number.POSITIVE_INFINITY),
  );
  if (!analysis.record.statements_complete || !isCurrent) return false;
  const [first] = analysis.footings[0]?.transactions ?? [];
  return isHistoryComplete(analysis) || (first !== undefined && id > first.id);
}

function createRefundFinding(
  analysis: SubscriptionAnalysis,
  { refund, payment }: RefundLink,
  problem: string,
): FindingDraft {
  const { transaction, footing } = refund;
  const { id, amount_in_cents, payment_id } = transaction;
  const named = payment_id === null ? ', ' : ` names payment ${payment_id}, `;
  const statement = footing.statement.id;
  return {
    subject: toTransactionSubject(analysis.id, refund),
    difference_in_cents: Math.abs(amount_in_cents),
    message: `Refund ${id} of ${formatMoney(amount_in_cents)} on statement ${statement}${named}${problem}.`,
    arithmetic: [[`Refund ${id}`, amount_in_cents]],
    evidence: [refund, ...(payment ? [payment] : [])].map((each) => {
      const { row, content } = toTransactionEvidence(each.footing.statement.id, each.transaction);
      return { row, content: [...content, each.transaction.payment_id] };
    }),
  };
}

export const refundsExceedPaymentRule: RuleDefinition = {
  id: 'refunds-exceed-payment',
  version: 1,
  title: 'Refunds exceed their payment',
  severity: 'error',
  scope: 'payment',
  explanation:
    'The refunds of a payment cannot return more than the payment. If they do, the customer received too much, or a ' +
    'refund was recorded twice or names the wrong payment. Compare with the gateway’s report and claim the surplus.',
  check(analysis) {
    const findings: FindingDraft[] = [];
    for (const [payment, links] of Map.groupBy(linkRefunds(analysis), ({ payment }) => payment)) {
      if (payment === null) continue;
      const refunds = links.map(({ refund }) => refund);
      if (sumAbsoluteAmounts(refunds) > sumAbsoluteAmounts([payment]))
        findings.push(createExcessFinding(analysis, payment, refunds));
    }
    return findings;
  },
};

function createExcessFinding(
  analysis: SubscriptionAnalysis,
  payment: LocatedTransaction,
  refunds: readonly LocatedTransaction[],
): FindingDraft {
  const [paid, refunded] = [sumAbsoluteAmounts([payment]), sumAbsoluteAmounts(refunds)];
  const { id } = payment.transaction;
  return {
    subject: toTransactionSubject(analysis.id, refunds.at(-1) ?? payment),
    identity: [`subscription ${analysis.id}`, `payment ${id}`],
    expected_in_cents: paid,
    actual_in_cents: refunded,
    message: `Payment ${id} of ${formatMoney(paid)} was refunded with ${formatMoney(refunded)}, ${formatMoney(refunded - paid)} too much.`,
    arithmetic: [
      [`Payment ${id}`, paid],
      ...refunds.map((refund) => [`Refund ${refund.transaction.id}`, -sumAbsoluteAmounts([refund])] as const),
      ['Refunded too much', refunded - paid],
    ],
    evidence: [payment, ...refunds].map(({ footing, transaction }) =>
      toTransactionEvidence(footing.statement.id, transaction),
    ),
  };
}
