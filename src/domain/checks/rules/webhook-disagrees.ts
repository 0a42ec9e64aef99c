import { findTypeEffect } from '../../ledger/index.ts';
import type { RuleContext, RuleDefinition } from '../analysis/check-rule.ts';
import {
  type DraftArithmeticLine,
  type FindingDraft,
  type FindingEvidence,
  toStatementEvidence,
  toTransactionEvidence,
  toWebhookEvidence,
} from '../analysis/finding.ts';
import { formatCount, formatMoney } from '../analysis/finding-message-text.ts';
import { isCoveredByStatements } from '../analysis/record-coverage.ts';
import type { SubscriptionAnalysis } from '../analysis/subscription-analysis.ts';
import type {
  StatementRecord,
  TransactionRecord,
  WebhookRecord,
  WebhookStatementFacts,
  WebhookTransactionFacts,
} from '../analysis/subscription-record.ts';

export const webhookDisagreesRule: RuleDefinition = {
  id: 'webhook-disagrees',
  version: 1,
  title: 'Webhook contradicts the statement',
  severity: 'warning',
  scope: 'webhook',
  explanation:
    'A webhook reported figures of this statement, or of a payment on it, that differ from the statement’s ' +
    'figures today. Your accounting system therefore has different figures from the billing service. One of the two ' +
    'was changed after the webhook was sent. Compare both and correct your accounting system.',
  check(analysis, context) {
    const findings: FindingDraft[] = [];
    const statements = new Map(analysis.footings.map(({ statement }) => [statement.id, statement]));
    for (const webhook of analysis.record.webhooks) {
      const { statement, transactions } = webhook.facts;
      const recorded =
        statement === null || context.suspectStatements.has(statement.id)
          ? undefined
          : statements.get(statement.id);
      const differences = statement && recorded ? compareStatementFigures(statement, recorded) : [];
      for (const reported of transactions) {
        const difference = compareTransaction(analysis, webhook, reported, context);
        if (difference !== null) differences.push(difference);
      }
      if (differences.length > 0) findings.push(createDisagreementFinding(analysis, webhook, differences));
    }
    return findings;
  },
};

interface Disagreement {
  /** Clause of a sentence that states the webhook's figure, then the statement's figure. */
  readonly text: string;
  readonly label: string;
  readonly webhookCents: number | null;
  readonly statementCents: number | null;
  readonly evidence: FindingEvidence | null;
}

function createDisagreementFinding(
  analysis: SubscriptionAnalysis,
  webhook: WebhookRecord,
  differences: readonly Disagreement[],
): FindingDraft {
  const first = differences[0] as Disagreement;
  const more =
    differences.length > 1
      ? `. ${formatCount(differences.length - 1, 'more figure')} of the webhook ${differences.length === 2 ? 'differs' : 'differ'}`
      : '';
  const { statement_id, transaction_id } = webhook.facts;
  return {
    subject: {
      subscription_id: analysis.id,
      webhook_id: webhook.id,
      ...(statement_id !== null && { statement_id }),
      ...(transaction_id !== null && { transaction_id }),
    },
    identity: [`webhook ${webhook.id}`],
    expected_in_cents: first.statementCents,
    actual_in_cents: first.webhookCents,
    message: `Webhook ${webhook.id} (${webhook.event}) says that ${first.text}${more}.`,
    arithmetic: differences.flatMap((each): DraftArithmeticLine[] => [
      [`${each.label}, per webhook`, each.webhookCents],
      [`${each.label}, per statement`, each.statementCents],
    ]),
    evidence: [toWebhookEvidence(webhook), ...differences.flatMap(({ evidence }) => evidence ?? [])],
  };
}

