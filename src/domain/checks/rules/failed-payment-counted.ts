import type { RuleDefinition } from '../analysis/check-rule.ts';
import { toStatementEvidence, toTransactionEvidence } from '../analysis/finding.ts';
import { formatMoney } from '../analysis/finding-message-text.ts';
import { findCountedFailedPayments } from '../analysis/footing-explanation.ts';

export const failedPaymentCountedRule: RuleDefinition = {
  id: 'failed-payment-counted',
  version: 1,
  title: 'Failed payment counted',
  severity: 'error',
  scope: 'statement',
  explanation:
    'A failed payment brings in no money and must not change the balance. If the balance was reduced, the ' +
    'customer appears to have paid an amount that was never received. Look for the payment at the bank before you ' +
    'write anything off.',
  check: (analysis) =>
    analysis.footings.flatMap((footing) =>
      findCountedFailedPayments(footing).map((payment) => {
        const { statement } = footing;
        const amount = Math.abs(payment.amount_in_cents);
        return {
          subject: { subscription_id: analysis.id, statement_id: statement.id, transaction_id: payment.id },
          expected_in_cents: 0,
          actual_in_cents: -amount,
          message:
            `Payment ${payment.id} of ${formatMoney(amount)} on statement ${statement.id} failed, but it reduced the balance` +
            `${statement.ending_balance_in_cents === null ? '' : `; the statement closes at ${formatMoney(statement.ending_balance_in_cents)}`}.`,
          arithmetic: [
            ['Expected effect of a failed payment', 0],
            ['Actual effect', -amount],
            ['Balance before, as reported', payment.starting_balance_in_cents],
            ['Balance after, as reported', payment.ending_balance_in_cents],
          ],
          evidence: [toStatementEvidence(statement), toTransactionEvidence(statement.id, payment)],
        };
      }),
    ),
};
