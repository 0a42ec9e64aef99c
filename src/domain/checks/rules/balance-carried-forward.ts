import type { RuleContext, RuleDefinition } from '../analysis/check-rule.ts';
import { createFinding, type Finding, toStatementEvidence } from '../analysis/finding.ts';
import { createArithmeticLine, formatMoney } from '../analysis/message-text.ts';
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
  remedy: null,
  check,
};

function check(analysis: SubscriptionAnalysis, context: RuleContext): Finding[] {
  const findings: Finding[] = [];
  for (const boundary of analysis.boundaries) {
    if (boundary.balanceStep === null || boundary.balanceStep === 0) continue;
    if (areAdjacent(analysis, boundary, context) && !isClosingWrong(boundary, context)) {
      findings.push(createStepFinding(analysis, boundary));
    }
  }
  return findings;
}

function createStepFinding(analysis: SubscriptionAnalysis, { before, after }: StatementBoundary): Finding {
  const [earlier, later] = [before.statement, after.statement];
  const closing = earlier.ending_balance_in_cents ?? 0;
  const opening = later.starting_balance_in_cents ?? 0;
  return createFinding(balanceCarriedForwardRule, {
    subject: { subscription_id: analysis.id, statement_id: later.id },
    identity: [`statement ${later.id}`, `after ${earlier.id}`],
    expected_in_cents: closing,
    actual_in_cents: opening,
    message:
      `Statement ${earlier.id} closes at ${formatMoney(closing)}, but the next statement, ${later.id}, opens at ${formatMoney(opening)}, ` +
      `a difference of ${formatMoney(opening - closing)}.`,
    arithmetic: [
      createArithmeticLine(`Closing balance of statement ${earlier.id}`, closing),
      createArithmeticLine(`Opening balance of statement ${later.id}`, opening),
      createArithmeticLine('Difference', opening - closing),
    ],
    evidence: [toStatementEvidence(earlier), toStatementEvidence(later)],
  });
}

/**
 * Returns true if no statement can be missing between two statements. A gap has a separate finding, which also reports
 * the balances.
 */
function areAdjacent(
  analysis: SubscriptionAnalysis,
  { transition }: StatementBoundary,
  context: RuleContext,
): boolean {
  if (transition === 'joined') return true;
  if (!analysis.record.statements_complete || transition === 'pause') return false;
  return transition !== 'gap' || !context.isRuleEnabled('period-gap');
}

/**
 * Returns true if the earlier statement's closing balance is wrong by the difference, which `statement-foots` reports.
 */
function isClosingWrong({ wrongBalance }: StatementBoundary, context: RuleContext): boolean {
  return wrongBalance === 'closing' && context.isRuleEnabled('statement-foots');
}
