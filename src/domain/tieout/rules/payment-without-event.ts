import type { Account } from '../account.ts';
import { paymentEvents } from '../expectations.ts';
import { type Finding, makeFinding, transactionEvidence } from '../finding.ts';
import { isMissed } from '../habits.ts';
import type { Look, Rule } from '../rule.ts';
import { line, money } from '../words.ts';

export const paymentWithoutEvent: Rule = {
  id: 'payment-without-event',
  version: 2,
  title: 'Payment without its event',
  severity: 'notice',
  scope: 'payment',
  explanation:
    'On this site a statement lists an event for each successful payment of this kind. A payment that has none may have been entered by ' +
    'another way than the others. Check at the gateway or the bank that the money arrived.',
  remedy: null,
  check,
};

function check(account: Account, { habits }: Look): Finding[] {
  return paymentEvents(account)
    .filter((expected) => isMissed(habits, expected))
    .map(({ place: { footing, transaction } }) =>
      makeFinding(paymentWithoutEvent, {
        subject: {
          subscription_id: account.id,
          statement_id: footing.statement.id,
          transaction_id: transaction.id,
        },
        difference_in_cents: Math.abs(transaction.amount_in_cents),
        message:
          `Payment ${transaction.id} of ${money(transaction.amount_in_cents)} on statement ${footing.statement.id} has no ` +
          'payment_success among the events, as the other payments have.',
        arithmetic: [line(`Payment ${transaction.id}`, transaction.amount_in_cents)],
        evidence: [transactionEvidence(footing.statement.id, transaction)],
      }),
    );
}
