import type { RuleDefinition } from '../analysis/check-rule.ts';
import { type FindingDraft, toTransactionEvidence, toTransactionSubject } from '../analysis/finding.ts';
import { formatMoney, joinList } from '../analysis/finding-message-text.ts';
import type { LocatedTransaction } from '../analysis/payment-index.ts';
import type { SubscriptionAnalysis } from '../analysis/subscription-analysis.ts';

export const repeatedPaymentRule: RuleDefinition = {
  id: 'repeated-payment',
  version: 1,
  title: 'Same payment twice on one day',
  severity: 'warning',
  scope: 'payment',
  explanation:
    'The subscription paid the same amount more than once on one day, and the later payment had nothing left to ' +
    'pay: it took the balance below zero. This is typical of a card charged twice. Ask the customer or the ' +
    'gateway, and refund the surplus if there is one. Two payments that each paid a balance are not reported.',
  check: (analysis) =>
    analysis.sameDayDuplicates.map((duplicates) => createRepeatedFinding(analysis, duplicates)),
};

function createRepeatedFinding(
  analysis: SubscriptionAnalysis,
  duplicates: readonly LocatedTransaction[],
): FindingDraft {
  const [first, ...surplus] = duplicates as [LocatedTransaction, ...LocatedTransaction[]];
  const later = surplus[0] as LocatedTransaction;
  const amount = Math.abs(first.transaction.amount_in_cents);
  return {
    subject: toTransactionSubject(analysis.id, later),
    identity: [`payment ${first.transaction.id}`],
    difference_in_cents: amount * surplus.length,
    message:
      `Payments ${joinList(duplicates.map(({ transaction }) => transaction.id))} are each for ${formatMoney(amount)} and dated ` +
      `${first.transaction.created_on}, and the later one had nothing left to pay.`,
    arithmetic: duplicates.flatMap(({ transaction }) => [
      [`Balance before payment ${transaction.id}, as reported`, transaction.starting_balance_in_cents],
      [`Payment ${transaction.id}`, -amount],
    ]),
    evidence: duplicates.map(({ footing, transaction }) =>
      toTransactionEvidence(footing.statement.id, transaction),
    ),
  };
}
