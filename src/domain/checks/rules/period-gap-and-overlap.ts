import type { RuleDefinition } from '../analysis/check-rule.ts';
import { type FindingDraft, toStatementEvidence } from '../analysis/finding.ts';
import { formatDuration, formatInstant, formatMoney } from '../analysis/finding-message-text.ts';
import type { StatementBoundary } from '../analysis/statement-chain.ts';
import type { SubscriptionAnalysis } from '../analysis/subscription-analysis.ts';

export const periodGapRule: RuleDefinition = {
  id: 'period-gap',
  version: 1,
  title: 'Gap between statements',
  severity: 'warning',
  scope: 'chain',
  explanation:
    'The statements of an active subscription follow each other: when one closes, the next opens. A time that no ' +
    'statement covers may hide charges and payments. Times in which the subscription was canceled or on hold are ' +
    'not reported if the statements show them.',
  check(analysis) {
    if (!analysis.record.statements_complete) return [];
    return analysis.boundaries
      .filter(({ transition }) => transition === 'gap')
      .map((gap) => createGapFinding(analysis, gap));
  },
};

function createGapFinding(
  analysis: SubscriptionAnalysis,
  { before, after, gapMs, balanceStep }: StatementBoundary,
): FindingDraft {
  const [earlier, later] = [before.statement, after.statement];
  const balanceText =
    balanceStep === null || balanceStep === 0
      ? ''
      : `, and the balance changes by ${formatMoney(balanceStep)} across the gap`;
  return {
    subject: { subscription_id: analysis.id, statement_id: later.id },
    identity: [`statement ${later.id}`, `after ${earlier.id}`],
    expected_in_cents: balanceStep === null ? null : earlier.ending_balance_in_cents,
    actual_in_cents: balanceStep === null ? null : later.starting_balance_in_cents,
    message:
      `Statement ${earlier.id} closed on ${formatInstant(earlier.closed_at ?? 0)} and the next statement, ${later.id}, opened on ` +
      `${formatInstant(later.opened_at ?? 0)}. No statement covers the ${formatDuration(gapMs ?? 0)} in between${balanceText}.`,
    arithmetic: [
      [`Closing balance of statement ${earlier.id}`, earlier.ending_balance_in_cents],
      [`Opening balance of statement ${later.id}`, later.starting_balance_in_cents],
    ],
    evidence: [toStatementEvidence(earlier), toStatementEvidence(later)],
  };
}

export const periodOverlapRule: RuleDefinition = {
  id: 'period-overlap',
  version: 1,
  title: 'Statements overlap',
  severity: 'warning',
  scope: 'chain',
  explanation:
    'The periods of a subscription’s statements must not overlap. If two do, the same usage may be billed twice, ' +
    'and a transaction may be on the wrong statement. Compare the charges of both for the time they share.',
  check: (analysis) =>
    analysis.boundaries
      .filter(({ transition }) => transition === 'overlap')
      .map((overlap) => createOverlapFinding(analysis, overlap)),
};

function createOverlapFinding(analysis: SubscriptionAnalysis, { before, after, gapMs }: StatementBoundary) {
  const [earlier, later] = [before.statement, after.statement];
  const opening = `statement ${later.id} opened on ${formatInstant(later.opened_at ?? 0)}`;
  return {
    subject: { subscription_id: analysis.id, statement_id: later.id },
    identity: [`statement ${later.id}`, `with ${earlier.id}`],
    message:
      gapMs === null
        ? `Statement ${earlier.id} is still open although ${opening}.`
        : `Statement ${earlier.id} closed on ${formatInstant(earlier.closed_at ?? 0)}, but ${opening}: they overlap by ${formatDuration(gapMs)}.`,
    evidence: [toStatementEvidence(earlier), toStatementEvidence(later)],
  };
}
