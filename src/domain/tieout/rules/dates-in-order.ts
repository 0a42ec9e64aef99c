import type { Account } from '../account.ts';
import { AT_ONCE, CLOCK_SLACK, hasWrongDates } from '../chain.ts';
import {
  allocationEvidence,
  type Evidence,
  type Finding,
  makeFinding,
  type Subject,
  statementEvidence,
  transactionEvidence,
  webhookEvidence,
} from '../finding.ts';
import type { Footing } from '../footing.ts';
import { copiesIn } from '../payments.ts';
import type { StatementRecord, WebhookRecord } from '../record.ts';
import type { Look, Rule } from '../rule.ts';
import { moment } from '../words.ts';

export const datesInOrder: Rule = {
  id: 'dates-in-order',
  version: 1,
  title: 'Dates that cannot be right',
  severity: 'warning',
  scope: 'statement',
  explanation:
    'Things happen in an order: a statement opens, then closes, then is settled, and its transactions fall between; a webhook is made ' +
    'before it is accepted; nothing lies in the future. Where dates contradict that, amounts may be counted in the wrong period. ' +
    'Check the cut-off before relying on either date.',
  remedy: null,
  check,
};

const HOUR = 3_600_000;

function check(account: Account, look: Look): Finding[] {
  const found: Finding[] = [];
  const report = (
    subject: Subject,
    message: string,
    evidence: readonly Evidence[],
    identity?: readonly string[],
  ): void => {
    found.push(makeFinding(datesInOrder, { subject, message, evidence, ...(identity && { identity }) }));
  };
  for (const [n, footing] of account.footings.entries()) {
    const { statement } = footing;
    const subject = { subscription_id: account.id, statement_id: statement.id };
    if (hasWrongDates(statement, look.now)) {
      report(subject, statementDates(statement, look), [statementEvidence(statement)]);
      continue;
    }
    for (const [transaction, message] of strays(account, n, look)) {
      const evidence = [transactionEvidence(statement.id, transaction), statementEvidence(statement)];
      report({ ...subject, transaction_id: transaction.id }, message, evidence);
    }
  }
  for (const webhook of account.record.webhooks) {
    const message = webhookDates(webhook, look);
    if (message === null) continue;
    report({ subscription_id: account.id, webhook_id: webhook.id }, message, [webhookEvidence(webhook)]);
  }
  for (const { component_id, allocations } of account.record.components) {
    for (const allocation of allocations) {
      if (allocation.timestamp <= look.now + CLOCK_SLACK) continue;
      const message = `An allocation of component ${component_id} is dated ${moment(allocation.timestamp)}, which lies in the future.`;
      const evidence = [allocationEvidence(account.id, component_id, allocation)];
      const identity = [
        `subscription ${account.id}`,
        `component ${component_id}`,
        `${allocation.timestamp}.${allocation.ordinal}`,
      ];
      report({ subscription_id: account.id, component_id }, message, evidence, identity);
    }
  }
  return found;
}

/** What is wrong with a statement’s own dates. */
function statementDates({ id, opened_at, closed_at, settled_at }: StatementRecord, { now }: Look): string {
  for (const [verb, at] of [
    ['opened', opened_at],
    ['closed', closed_at],
    ['settled', settled_at],
  ] as const) {
    if (at !== null && at > now + CLOCK_SLACK) {
      return `Statement ${id} is said to have been ${verb} on ${moment(at)}, which lies in the future.`;
    }
  }
  const [verb, at] =
    closed_at !== null && closed_at < (opened_at ?? 0) ? ['closed', closed_at] : ['was settled', settled_at];
  return `Statement ${id} ${verb} on ${moment(at ?? 0)}, before it opened on ${moment(opened_at ?? 0)}.`;
}

/** Transactions dated outside their statement’s period. Where two periods do not meet, the period is what is wrong. */
function strays(account: Account, n: number, { now }: Look): [Footing['transactions'][number], string][] {
  const footing = account.footings[n] as Footing;
  const { id, opened_at, closed_at } = footing.statement;
  const [before, after] = [account.boundaries[n - 1], account.boundaries[n]];
  const startsRight = before === undefined || before.meeting === 'joined';
  const endsRight = after === undefined || after.meeting === 'joined';
  const found: [Footing['transactions'][number], string][] = [];
  for (const transaction of footing.transactions) {
    const at = transaction.created_at;
    if (at === null) continue;
    const early = startsRight && opened_at !== null && at < opened_at - HOUR;
    const late = endsRight && closed_at !== null && at > closed_at + HOUR;
    if (!early && !late && at <= now + CLOCK_SLACK) continue;
    if (isCopy(account, footing, transaction.id)) continue;
    const why = early
      ? `before the statement opened on ${moment(opened_at ?? 0)}`
      : late
        ? `after the statement closed on ${moment(closed_at ?? 0)}`
        : 'which lies in the future';
    found.push([
      transaction,
      `Transaction ${transaction.id} on statement ${id} is dated ${moment(at)}, ${why}.`,
    ]);
  }
  return found;
}

function isCopy(account: Account, footing: Footing, id: number): boolean {
  return copiesIn(account, footing).some(({ place }) => place.transaction.id === id);
}

function webhookDates(webhook: WebhookRecord, { now }: Look): string | null {
  const { id, created_at, accepted_at, last_sent_at } = webhook;
  if (created_at === null) return null;
  if (created_at > now + CLOCK_SLACK) {
    return `Webhook ${id} is dated ${moment(created_at)}, which lies in the future.`;
  }
  const early = (at: number | null): at is number => at !== null && at < created_at - AT_ONCE;
  const [verb, at] = early(accepted_at) ? ['accepted', accepted_at] : ['sent', last_sent_at];
  if (!early(at)) return null;
  return `Webhook ${id} was ${verb} on ${moment(at)}, before it was made on ${moment(created_at)}.`;
}
