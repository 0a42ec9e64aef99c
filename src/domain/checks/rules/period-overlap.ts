import type { RuleDefinition } from '../analysis/check-rule.ts';
import { createFinding, type Finding, toStatementEvidence } from '../analysis/finding.ts';
import { formatDuration, formatMoment } from '../analysis/message-text.ts';
import type { StatementBoundary } from '../analysis/statement-chain.ts';
import type { SubscriptionAnalysis } from '../analysis/subscription-analysis.ts';

export const periodOverlapRule: RuleDefinition = {
  id: 'period-overlap',
  version: 1,
  title: 'Statements overlap',
  severity: 'warning',
  scope: 'chain',
  explanation:
    'The periods of a subscription’s statements must not overlap. If two do, the same usage may be billed twice, ' +
    'and a transaction may be on the wrong statement. Compare the charges of both for the time they share.',
  remedy: null,
  check,
};

function check(analysis: SubscriptionAnalysis): Finding[] {
  return analysis.boundaries
    .filter(({ transition }) => transition === 'overlap')
    .map((overlap) => finding(analysis, overlap));
}

function finding(analysis: SubscriptionAnalysis, { before, after, gapMs }: StatementBoundary): Finding {
  const [earlier, later] = [before.statement, after.statement];
  const opening = `statement ${later.id} opened on ${formatMoment(later.opened_at ?? 0)}`;
  return createFinding(periodOverlapRule, {
    subject: { subscription_id: analysis.id, statement_id: later.id },
    identity: [`statement ${later.id}`, `with ${earlier.id}`],
    message:
      gapMs === null
        ? `Statement ${earlier.id} is still open although ${opening}.`
        : `Statement ${earlier.id} closed on ${formatMoment(earlier.closed_at ?? 0)}, but ${opening}: they overlap by ${formatDuration(gapMs)}.`,
    evidence: [toStatementEvidence(earlier), toStatementEvidence(later)],
  });
}
