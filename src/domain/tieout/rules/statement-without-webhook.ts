import type { Account } from '../account.ts';
import { statementWebhooks } from '../expectations.ts';
import { type Finding, makeFinding, statementEvidence } from '../finding.ts';
import { isMissed } from '../habits.ts';
import type { Look, Rule } from '../rule.ts';
import { moment, money } from '../words.ts';

export const statementWithoutWebhook: Rule = {
  id: 'statement-without-webhook',
  version: 2,
  title: 'Statement your books were not told of',
  severity: 'warning',
  scope: 'webhook',
  explanation:
    'When a statement closes, and again when it is settled later, the billing service sends your books a webhook. Where the log ' +
    'holds none, although it reaches back that far, books that take revenue or receivables from these webhooks lack the ' +
    'statement.',
  remedy: null,
  check,
};

function check(account: Account, { log, habits }: Look): Finding[] {
  if (log === null) return [];
  return statementWebhooks(account, log)
    .filter((expected) => isMissed(habits, expected))
    .map(({ footing: { statement }, event, at }) => {
      const closing = at === statement.closed_at;
      const balance = statement.ending_balance_in_cents;
      return makeFinding(statementWithoutWebhook, {
        subject: { subscription_id: account.id, statement_id: statement.id },
        identity: [`statement ${statement.id}`, closing ? 'closing' : 'settling'],
        difference_in_cents: balance,
        message:
          `Statement ${statement.id} ${closing ? 'closed' : 'was settled'} on ${moment(at)}` +
          `${balance === null ? '' : ` with a closing balance of ${money(balance)}`}, but no ${event} webhook tells of it.`,
        evidence: [statementEvidence(statement)],
      });
    });
}
