import type { RuleContext, RuleDefinition } from '../analysis/check-rule.ts';
import type { Finding } from '../analysis/finding.ts';
import { checkPrintedStatements } from '../analysis/printed-statement.ts';
import type { SubscriptionAnalysis } from '../analysis/subscription-analysis.ts';
import type { StatementRecord } from '../analysis/subscription-record.ts';

export const textAgreesRule: RuleDefinition = {
  id: 'text-agrees',
  version: 1,
  title: 'Statement text shows different figures',
  severity: 'warning',
  scope: 'statement',
  explanation:
    'The billing service also sends each statement as text, which the customer may have read. Its balances, ' +
    'totals and line amounts must equal those of the statement’s fields. Only figures that can be identified with ' +
    'certainty are compared. If they differ, one of the two was changed after the other was created.',
  remedy: null,
  check,
};

function check(analysis: SubscriptionAnalysis, context: RuleContext): Finding[] {
  const textOf = ({ text_view }: StatementRecord) => text_view;
  return checkPrintedStatements(analysis, context, {
    rule: textAgreesRule,
    noun: 'text',
    comparesLines: true,
    textOf,
  });
}
