import type { RuleDefinition } from '../analysis/check-rule.ts';
import { type FindingDraft, toWebhookEvidence } from '../analysis/finding.ts';
import { formatCount, formatMoney, joinList } from '../analysis/finding-message-text.ts';
import type { SubscriptionAnalysis } from '../analysis/subscription-analysis.ts';
import type { WebhookRecord } from '../analysis/subscription-record.ts';

export const duplicateWebhookRule: RuleDefinition = {
  id: 'duplicate-webhook',
  version: 1,
  title: 'Payment reported twice by webhook',
  severity: 'warning',
  scope: 'webhook',
  explanation:
    'A webhook keeps its id when it is sent again, so your accounting system can recognize a repetition. If one ' +
    'payment or refund was reported under several ids to the same address, a system that checks the id has ' +
    'recorded it more than once. Look for the duplicate entry there.',
  check(analysis) {
    const reported = analysis.record.webhooks.filter(
      ({ event, facts }) => facts.transaction_id !== null && MONEY_EVENTS.has(event),
    );
    const webhooksByPayment = Map.groupBy(
      reported,
      ({ event, facts, last_sent_url }) => `${event} ${facts.transaction_id} ${last_sent_url ?? ''}`,
    );
    return [...webhooksByPayment.values()]
      .filter((same) => same.length > 1)
      .map((same) =>
        createDuplicateFinding(
          analysis,
          same.toSorted((a, b) => a.id - b.id),
        ),
      );
  },
};

const MONEY_EVENTS = new Set(['payment_success', 'refund_success']);

function createDuplicateFinding(
  analysis: SubscriptionAnalysis,
  webhooks: readonly WebhookRecord[],
): FindingDraft {
  const [first, ...more] = webhooks as [WebhookRecord, ...WebhookRecord[]];
  const { transaction_id, transactions } = first.facts;
  const amount = transactions.find(({ id }) => id === transaction_id)?.amount_in_cents ?? null;
  const noun = first.event === 'refund_success' ? 'refund' : 'payment';
  return {
    subject: {
      subscription_id: analysis.id,
      webhook_id: more.at(-1)?.id ?? first.id,
      ...(transaction_id !== null && { transaction_id }),
    },
    identity: [`${first.event} ${transaction_id}`, first.last_sent_url ?? ''],
    difference_in_cents: amount === null ? null : Math.abs(amount) * more.length,
    message:
      `Webhooks ${joinList(webhooks.map(({ id }) => id))} each report ${noun} ${transaction_id}` +
      `${amount === null ? '' : ` of ${formatMoney(amount)}`}, which is ${formatCount(more.length, 'time')} too often.`,
    arithmetic: amount === null ? [] : webhooks.map(({ id }) => [`${first.event}, webhook ${id}`, amount]),
    evidence: webhooks.map(toWebhookEvidence),
  };
}
