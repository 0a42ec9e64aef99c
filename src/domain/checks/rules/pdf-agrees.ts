import type { RuleContext, RuleDefinition } from '../analysis/check-rule.ts';
import type { Finding } from '../analysis/finding.ts';
import { checkPrintedStatements } from '../analysis/printed-statement.ts';
import type { SubscriptionAnalysis } from '../analysis/subscription-analysis.ts';
import type { StatementRecord } from '../analysis/subscription-record.ts';

export const pdfAgreesRule: RuleDefinition = {
  id: 'pdf-agrees',
  version: 1,
  title: 'PDF shows different figures',
  severity: 'warning',
  scope: 'statement',
  explanation:
    'The PDF in the archive is the document that auditors and customers have. Its opening and closing balances ' +
    'must equal those of the statement’s fields. If they differ, the statement was changed after the PDF was ' +
    'created, or the PDF belongs to another statement. Download it again and compare.',
  remedy: null,
  check,
};

function check(analysis: SubscriptionAnalysis, context: RuleContext): Finding[] {
  const textOf = ({ pdf_text }: StatementRecord) => pdf_text;
  return checkPrintedStatements(analysis, context, {
    rule: pdfAgreesRule,
    noun: 'PDF',
    comparesLines: false,
    textOf,
  });
}
