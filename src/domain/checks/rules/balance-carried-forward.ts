import type { RuleContext, RuleDefinition } from '../analysis/check-rule.ts';
import { type FindingDraft, toStatementEvidence } from '../analysis/finding.ts';
import { formatMoney } from '../analysis/finding-message-text.ts';
import type { StatementBoundary } from '../analysis/statement-chain.ts';
import type { SubscriptionAnalysis } from '../analysis/subscription-analysis.ts';

export const balanceCarriedForwardRule: RuleDefinition = {
  id: 'balance-carried-forward',
  version: 1,
  title: 'Balance not carried forward',
  severity: 'error',
  scope: 'chain',
  explanation:
    'The balance at which one statement closes must be the opening balance of the next. If they differ, the ' +
    'balance changed in between without a transaction. Either a statement between the two is missing, or one of ' +
    'the two balances was changed later.',
  check(analysis, context) {
    const findings: FindingDraft[] = [];
    for (const boundary of analysis.boundaries) {
      if (boundary.balanceStep === null || boundary.balanceStep === 0) continue;
      if (areAdjacent(analysis, boundary, context) && !isClosingWrong(boundary, context))
        findings.push(createStepFinding(analysis, boundary));
    }
    return findings;
  },
};

function createStepFinding(
  analysis: SubscriptionAnalysis,
  { before, after }: StatementBoundary,
): FindingDraft {
  const [earlier, later] = [before.statement, after.statement];
  const closing = earlier.ending_balance_in_cents ?? 0;
  const opening = later.starting_balance_in_cents ?? 0;
  return {
    subject: { subscription_id: analysis.id, statement_id: later.id },
    identity: [`statement ${later.id}`, `after ${earlier.id}`],
    expected_in_cents: closing,
    actual_in_cents: opening,
    message:
      `Statement ${earlier.id} closes at ${formatMoney(closing)}, but the next statement, ${later.id}, opens at ${formatMoney(opening)}, ` +
      `a difference of ${formatMoney(opening - closing)}.`,
    arithmetic: [
      [`Closing balance of statement ${earlier.id}`, closing],
      [`Opening balance of statement ${later.id}`, opening],
      ['Difference', opening - closing],
    ],
    evidence: [toStatementEvidence(earlier), toStatementEvidence(later)],
  };
}

/** Returns true if no statement can be missing between two statements. A gap has a separate finding. */
function areAdjacent(
  analysis: SubscriptionAnalysis,
  { transition }: StatementBoundary,
  context: RuleContext,
): boolean {
  if (transition === 'joined') return true;
  if (!analysis.record.statements_complete || transition === 'pause') return false;
  return transition !== 'gap' || !context.isRuleEnabled('period-gap');
}

/** Returns true if `statement-foots` reports the earlier statement's closing balance as wrong. */
const isClosingWrong = ({ wrongBalance }: StatementBoundary, context: RuleContext): boolean =>
  wrongBalance === 'closing' && context.isRuleEnabled('statement-foots');
