import type { RuleDefinition } from '../analysis/check-rule.ts';
import { type FindingDraft, toEventEvidence, toStatementEvidence } from '../analysis/finding.ts';
import { formatMoney } from '../analysis/finding-message-text.ts';
import { findEventsWithoutPayment, isCoveredByStatements } from '../analysis/record-coverage.ts';
import type { StatementFooting } from '../analysis/statement-footing.ts';
import type { SubscriptionAnalysis } from '../analysis/subscription-analysis.ts';
import type { EventRecord } from '../analysis/subscription-record.ts';

export const eventWithoutTransactionRule: RuleDefinition = {
  id: 'event-without-transaction',
  version: 1,
  title: 'Payment event without its transaction',
  severity: 'error',
  scope: 'payment',
  explanation:
    'The statement’s list of events says that a payment or refund succeeded, but no statement of the subscription ' +
    'contains the transaction. Either the transaction was removed later, or the event describes a payment that ' +
    'never happened. Check the payment gateway’s report.',
  check(analysis) {
    const findings: FindingDraft[] = [];
    for (const footing of analysis.footings) {
      if (footing.statement.events.length === 0) continue;
      for (const event of findEventsWithoutPayment(analysis, footing.statement))
        findings.push(
          createEventFinding(analysis, footing, event, `names transaction ${event.transaction_id}`),
        );
    }
    for (const [footing, event] of findUnnamedEvents(analysis))
      findings.push(createEventFinding(analysis, footing, event, 'reports a payment'));
    return findings;
  },
};

const HOUR_MS = 3_600_000;

/** Returns payment events without a transaction id that cannot be assigned to a payment within an hour. */
function findUnnamedEvents(analysis: SubscriptionAnalysis): [StatementFooting, EventRecord][] {
  if (!analysis.record.statements_complete) return [];
  const payments = analysis.payments.map(({ transaction }) => transaction.created_at ?? 0);
  const unmatched: [StatementFooting, EventRecord][] = [];
  for (const footing of analysis.footings) {
    for (const event of footing.statement.events) {
      if (event.key !== 'payment_success' || event.transaction_id !== null || event.created_at === null)
        continue;
      const at = event.created_at;
      const nearest = payments.findIndex((time) => Math.abs(time - at) <= HOUR_MS);
      if (nearest >= 0) payments.splice(nearest, 1);
      else if (isCoveredByStatements(analysis, at)) unmatched.push([footing, event]);
    }
  }
  return unmatched;
}

function createEventFinding(
  analysis: SubscriptionAnalysis,
  footing: StatementFooting,
  event: EventRecord,
  claim: string,
): FindingDraft {
  const { statement } = footing;
  const explained = (analysis.explanations.get(footing) ?? []).find(
    ({ rule }) => rule === eventWithoutTransactionRule.id,
  );
  const difference = explained?.cents ?? null;
  return {
    subject: { subscription_id: analysis.id, statement_id: statement.id, event_id: event.id },
    difference_in_cents: difference,
    message:
      `Event ${event.id} (${event.key}) on statement ${statement.id} ${claim}, which no statement contains` +
      `${difference === null ? '' : `; without it, the statement does not foot by ${formatMoney(Math.abs(difference))}`}.`,
    arithmetic: difference === null ? [] : [['Closing balance as stated less computed', difference]],
    evidence: [toEventEvidence(statement.id, event), toStatementEvidence(statement)],
  };
}
