import type { RuleContext, RuleDefinition } from '../analysis/check-rule.ts';
import {
  type FindingDraft,
  type FindingEvidence,
  type FindingSubject,
  toAllocationEvidence,
  toAllocationIdentity,
  toStatementEvidence,
  toTransactionEvidence,
  toWebhookEvidence,
} from '../analysis/finding.ts';
import { formatInstant } from '../analysis/finding-message-text.ts';
import { listDuplicateTransactions } from '../analysis/payment-index.ts';
import {
  CLOCK_TOLERANCE_MS,
  hasWrongDates,
  SAME_TIME_TOLERANCE_MS,
  type StatementBoundary,
} from '../analysis/statement-chain.ts';
import type { StatementFooting } from '../analysis/statement-footing.ts';
import type { SubscriptionAnalysis } from '../analysis/subscription-analysis.ts';
import type { StatementRecord, WebhookRecord } from '../analysis/subscription-record.ts';

export const datesInOrderRule: RuleDefinition = {
  id: 'dates-in-order',
  version: 1,
  title: 'Implausible dates',
  severity: 'warning',
  scope: 'statement',
  explanation:
    'A statement opens, closes and is then settled, and its transactions are dated in between. A webhook is ' +
    'created before it is accepted, and no date is in the future. If dates contradict this, amounts may be ' +
    'counted in the wrong period. Check the cut-off before you rely on these dates.',
  check(analysis, context) {
    const findings: FindingDraft[] = [];
    const report = (
      subject: FindingSubject,
      message: string,
      evidence: readonly FindingEvidence[],
      identity?: readonly string[],
    ): void => {
      findings.push({ subject, message, evidence, ...(identity && { identity }) });
    };
    for (const [n, footing] of analysis.footings.entries()) {
      const { statement } = footing;
      const subject = { subscription_id: analysis.id, statement_id: statement.id };
      if (hasWrongDates(statement, context.now)) {
        report(subject, describeStatementDates(statement, context), [toStatementEvidence(statement)]);
        continue;
      }
      for (const [transaction, message] of findMisdatedTransactions(analysis, n, context)) {
        const evidence = [toTransactionEvidence(statement.id, transaction), toStatementEvidence(statement)];
        report({ ...subject, transaction_id: transaction.id }, message, evidence);
      }
    }
    for (const webhook of analysis.record.webhooks) {
      const message = describeWebhookDates(webhook, context);
      if (message === null) continue;
      report({ subscription_id: analysis.id, webhook_id: webhook.id }, message, [toWebhookEvidence(webhook)]);
    }
    for (const { component_id, allocations } of analysis.record.components) {
      for (const allocation of allocations) {
        if (allocation.timestamp <= context.now + CLOCK_TOLERANCE_MS) continue;
        const message = `An allocation of component ${component_id} is dated ${formatInstant(allocation.timestamp)}, which is in the future.`;
        const evidence = [toAllocationEvidence(analysis.id, component_id, allocation)];
        const subject = { subscription_id: analysis.id, component_id };
        report(subject, message, evidence, toAllocationIdentity(subject, allocation));
      }
    }
    return findings;
  },
};

const TOLERANCE_MS = 3_600_000;

/** Returns sentences about a statement's contradictory dates. */
function describeStatementDates(
  { id, opened_at, closed_at, settled_at }: StatementRecord,
  { now }: RuleContext,
): string {
  for (const [verb, at] of [
    ['opened', opened_at],
    ['closed', closed_at],
    ['settled', settled_at],
  ] as const) {
    if (at !== null && at > now + CLOCK_TOLERANCE_MS)
      return `Statement ${id} was ${verb} on ${formatInstant(at)}, which is in the future.`;
  }
  const [verb, at] =
    closed_at !== null && closed_at < (opened_at ?? 0) ? ['closed', closed_at] : ['was settled', settled_at];
  return `Statement ${id} ${verb} on ${formatInstant(at ?? 0)}, before it opened on ${formatInstant(opened_at ?? 0)}.`;
}

/** Returns transactions dated outside their statement's period, except at a boundary where two periods do not join. */
function findMisdatedTransactions(analysis: SubscriptionAnalysis, n: number, { now }: RuleContext) {
  const footing = analysis.footings[n] as StatementFooting;
  const { id, opened_at, closed_at } = footing.statement;
  const [before, after] = [analysis.boundaries[n - 1], analysis.boundaries[n]];
  const earliest =
    isUnjoined(before) || opened_at === null ? Number.NEGATIVE_INFINITY : opened_at - TOLERANCE_MS;
  const latest =
    isUnjoined(after) || closed_at === null ? Number.POSITIVE_INFINITY : closed_at + TOLERANCE_MS;
  const findings: [StatementFooting['transactions'][number], string][] = [];
  for (const transaction of footing.transactions) {
    const at = transaction.created_at;
    if (at === null || (at >= earliest && at <= Math.min(latest, now + CLOCK_TOLERANCE_MS))) continue;
    if (isDuplicate(analysis, footing, transaction.id)) continue;
    const message = `Transaction ${transaction.id} on statement ${id} is dated ${formatInstant(at)}, ${describeMisdating(at, [earliest, latest], footing.statement)}.`;
    findings.push([transaction, message]);
  }
  return findings;
}

function describeMisdating(
  at: number,
  [earliest, latest]: readonly [number, number],
  { opened_at, closed_at }: StatementRecord,
): string {
  if (at < earliest) return `before the statement opened on ${formatInstant(opened_at ?? 0)}`;
  return at > latest
    ? `after the statement closed on ${formatInstant(closed_at ?? 0)}`
    : 'which is in the future';
}

const isUnjoined = (boundary: StatementBoundary | undefined): boolean =>
  boundary !== undefined && boundary.transition !== 'joined';

const isDuplicate = (analysis: SubscriptionAnalysis, footing: StatementFooting, id: number): boolean =>
  listDuplicateTransactions(analysis, footing).some(({ payment }) => payment.transaction.id === id);

function describeWebhookDates(webhook: WebhookRecord, { now }: RuleContext): string | null {
  const { id, created_at, accepted_at, last_sent_at } = webhook;
  if (created_at === null) return null;
  if (created_at > now + CLOCK_TOLERANCE_MS)
    return `Webhook ${id} is dated ${formatInstant(created_at)}, which is in the future.`;
  const isBeforeCreation = (at: number | null): at is number =>
    at !== null && at < created_at - SAME_TIME_TOLERANCE_MS;
  const [verb, at] = isBeforeCreation(accepted_at) ? ['accepted', accepted_at] : ['sent', last_sent_at];
  if (!isBeforeCreation(at)) return null;
  return `Webhook ${id} was ${verb} on ${formatInstant(at)}, before it was created on ${formatInstant(created_at)}.`;
}
