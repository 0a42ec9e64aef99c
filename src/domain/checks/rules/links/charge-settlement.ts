import { findTypeEffect, isSuccessfulPayment } from '../../../ledger/index.ts';
import type { RuleContext, RuleDefinition } from '../../analysis/check-rule.ts';
import { CONSOLIDATED_BILLING, isBilledAlone } from '../../analysis/consolidated-billing.ts';
import { type FindingDraft, type FindingEvidence, toTransactionEvidence } from '../../analysis/finding.ts';
import { formatCount, formatMoney } from '../../analysis/finding-message-text.ts';
import { isCoveredByStatements } from '../../analysis/record-coverage.ts';
import type { StatementFooting } from '../../analysis/statement-footing.ts';
import type { SubscriptionAnalysis } from '../../analysis/subscription-analysis.ts';
import type { TransactionRecord } from '../../analysis/subscription-record.ts';

export const chargeSettlementRule: RuleDefinition = {
  id: 'charge-settlement',
  version: 1,
  title: 'Charge settled by a wrong payment',
  severity: 'error',
  scope: 'payment',
  explanation:
    'A charge names the payment that settled it. If that payment belongs to another subscription, does not exist or ' +
    'failed, the charge is not really settled, or another customer’s money was used for it. Subscriptions that are ' +
    'regularly billed together are not reported.',
  check(analysis, context) {
    const findings: FindingDraft[] = [];
    for (const footing of analysis.footings) {
      if (context.suspectStatements.has(footing.statement.id)) continue;
      const charges = footing.transactions.filter(
        (each) => each.payment_id !== null && findTypeEffect(each)?.direction === 'raises',
      );
      for (const [payment, ofPayment] of Map.groupBy(charges, ({ payment_id }) => payment_id as number)) {
        const problem = findPaymentError(analysis, footing, payment, context);
        if (problem !== null) findings.push(createSettlementFinding(analysis, footing, ofPayment, problem));
      }
    }
    return findings;
  },
};

/** Returns a clause about the error of the named payment; null if the payment is correct or may be correct. */
function findPaymentError(
  analysis: SubscriptionAnalysis,
  { statement }: StatementFooting,
  payment: number,
  context: RuleContext,
): string | null {
  const own = analysis.transactionsById.get(payment);
  if (own !== undefined) {
    if (isSuccessfulPayment(own.transaction) || context.suspectStatements.has(own.footing.statement.id))
      return null;
    return findTypeEffect(own.transaction)?.money === 'received' ? 'which failed' : 'which is not a payment';
  }
  const elsewhere = analysis.record.transactions_elsewhere.get(payment);
  if (elsewhere !== undefined) {
    const isUnusual = isBilledAlone(analysis) && !context.habits.has(CONSOLIDATED_BILLING);
    return isUnusual ? `which is a payment of subscription ${elsewhere.subscription_id}` : null;
  }
  const isExpected =
    analysis.record.statements_complete &&
    statement.settled_at !== null &&
    isBilledAlone(analysis) &&
    isCoveredByStatements(analysis, statement.settled_at);
  return isExpected ? 'which is on no statement' : null;
}

function createSettlementFinding(
  analysis: SubscriptionAnalysis,
  { statement }: StatementFooting,
  charges: readonly TransactionRecord[],
  problem: string,
): FindingDraft {
  const first = charges[0] as TransactionRecord;
  const more = charges.length - 1;
  const amount = charges.reduce((sum, { amount_in_cents }) => sum + amount_in_cents, 0);
  const chargeText =
    more === 0 ? `Charge ${first.id}` : `Charge ${first.id} and ${formatCount(more, 'more charge')}`;
  return {
    subject: {
      subscription_id: analysis.id,
      statement_id: statement.id,
      ...(more === 0 && { transaction_id: first.id }),
    },
    identity: [`statement ${statement.id}`, `payment ${first.payment_id}`],
    difference_in_cents: amount,
    message:
      `${chargeText} on statement ${statement.id}, ${formatMoney(amount)} in total, ${more === 0 ? 'names' : 'name'} payment ` +
      `${first.payment_id}, ${problem}.`,
    arithmetic: charges.map(({ id, amount_in_cents }) => [`Charge ${id}`, amount_in_cents]),
    evidence: charges.map((charge): FindingEvidence => {
      const { row, content } = toTransactionEvidence(statement.id, charge);
      return { row, content: [...content, charge.payment_id] };
    }),
  };
}
