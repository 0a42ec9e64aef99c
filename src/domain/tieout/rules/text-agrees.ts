import type { Account } from '../account.ts';
import type { Finding } from '../finding.ts';
import { printFindings } from '../printed.ts';
import type { Look, Rule } from '../rule.ts';

export const textAgrees: Rule = {
  id: 'text-agrees',
  version: 1,
  title: 'Statement’s text shows other figures',
  severity: 'warning',
  scope: 'statement',
  explanation:
    'The billing service also sends each statement as text, which is what the customer may have read. Its balances, totals and line ' +
    'amounts must be those of the statement’s own fields. Only figures that can be recognised beyond doubt are compared; where ' +
    'they differ, one of the two was changed after the other was made.',
  remedy: null,
  check,
};

function check(account: Account, look: Look): Finding[] {
  const print = { noun: 'text', lines: true };
  return printFindings(textAgrees, account, look, ({ text_view }) => text_view, print);
}