/** Compares figures of a statement. Closing balances change while it is open and are then not compared. */
function compareStatementFigures(reported: WebhookStatementFacts, recorded: StatementRecord): Disagreement[] {
  const differences: Disagreement[] = [];
  const evidence = toStatementEvidence(recorded);
  for (const [verb, label, field] of [
    ['opens at', 'Opening balance', 'starting_balance_in_cents'],
    ['closed at', 'Closing balance', 'ending_balance_in_cents'],
  ] as const) {
    if (field === 'ending_balance_in_cents' && (!reported.closed || recorded.closed_at === null)) continue;
    const [webhookCents, statementCents] = [reported[field], recorded[field]];
    if (webhookCents === null || statementCents === null || webhookCents === statementCents) continue;
    const text = `statement ${recorded.id} ${verb} ${formatMoney(webhookCents)}, but the statement shows ${formatMoney(statementCents)}`;
    differences.push({ text, label, webhookCents, statementCents, evidence });
  }
  return differences;
}

function compareTransaction(
  analysis: SubscriptionAnalysis,
  webhook: WebhookRecord,
  reported: WebhookTransactionFacts,
  context: RuleContext,
): Disagreement | null {
  const located = analysis.transactionsById.get(reported.id);
  if (located === undefined)
    return isMissing(analysis, webhook, reported, context) ? createMissingDisagreement(reported) : null;
  const { transaction, footing } = located;
  const text = context.suspectStatements.has(footing.statement.id)
    ? null
    : describeDifference(reported, transaction);
  if (text === null) return null;
  return {
    text,
    label: `Transaction ${reported.id}`,
    webhookCents: reported.amount_in_cents,
    statementCents: transaction.amount_in_cents,
    evidence: toTransactionEvidence(footing.statement.id, transaction),
  };
}

function describeDifference(reported: WebhookTransactionFacts, recorded: TransactionRecord): string | null {
  const [reportedCents, recordedCents] = [reported.amount_in_cents, recorded.amount_in_cents];
  if (reportedCents !== null && Math.abs(reportedCents) !== Math.abs(recordedCents))
    return `transaction ${reported.id} is ${formatMoney(reportedCents)}, but the statement shows ${formatMoney(recordedCents)}`;
  if (reported.success !== null && recorded.success !== null && reported.success !== recorded.success) {
    const describeSuccess = (success: boolean): string => (success ? 'succeeded' : 'failed');
    return `transaction ${reported.id} ${describeSuccess(reported.success)}, but the statement says it ${describeSuccess(recorded.success)}`;
  }
  if (reported.transaction_type === null || reported.transaction_type === recorded.transaction_type)
    return null;
  const reportedType = findTypeEffect({ transaction_type: reported.transaction_type, type: null });
  const recordedType = findTypeEffect(recorded);
  if (reportedType === null || recordedType === null || reportedType === recordedType) return null;
  return `transaction ${reported.id} is a ${reported.transaction_type}, but on the statement it is a ${recordedType.transaction_type}`;
}

/** Returns true if a reported transaction is on no statement, although statements read later should have it. */
function isMissing(
  analysis: SubscriptionAnalysis,
  webhook: WebhookRecord,
  reported: WebhookTransactionFacts,
  context: RuleContext,
): boolean {
  const { statement_id } = webhook.facts;
  if (!analysis.record.statements_complete || reported.amount_in_cents === 0) return false;
  if (statement_id !== null && context.suspectStatements.has(statement_id)) return false;
  if (statement_id !== null && isReportedAsGap(analysis, statement_id, context)) return false;
  return webhook.created_at !== null && isCoveredByStatements(analysis, webhook.created_at);
}

/** Returns true if a statement is missing and `period-gap` reports a time without a statement. */
const isReportedAsGap = (
  { footings, boundaries }: SubscriptionAnalysis,
  statement: number,
  context: RuleContext,
): boolean =>
  context.isRuleEnabled('period-gap') &&
  boundaries.some(({ transition }) => transition === 'gap') &&
  footings.every(({ statement: { id } }) => id !== statement);

function createMissingDisagreement(reported: WebhookTransactionFacts): Disagreement {
  const amount = reported.amount_in_cents === null ? '' : ` of ${formatMoney(reported.amount_in_cents)}`;
  return {
    text: `there is a transaction ${reported.id}${amount}, but no statement contains it`,
    label: `Transaction ${reported.id}`,
    webhookCents: reported.amount_in_cents,
    statementCents: reported.amount_in_cents === null ? null : 0,
    evidence: null,
  };
}
