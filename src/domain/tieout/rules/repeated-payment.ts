import type { Account } from '../account.ts';
import { type Finding, makeFinding, transactionEvidence } from '../finding.ts';
import type { Place } from '../payments.ts';
import type { Rule } from '../rule.ts';
import { line, listed, money } from '../words.ts';

export const repeatedPayment: Rule = {
  id: 'repeated-payment',
  version: 1,
  title: 'Same payment again on the same day',
  severity: 'warning',
  scope: 'payment',
  explanation:
    'The subscription paid the same amount more than once on one day, and the later payment found nothing left to pay: it took the ' +
    'balance below zero. That is what a card charged twice looks like. Ask the customer or the gateway, and refund the surplus ' +
    'if it is one; two payments that each settled something of their own are not reported.',
  remedy: null,
  check,
};

function check(account: Account): Finding[] {
  return account.sameDayTwins.map((twins) => finding(account, twins));
}

function finding(account: Account, twins: readonly Place[]): Finding {
  const [first, ...surplus] = twins as [Place, ...Place[]];
  const later = surplus[0] as Place;
  const amount = Math.abs(first.transaction.amount_in_cents);
  return makeFinding(repeatedPayment, {
    subject: {
      subscription_id: account.id,
      statement_id: later.footing.statement.id,
      transaction_id: later.transaction.id,
    },
    identity: [`payment ${first.transaction.id}`],
    difference_in_cents: amount * surplus.length,
    message:
      `Payments ${listed(twins.map(({ transaction }) => transaction.id))} are each of ${money(amount)} and of ` +
      `${first.transaction.created_on}, and the later found nothing left to pay.`,
    arithmetic: twins.flatMap(({ transaction }) => [
      line(`Balance before payment ${transaction.id}, as sent`, transaction.starting_balance_in_cents),
      line(`Payment ${transaction.id}`, -amount),
    ]),
    evidence: twins.map(({ footing, transaction }) => transactionEvidence(footing.statement.id, transaction)),
  });
}
