import { findTypeEffect } from '../../ledger/index.ts';
import type { RuleDefinition } from '../analysis/check-rule.ts';
import { toTransactionEvidence, toTransactionSubject } from '../analysis/finding.ts';
import { formatMoney } from '../analysis/finding-message-text.ts';

export const negativePaymentRule: RuleDefinition = {
  id: 'negative-payment',
  version: 1,
  title: 'Negative payment or refund',
  severity: 'error',
  scope: 'payment',
  explanation:
    'The billing service records payments and refunds as positive amounts, and a refund is a transaction of its own. A ' +
    'negative payment is therefore a wrong sign, or a refund that was recorded as a payment. Compare with the ' +
    'gateway’s report whether money was received or returned.',
  check: (analysis) =>
    [...analysis.transactionsById.values()]
      .filter(
        ({ transaction }) => transaction.amount_in_cents < 0 && findTypeEffect(transaction)?.money != null,
      )
      .map((located) => {
        const { transaction, footing } = located;
        const { id, amount_in_cents } = transaction;
        const noun = findTypeEffect(transaction)?.type ?? '';
        return {
          subject: toTransactionSubject(analysis.id, located),
          expected_in_cents: -amount_in_cents,
          actual_in_cents: amount_in_cents,
          message: `${noun} ${id} on statement ${footing.statement.id} has a negative amount, ${formatMoney(amount_in_cents)}.`,
          arithmetic: [[`${noun} ${id}`, amount_in_cents]],
          evidence: [toTransactionEvidence(footing.statement.id, transaction)],
        };
      }),
};
