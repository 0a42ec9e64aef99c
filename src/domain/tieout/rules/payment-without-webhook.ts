import { isRefundMade } from '../../ledger/index.ts';
import type { Account } from '../account.ts';
import { paymentWebhooks } from '../expectations.ts';
import { type Finding, makeFinding, transactionEvidence } from '../finding.ts';
import { isMissed } from '../habits.ts';
import type { Look, Rule } from '../rule.ts';
import { line, moment, money } from '../words.ts';

export const paymentWithoutWebhook: Rule = {
  id: 'payment-without-webhook',
  version: 2,
  title: 'Payment your books were not told of',
  severity: 'error',
  scope: 'payment',
  explanation:
    'The billing service tells your books of each payment and refund by a webhook. Where the log holds none, neither delivered nor ' +
    'failed, although it reaches back that far, your books have not heard of the money. As there is no webhook to replay, it has ' +
    'to be entered by hand.',
  remedy: null,
  check,
};

function check(account: Account, { log, habits }: Look): Finding[] {
  if (log === null) return [];
  return paymentWebhooks(account, log)
    .filter((expected) => isMissed(habits, expected))
    .map(({ place: { footing, transaction } }) => {
      const noun = isRefundMade(transaction) ? 'Refund' : 'Payment';
      return makeFinding(paymentWithoutWebhook, {
        subject: {
          subscription_id: account.id,
          statement_id: footing.statement.id,
          transaction_id: transaction.id,
        },
        difference_in_cents: Math.abs(transaction.amount_in_cents),
        message:
          `${noun} ${transaction.id} of ${money(transaction.amount_in_cents)} on ${moment(transaction.created_at ?? 0)} ` +
          'was told by no webhook: your books have not heard of it.',
        arithmetic: [line(`${noun} ${transaction.id}`, transaction.amount_in_cents)],
        evidence: [transactionEvidence(footing.statement.id, transaction)],
      });
    });
}
