import type { RuleDefinition } from '../analysis/check-rule.ts';
import { checkPrintedStatements, type PrintCheck } from '../analysis/printed-statement.ts';

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
  check(analysis, context) {
    const print: PrintCheck = { noun: 'text', comparesLines: true, textOf: ({ text_view }) => text_view };
    return checkPrintedStatements(analysis, context, print);
  },
};

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
  check(analysis, context) {
    const print: PrintCheck = { noun: 'PDF', comparesLines: false, textOf: ({ pdf_text }) => pdf_text };
    return checkPrintedStatements(analysis, context, print);
  },
};
