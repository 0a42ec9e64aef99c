import type { Account } from '../account.ts';
import { type Finding, makeFinding, webhookEvidence } from '../finding.ts';
import type { Look, Rule } from '../rule.ts';

export const webhookSignature: Rule = {
  id: 'webhook-signature',
  version: 1,
  title: 'Webhook signature does not fit',
  severity: 'error',
  scope: 'webhook',
  explanation:
    'Each webhook is signed with the key that the billing service shares with you. A signature that does not fit its body means that ' +
    'the body was changed after it was signed, or signed with another key. Do not rely on what this webhook says; compare ' +
    'the statement itself.',
  remedy: null,
  check,
};

function check(account: Account, { verify }: Look): Finding[] {
  if (verify === null) return [];
  return account.record.webhooks
    .filter((webhook) => verify(webhook) === false)
    .map((webhook) =>
      makeFinding(webhookSignature, {
        subject: { subscription_id: account.id, webhook_id: webhook.id },
        message: `The signature of webhook ${webhook.id} (${webhook.event}) does not fit its body under the shared key.`,
        evidence: [webhookEvidence(webhook)],
      }),
    );
}
