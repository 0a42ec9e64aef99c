import type { Account } from '../account.ts';
import { failedCounted } from '../explain.ts';
import { type Finding, makeFinding, statementEvidence, transactionEvidence } from '../finding.ts';
import type { Rule } from '../rule.ts';
import { line, money } from '../words.ts';

export const failedPaymentCounted: Rule = {
  id: 'failed-payment-counted',
  version: 1,
  title: 'Failed payment counted',
  severity: 'error',
  scope: 'statement',
  explanation:
    'A payment that failed brought no money and must leave the balance as it is. Where the balance was lowered all the same, the ' +
    'customer appears to have paid what was never received. Look for the payment at the bank before anything is written off.',
  remedy: null,
  check,
};

function check(account: Account): Finding[] {
  return account.footings.flatMap((footing) =>
    failedCounted(footing).map((payment) => {
      const { statement } = footing;
      const amount = Math.abs(payment.amount_in_cents);
      return makeFinding(failedPaymentCounted, {
        subject: { subscription_id: account.id, statement_id: statement.id, transaction_id: payment.id },
        expected_in_cents: 0,
        actual_in_cents: -amount,
        message:
          `Payment ${payment.id} of ${money(amount)} on statement ${statement.id} failed, yet the balance was lowered by it` +
          `${statement.ending_balance_in_cents === null ? '' : `; the statement closes at ${money(statement.ending_balance_in_cents)}`}.`,
        arithmetic: [
          line('Effect of a failed payment', 0),
          line('Effect it had', -amount),
          line('Balance before, as sent', payment.starting_balance_in_cents),
          line('Balance after, as sent', payment.ending_balance_in_cents),
        ],
        evidence: [statementEvidence(statement), transactionEvidence(statement.id, payment)],
      });
    }),
  );
}
