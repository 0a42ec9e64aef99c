import { isSuccessfulRefund } from '../../ledger/index.ts';
import type { RuleDefinition } from '../analysis/check-rule.ts';
import {
  expectPaymentEvents,
  expectPaymentWebhooks,
  expectStatementWebhooks,
} from '../analysis/expected-events.ts';
import { toStatementEvidence, toTransactionEvidence, toTransactionSubject } from '../analysis/finding.ts';
import { formatInstant, formatMoney } from '../analysis/finding-message-text.ts';
import { isUnexpectedlyMissing } from '../analysis/site-habits.ts';

export const paymentWithoutEventRule: RuleDefinition = {
  id: 'payment-without-event',
  version: 2,
  title: 'Payment without its event',
  severity: 'notice',
  scope: 'payment',
  explanation:
    'On this site, a statement lists an event for each successful payment of this kind. A payment without an ' +
    'event may have been entered in a different way. Check at the gateway or the bank that the money arrived.',
  check: (analysis, { habits }) =>
    expectPaymentEvents(analysis)
      .filter((expected) => isUnexpectedlyMissing(habits, expected))
      .map(({ payment, payment: { footing, transaction } }) => ({
        subject: toTransactionSubject(analysis.id, payment),
        difference_in_cents: Math.abs(transaction.amount_in_cents),
        message:
          `Payment ${transaction.id} of ${formatMoney(transaction.amount_in_cents)} on statement ${footing.statement.id} has no ` +
          'payment_success event, unlike the other payments.',
        arithmetic: [[`Payment ${transaction.id}`, transaction.amount_in_cents]],
        evidence: [toTransactionEvidence(footing.statement.id, transaction)],
      })),
};

export const paymentWithoutWebhookRule: RuleDefinition = {
  id: 'payment-without-webhook',
  version: 2,
  title: 'Payment without webhook',
  severity: 'error',
  scope: 'payment',
  explanation:
    'The billing service reports each payment and refund to your accounting system by webhook. If the webhook log ' +
    'covers that time but contains no such webhook, delivered or failed, your accounting system has no record of the ' +
    'money. There is no webhook to replay, so enter the transaction manually.',
  check(analysis, { webhookLog, habits }) {
    if (webhookLog === null) return [];
    return expectPaymentWebhooks(analysis, webhookLog)
      .filter((expected) => isUnexpectedlyMissing(habits, expected))
      .map(({ payment, payment: { footing, transaction } }) => {
        const noun = isSuccessfulRefund(transaction) ? 'Refund' : 'Payment';
        return {
          subject: toTransactionSubject(analysis.id, payment),
          difference_in_cents: Math.abs(transaction.amount_in_cents),
          message:
            `${noun} ${transaction.id} of ${formatMoney(transaction.amount_in_cents)} on ${formatInstant(transaction.created_at ?? 0)} ` +
            'was reported by no webhook, so your accounting system does not know of it.',
          arithmetic: [[`${noun} ${transaction.id}`, transaction.amount_in_cents]],
          evidence: [toTransactionEvidence(footing.statement.id, transaction)],
        };
      });
  },
};

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
  check(analysis, { webhookLog, habits }) {
    if (webhookLog === null) return [];
    return expectStatementWebhooks(analysis, webhookLog)
      .filter((expected) => isUnexpectedlyMissing(habits, expected))
      .map(({ footing: { statement }, event, expectedAt }) => {
        const isClosing = expectedAt === statement.closed_at;
        const balance = statement.ending_balance_in_cents;
        return {
          subject: { subscription_id: analysis.id, statement_id: statement.id },
          identity: [`statement ${statement.id}`, isClosing ? 'closing' : 'settling'],
          difference_in_cents: balance,
          message:
            `Statement ${statement.id} ${isClosing ? 'closed' : 'was settled'} on ${formatInstant(expectedAt)}` +
            `${balance === null ? '' : ` with a closing balance of ${formatMoney(balance)}`}, but no ${event} webhook reports it.`,
          evidence: [toStatementEvidence(statement)],
        };
      });
  },
};
