import type { Account } from '../account.ts';
import { type Finding, makeFinding, transactionEvidence, webhookEvidence } from '../finding.ts';
import type { WebhookRecord } from '../record.ts';
import type { Look, Rule } from '../rule.ts';
import { line, moment, money } from '../words.ts';

export const webhookNotAccepted: Rule = {
  id: 'webhook-not-accepted',
  version: 1,
  title: 'Webhook never accepted',
  severity: 'warning',
  scope: 'webhook',
  explanation:
    'The billing service sent a webhook, your endpoint never confirmed that it took it, and the service has stopped trying. Whatever it ' +
    'tells of, your books have not heard of. Once the endpoint works again, replay the webhook. Those that tell of money are ' +
    'errors, the others warnings.',
  remedy: 'replay',
  check,
};

/** The service tries five times within about twenty minutes; until then a failure is not final. */
const RETRYING = 30 * 60_000;

const money_events = new Map([
  ['payment_success', 'payment'],
  ['refund_success', 'refund'],
]);

function check(account: Account, { now }: Look): Finding[] {
  return account.record.webhooks
    .filter((webhook) => isLost(webhook, now))
    .map((webhook) => finding(account, webhook));
}

function isLost(webhook: WebhookRecord, now: number): boolean {
  if (webhook.successful || webhook.accepted_at !== null || webhook.event === 'test') return false;
  const last = Math.max(webhook.created_at ?? 0, webhook.last_sent_at ?? 0);
  return last + RETRYING < now;
}

function finding(account: Account, webhook: WebhookRecord): Finding {
  const { transaction_id, statement_id, transactions } = webhook.telling;
  const noun = money_events.get(webhook.event) ?? null;
  const held = transaction_id === null ? null : (account.places.get(transaction_id) ?? null);
  const told = transactions.find(({ id }) => id === transaction_id)?.amount_in_cents ?? null;
  const amount = noun === null ? null : (held?.transaction.amount_in_cents ?? told);
  const statement = held?.footing.statement.id ?? statement_id;
  const which = noun && transaction_id !== null ? `${noun} ${transaction_id}` : noun;
  const sent = `webhook ${webhook.id} (${webhook.event}) of ${moment(webhook.created_at ?? 0)}`;
  // What is missing stands first: lists cut a long sentence at its end.
  const unheard =
    which === null ? `${sent}: it` : `${which}${amount === null ? '' : ` of ${money(amount)}`}: ${sent}`;
  return makeFinding(webhookNotAccepted, {
    severity: noun === null ? 'warning' : 'error',
    subject: {
      subscription_id: account.id,
      webhook_id: webhook.id,
      ...(statement !== null && { statement_id: statement }),
      ...(noun !== null && transaction_id !== null && { transaction_id }),
    },
    identity: [`webhook ${webhook.id}`],
    difference_in_cents: amount,
    message: `Your books have not heard of ${unheard} was ${fate(webhook)}.`,
    arithmetic: amount === null ? [] : [line(`${capital(noun ?? '')} not heard of`, amount)],
    evidence: [
      webhookEvidence(webhook),
      ...(held ? [transactionEvidence(held.footing.statement.id, held.transaction)] : []),
    ],
  });
}

function fate({ last_sent_at, last_error }: WebhookRecord): string {
  if (last_sent_at === null) return 'never sent';
  return last_error === null ? 'never accepted' : `refused (${last_error})`;
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
