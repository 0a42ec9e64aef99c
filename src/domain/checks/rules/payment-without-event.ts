import type { RuleContext, RuleDefinition } from '../analysis/check-rule.ts';
import { expectPaymentEvents } from '../analysis/expectations.ts';
import { createFinding, type Finding, toTransactionEvidence } from '../analysis/finding.ts';
import { createArithmeticLine, formatMoney } from '../analysis/message-text.ts';
import { isMissingByHabit } from '../analysis/site-habits.ts';
import type { SubscriptionAnalysis } from '../analysis/subscription-analysis.ts';

export const paymentWithoutEventRule: RuleDefinition = {
  id: 'payment-without-event',
  version: 2,
  title: 'Payment without its event',
  severity: 'notice',
  scope: 'payment',
  explanation:
    'On this site, a statement lists an event for each successful payment of this kind. A payment without an ' +
    'event may have been entered in a different way. Check at the gateway or the bank that the money arrived.',
  remedy: null,
  check,
};

function check(analysis: SubscriptionAnalysis, { habits }: RuleContext): Finding[] {
  return expectPaymentEvents(analysis)
    .filter((expected) => isMissingByHabit(habits, expected))
    .map(({ payment: { footing, transaction } }) =>
      createFinding(paymentWithoutEventRule, {
        subject: {
          subscription_id: analysis.id,
          statement_id: footing.statement.id,
          transaction_id: transaction.id,
        },
        difference_in_cents: Math.abs(transaction.amount_in_cents),
        message:
          `Payment ${transaction.id} of ${formatMoney(transaction.amount_in_cents)} on statement ${footing.statement.id} has no ` +
          'payment_success event, unlike the other payments.',
        arithmetic: [createArithmeticLine(`Payment ${transaction.id}`, transaction.amount_in_cents)],
        evidence: [toTransactionEvidence(footing.statement.id, transaction)],
      }),
    );
}
