import type { RuleDefinition } from '../analysis/check-rule.ts';
import { createFinding, type Finding, toStatementEvidence } from '../analysis/finding.ts';
import { createArithmeticLine, formatDuration, formatMoment, formatMoney } from '../analysis/message-text.ts';
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
    'not reported, as far as the statements show them.',
  remedy: null,
  check,
};

function check(analysis: SubscriptionAnalysis): Finding[] {
  if (!analysis.record.statements_complete) return [];
  return analysis.boundaries
    .filter(({ transition }) => transition === 'gap')
    .map((gap) => finding(analysis, gap));
}

function finding(
  analysis: SubscriptionAnalysis,
  { before, after, gapMs, balanceStep }: StatementBoundary,
): Finding {
  const [earlier, later] = [before.statement, after.statement];
  const balanceText =
    balanceStep === null || balanceStep === 0
      ? ''
      : `, and the balance changes by ${formatMoney(balanceStep)} across the gap`;
  return createFinding(periodGapRule, {
    subject: { subscription_id: analysis.id, statement_id: later.id },
    identity: [`statement ${later.id}`, `after ${earlier.id}`],
    expected_in_cents: balanceStep === null ? null : earlier.ending_balance_in_cents,
    actual_in_cents: balanceStep === null ? null : later.starting_balance_in_cents,
    message:
      `Statement ${earlier.id} closed on ${formatMoment(earlier.closed_at ?? 0)} and the next statement, ${later.id}, opened on ` +
      `${formatMoment(later.opened_at ?? 0)}. No statement covers the ${formatDuration(gapMs ?? 0)} in between${balanceText}.`,
    arithmetic: [
      createArithmeticLine(`Closing balance of statement ${earlier.id}`, earlier.ending_balance_in_cents),
      createArithmeticLine(`Opening balance of statement ${later.id}`, later.starting_balance_in_cents),
    ],
    evidence: [toStatementEvidence(earlier), toStatementEvidence(later)],
  });
}
