import { capitalize } from '../../text/capitalize.ts';
import type { RuleDefinition } from '../analysis/check-rule.ts';
import { type FindingDraft, toTransactionEvidence, toWebhookEvidence } from '../analysis/finding.ts';
import { formatInstant, formatMoney } from '../analysis/finding-message-text.ts';
import type { LocatedTransaction } from '../analysis/payment-index.ts';
import type { SubscriptionAnalysis } from '../analysis/subscription-analysis.ts';
import type { WebhookRecord } from '../analysis/subscription-record.ts';

export const webhookNotAcceptedRule: RuleDefinition = {
  id: 'webhook-not-accepted',
  version: 1,
  title: 'Webhook never accepted',
  severity: 'warning',
  scope: 'webhook',
  explanation:
    'The billing service sent a webhook, but your endpoint never accepted it, and the service has stopped trying. ' +
    'Your accounting system does not know of the reported event. Once the endpoint works again, replay the ' +
    'webhook. Webhooks about payments and refunds are errors, others are warnings.',
  remedy: 'replay',
  check: (analysis, { now }) =>
    analysis.record.webhooks
      .filter((webhook) => isLost(webhook, now))
      .map((webhook) => createLostFinding(analysis, webhook)),
};

/** Time after which a failed delivery is final. The service makes five attempts within about twenty minutes. */
const RETRY_PERIOD_MS = 30 * 60_000;

const MONEY_EVENTS = new Map(Object.entries({ payment_success: 'payment', refund_success: 'refund' }));

function isLost(webhook: WebhookRecord, now: number): boolean {
  if (webhook.successful || webhook.accepted_at !== null || webhook.event === 'test') return false;
  const last = Math.max(webhook.created_at ?? 0, webhook.last_sent_at ?? 0);
  return last + RETRY_PERIOD_MS < now;
}

function createLostFinding(analysis: SubscriptionAnalysis, webhook: WebhookRecord): FindingDraft {
  const noun = MONEY_EVENTS.get(webhook.event) ?? null;
  const { transaction_id, statement_id } = webhook.facts;
  const located = transaction_id === null ? null : (analysis.transactionsById.get(transaction_id) ?? null);
  const amount = noun === null ? null : findAmount(webhook, located);
  const statement = located?.footing.statement.id ?? statement_id;
  const sent = `webhook ${webhook.id} (${webhook.event}) of ${formatInstant(webhook.created_at ?? 0)}`;
  // The message names the missing payment first, because lists truncate long sentences.
  const missing =
    noun === null ? `${sent}, which` : `${describePayment(noun, transaction_id, amount)}: ${sent}`;
  return {
    severity: noun === null ? 'warning' : 'error',
    subject: {
      subscription_id: analysis.id,
      webhook_id: webhook.id,
      ...(statement !== null && { statement_id: statement }),
      ...(noun !== null && transaction_id !== null && { transaction_id }),
    },
    identity: [`webhook ${webhook.id}`],
    difference_in_cents: amount,
    message: `Your accounting system did not receive ${missing} was ${describeOutcome(webhook)}.`,
    arithmetic: amount === null ? [] : [[`${capitalize(noun ?? '')} not received`, amount]],
    evidence: [
      toWebhookEvidence(webhook),
      ...(located ? [toTransactionEvidence(located.footing.statement.id, located.transaction)] : []),
    ],
  };
}

function findAmount({ facts }: WebhookRecord, located: LocatedTransaction | null): number | null {
  if (located !== null) return located.transaction.amount_in_cents;
  return facts.transactions.find(({ id }) => id === facts.transaction_id)?.amount_in_cents ?? null;
}

const describePayment = (noun: string, id: number | null, amount: number | null): string =>
  `${noun}${id === null ? '' : ` ${id}`}${amount === null ? '' : ` of ${formatMoney(amount)}`}`;

function describeOutcome({ last_sent_at, last_error }: WebhookRecord): string {
  if (last_sent_at === null) return 'never sent';
  return last_error === null ? 'never accepted' : `rejected (${last_error})`;
}
