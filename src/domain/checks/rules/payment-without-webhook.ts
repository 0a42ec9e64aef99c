import { isSuccessfulRefund } from '../../ledger/index.ts';
import type { RuleContext, RuleDefinition } from '../analysis/check-rule.ts';
import { expectPaymentWebhooks } from '../analysis/expectations.ts';
import { createFinding, type Finding, toTransactionEvidence } from '../analysis/finding.ts';
import { createArithmeticLine, formatMoment, formatMoney } from '../analysis/message-text.ts';
import { isMissingByHabit } from '../analysis/site-habits.ts';
import type { SubscriptionAnalysis } from '../analysis/subscription-analysis.ts';

export const paymentWithoutWebhookRule: RuleDefinition = {
  id: 'payment-without-webhook',
  version: 2,
  title: 'Payment without webhook',
  severity: 'error',
  scope: 'payment',
  explanation:
    'The billing service reports each payment and refund to your accounting system by webhook. If the webhook log ' +
    'covers the time but contains none, neither delivered nor failed, your accounting system does not know of the ' +
    'money. There is no webhook to replay, so enter the transaction manually.',
  remedy: null,
  check,
};

function check(analysis: SubscriptionAnalysis, { webhookLog, habits }: RuleContext): Finding[] {
  if (webhookLog === null) return [];
  return expectPaymentWebhooks(analysis, webhookLog)
    .filter((expected) => isMissingByHabit(habits, expected))
    .map(({ payment: { footing, transaction } }) => {
      const noun = isSuccessfulRefund(transaction) ? 'Refund' : 'Payment';
      return createFinding(paymentWithoutWebhookRule, {
        subject: {
          subscription_id: analysis.id,
          statement_id: footing.statement.id,
          transaction_id: transaction.id,
        },
        difference_in_cents: Math.abs(transaction.amount_in_cents),
        message:
          `${noun} ${transaction.id} of ${formatMoney(transaction.amount_in_cents)} on ${formatMoment(transaction.created_at ?? 0)} ` +
          'was reported by no webhook, so your accounting system does not know of it.',
        arithmetic: [createArithmeticLine(`${noun} ${transaction.id}`, transaction.amount_in_cents)],
        evidence: [toTransactionEvidence(footing.statement.id, transaction)],
      });
    });
}
