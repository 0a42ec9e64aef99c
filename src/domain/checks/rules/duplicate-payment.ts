import { isSuccessfulPayment } from '../../ledger/index.ts';
import type { RuleDefinition } from '../analysis/check-rule.ts';
import { type FindingDraft, toTransactionEvidence } from '../analysis/finding.ts';
import { formatMoney, joinList } from '../analysis/finding-message-text.ts';
import { findMeaningfulGatewayId } from '../analysis/payment-index.ts';
import type { CrossSubscriptionMember } from '../analysis/subscription-record.ts';

export const duplicatePaymentRule: RuleDefinition = {
  id: 'duplicate-payment',
  version: 1,
  title: 'Payment recorded twice',
  severity: 'error',
  scope: 'payment',
  explanation:
    'The payment gateway gives each payment its own identifier. Two payments with the same identifier are one ' +
    'payment recorded twice: the card was charged once, but the customer was credited more than once. Compare ' +
    'with the gateway’s report and have the duplicate reversed.',
  check: (analysis) =>
    analysis.gatewayIdDuplicates.map((duplicates) =>
      createDuplicateFinding(
        duplicates.map(({ footing, transaction }) => ({
          subscription_id: analysis.id,
          statement_id: footing.statement.id,
          transaction,
        })),
      ),
    ),
  checkGroup({ by, members }) {
    if (by !== 'gateway_transaction_id' || members.length >= MIN_MEANINGLESS_COUNT) return [];
    const payments = new Map<number, CrossSubscriptionMember>();
    for (const member of members) {
      const { transaction } = member;
      if (
        findMeaningfulGatewayId(transaction) === null ||
        transaction.amount_in_cents === 0 ||
        !isSuccessfulPayment(transaction)
      )
        continue;
      if (!payments.has(transaction.id)) payments.set(transaction.id, member);
    }
    const duplicates = [...payments.values()];
    return new Set(duplicates.map(({ subscription_id }) => subscription_id)).size > 1
      ? [createDuplicateFinding(duplicates)]
      : [];
  },
};

/** Minimum number of payments with an id that make it a test gateway's constant. Chosen by judgment. */
const MIN_MEANINGLESS_COUNT = 10;

function createDuplicateFinding(members: readonly CrossSubscriptionMember[]): FindingDraft {
  const duplicates = members.toSorted((a, b) => a.transaction.id - b.transaction.id);
  const [first, ...surplus] = duplicates as [CrossSubscriptionMember, ...CrossSubscriptionMember[]];
  const ids = duplicates.map(({ transaction }) => transaction.id);
  const subscriptions = [...new Set(duplicates.map(({ subscription_id }) => subscription_id))];
  const surplusCents = surplus.reduce(
    (sum, { transaction }) => sum + Math.abs(transaction.amount_in_cents),
    0,
  );
  const subscriptionText =
    subscriptions.length > 1
      ? `of subscriptions ${joinList(subscriptions.map((id) => id ?? 'unknown'))} `
      : '';
  return {
    subject: {
      subscription_id: first.subscription_id,
      statement_id: surplus[0]?.statement_id ?? first.statement_id,
      transaction_id: surplus[0]?.transaction.id ?? first.transaction.id,
    },
    identity: [
      `gateway ${first.transaction.gateway_transaction_id}`,
      subscriptions.length > 1 ? 'across subscriptions' : `subscription ${first.subscription_id}`,
    ],
    difference_in_cents: surplusCents,
    message:
      `Payments ${joinList(ids)} ${subscriptionText}have the same gateway identifier, ${first.transaction.gateway_transaction_id}, ` +
      `so ${formatMoney(surplusCents)} was recorded but not received.`,
    arithmetic: duplicates.map(({ transaction, statement_id }) => [
      `Payment ${transaction.id} on statement ${statement_id}`,
      transaction.amount_in_cents,
    ]),
    evidence: duplicates.map(({ transaction, statement_id }) =>
      toTransactionEvidence(statement_id, transaction),
    ),
  };
}
