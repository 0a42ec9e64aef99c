import type { RuleDefinition } from '../analysis/check-rule.ts';
import { toWebhookEvidence } from '../analysis/finding.ts';

export const webhookSignatureRule: RuleDefinition = {
  id: 'webhook-signature',
  version: 1,
  title: 'Invalid webhook signature',
  severity: 'error',
  scope: 'webhook',
  explanation:
    'Each webhook is signed with a key that the billing service shares with you. If the signature does not match ' +
    'the body, the body was changed after it was signed, or it was signed with another key. Do not rely on this ' +
    'webhook; check the statement itself.',
  check(analysis, { verifySignature }) {
    if (verifySignature === null) return [];
    return analysis.record.webhooks
      .filter((webhook) => verifySignature(webhook) === false)
      .map((webhook) => ({
        subject: { subscription_id: analysis.id, webhook_id: webhook.id },
        message: `The signature of webhook ${webhook.id} (${webhook.event}) does not match its body and the shared key.`,
        evidence: [toWebhookEvidence(webhook)],
      }));
  },
};
