import type { Account } from '../account.ts';
import type { Finding } from '../finding.ts';
import { printFindings } from '../printed.ts';
import type { Look, Rule } from '../rule.ts';

export const pdfAgrees: Rule = {
  id: 'pdf-agrees',
  version: 1,
  title: 'Statement’s PDF shows other figures',
  severity: 'warning',
  scope: 'statement',
  explanation:
    'The PDF in the archive is the document that auditors and customers hold. Its opening and closing balance must be those of the ' +
    'statement’s own fields. Where they differ, the statement was changed after the PDF was made, or the PDF is not of this ' +
    'statement; fetch it again and compare.',
  remedy: null,
  check,
};

function check(account: Account, look: Look): Finding[] {
  const print = { noun: 'PDF', lines: false };
  return printFindings(pdfAgrees, account, look, ({ pdf_text }) => pdf_text, print);
}
