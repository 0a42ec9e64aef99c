import type { RuleDefinition } from '../analysis/check-rule.ts';
import { type FindingDraft, toStatementEvidence } from '../analysis/finding.ts';
import { formatInstant, formatMoney } from '../analysis/finding-message-text.ts';
import type { StatementFooting } from '../analysis/statement-footing.ts';
import { findSettlementWithoutPayment, traceSettlement } from '../analysis/statement-settlement.ts';
import type { SubscriptionAnalysis } from '../analysis/subscription-analysis.ts';

export const settledWithoutPaymentRule: RuleDefinition = {
  id: 'settled-without-payment',
  version: 1,
  title: 'Settled without payment',
  severity: 'error',
  scope: 'payment',
  explanation:
    'The statement is marked as settled, but neither it nor any later statement shows enough payments and credits ' +
    'to cover the amount due. Revenue recorded as received may never have been received. Look for the payment at ' +
    'the gateway; if there is none, the statement is still open.',
  check(analysis) {
    const findings: FindingDraft[] = [];
    for (const [n, footing] of analysis.footings.entries()) {
      if (footing.difference === null || footing.statement.settled_at === null) continue;
      const unpaid = findSettlementWithoutPayment(analysis, n);
      if (unpaid !== null && isReportedHere(analysis, footing))
        findings.push(createUnpaidFinding(analysis, n, unpaid));
    }
    return findings;
  },
};

/** Returns false if the statement does not foot for a reason that another rule reports. */
function isReportedHere(analysis: SubscriptionAnalysis, footing: StatementFooting): boolean {
  if (footing.difference === 0) return true;
  const explained = analysis.explanations.get(footing) ?? [];
  return explained.some(
    ({ rule }) => rule === settledWithoutPaymentRule.id || rule === 'balance-carried-forward',
  );
}

function createUnpaidFinding(
  analysis: SubscriptionAnalysis,
  n: number,
  { due, missing }: { due: number; missing: number },
): FindingDraft {
  const footing = analysis.footings[n] as StatementFooting;
  const { statement } = footing;
  const { paidSinceClose, futurePayments } = traceSettlement(due, footing, analysis.footings.slice(n + 1));
  return {
    subject: { subscription_id: analysis.id, statement_id: statement.id },
    expected_in_cents: due,
    actual_in_cents: due - missing,
    message:
      `Statement ${statement.id} is marked as settled on ${formatInstant(statement.settled_at ?? 0)} with ${formatMoney(due)} due, but only ` +
      `${formatMoney(due - missing)} was paid or credited. ${formatMoney(missing)} is missing.`,
    arithmetic: [
      ['Due when the statement closed', due],
      ['Less: payments and credits up to the settlement', -paidSinceClose],
      ['Less: listed as future payments', -futurePayments],
      ['Not paid or credited', missing],
    ],
    evidence: [toStatementEvidence(statement)],
  };
}
