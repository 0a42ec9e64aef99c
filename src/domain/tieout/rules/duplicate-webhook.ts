import type { Account } from '../account.ts';
import { type Finding, makeFinding, webhookEvidence } from '../finding.ts';
import type { WebhookRecord } from '../record.ts';
import type { Rule } from '../rule.ts';
import { counted, line, listed, money } from '../words.ts';

export const duplicateWebhook: Rule = {
  id: 'duplicate-webhook',
  version: 1,
  title: 'Payment told to your books twice',
  severity: 'warning',
  scope: 'webhook',
  explanation:
    'A webhook keeps its number when it is sent again, so your books can tell a repetition. Where one payment or refund was told under ' +
    'several numbers to the same address, books that go by the number will have entered it more than once. Look for ' +
    'the second entry there.',
  remedy: null,
  check,
};

const moneyEvents = new Set(['payment_success', 'refund_success']);

function check(account: Account): Finding[] {
  const told = new Map<string, WebhookRecord[]>();
  for (const webhook of account.record.webhooks) {
    const { transaction_id } = webhook.telling;
    if (transaction_id === null || !moneyEvents.has(webhook.event)) continue;
    const key = `${webhook.event} ${transaction_id} ${webhook.last_sent_url ?? ''}`;
    const same = told.get(key);
    if (same === undefined) told.set(key, [webhook]);
    else same.push(webhook);
  }
  return [...told.values()]
    .filter((same) => same.length > 1)
    .map((same) =>
      finding(
        account,
        same.toSorted((a, b) => a.id - b.id),
      ),
    );
}

function finding(account: Account, webhooks: readonly WebhookRecord[]): Finding {
  const [first, ...more] = webhooks as [WebhookRecord, ...WebhookRecord[]];
  const { transaction_id, transactions } = first.telling;
  const amount = transactions.find(({ id }) => id === transaction_id)?.amount_in_cents ?? null;
  const noun = first.event === 'refund_success' ? 'refund' : 'payment';
  return makeFinding(duplicateWebhook, {
    subject: {
      subscription_id: account.id,
      webhook_id: more.at(-1)?.id ?? first.id,
      ...(transaction_id !== null && { transaction_id }),
    },
    identity: [`${first.event} ${transaction_id}`, first.last_sent_url ?? ''],
    difference_in_cents: amount === null ? null : Math.abs(amount) * more.length,
    message:
      `Webhooks ${listed(webhooks.map(({ id }) => id))} each tell of ${noun} ${transaction_id}` +
      `${amount === null ? '' : ` of ${money(amount)}`}: ${counted(more.length, 'time')} too often.`,
    arithmetic:
      amount === null ? [] : webhooks.map(({ id }) => line(`${first.event}, webhook ${id}`, amount)),
    evidence: webhooks.map(webhookEvidence),
  });
}
