import type { RuleContext, RuleDefinition } from '../analysis/check-rule.ts';
import { expectStatementWebhooks } from '../analysis/expectations.ts';
import { createFinding, type Finding, toStatementEvidence } from '../analysis/finding.ts';
import { formatMoment, formatMoney } from '../analysis/message-text.ts';
import { isMissingByHabit } from '../analysis/site-habits.ts';
import type { SubscriptionAnalysis } from '../analysis/subscription-analysis.ts';

export const statementWithoutWebhookRule: RuleDefinition = {
  id: 'statement-without-webhook',
  version: 2,
  title: 'Statement without webhook',
  severity: 'warning',
  scope: 'webhook',
  explanation:
    'When a statement closes, and again if it is settled later, the billing service sends your accounting system ' +
    'a webhook. If the webhook log covers the time but contains none, a system that records revenue or ' +
    'receivables from these webhooks does not have the statement.',
  remedy: null,
  check,
};

function check(analysis: SubscriptionAnalysis, { webhookLog, habits }: RuleContext): Finding[] {
  if (webhookLog === null) return [];
  return expectStatementWebhooks(analysis, webhookLog)
    .filter((expected) => isMissingByHabit(habits, expected))
    .map(({ footing: { statement }, event, expectedAt }) => {
      const isClosing = expectedAt === statement.closed_at;
      const balance = statement.ending_balance_in_cents;
      return createFinding(statementWithoutWebhookRule, {
        subject: { subscription_id: analysis.id, statement_id: statement.id },
        identity: [`statement ${statement.id}`, isClosing ? 'closing' : 'settling'],
        difference_in_cents: balance,
        message:
          `Statement ${statement.id} ${isClosing ? 'closed' : 'was settled'} on ${formatMoment(expectedAt)}` +
          `${balance === null ? '' : ` with a closing balance of ${formatMoney(balance)}`}, but no ${event} webhook reports it.`,
        evidence: [toStatementEvidence(statement)],
      });
    });
}
