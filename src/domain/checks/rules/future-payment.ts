import { isSuccessfulPayment } from '../../ledger/index.ts';
import type { RuleDefinition } from '../analysis/check-rule.ts';
import { expectFuturePayments } from '../analysis/expected-events.ts';
import { type FindingDraft, toStatementEvidence, toTransactionEvidence } from '../analysis/finding.ts';
import { formatMoney } from '../analysis/finding-message-text.ts';
import { isCoveredByStatements } from '../analysis/record-coverage.ts';
import { isUnexpectedlyMissing } from '../analysis/site-habits.ts';
import type { StatementFooting } from '../analysis/statement-footing.ts';
import type { SubscriptionAnalysis } from '../analysis/subscription-analysis.ts';
import type { FuturePaymentRecord } from '../analysis/subscription-record.ts';

export const futurePaymentRule: RuleDefinition = {
  id: 'future-payment',
  version: 2,
  title: 'Incorrect future payment',
  severity: 'warning',
  scope: 'payment',
  explanation:
    'A statement paid late lists the payments that settled it as “future payments”. Each must appear as a ' +
    'successful payment of the same amount on a later statement. If one does not, or if a payment that settled ' +
    'the statement is not listed, the two statements contradict each other.',
  check(analysis, { habits }) {
    const findings: FindingDraft[] = [];
    for (const [n, footing] of analysis.footings.entries()) {
      for (const payment of footing.statement.future_payments) {
        const error = findFuturePaymentError(analysis, n, payment);
        if (error !== null) findings.push(createErrorFinding(analysis, footing, payment, error));
      }
    }
    for (const expected of expectFuturePayments(analysis))
      if (isUnexpectedlyMissing(habits, expected))
        findings.push(createUnlistedFinding(analysis, expected.footing, expected.payment));
    return findings;
  },
};

interface FuturePaymentError {
  readonly problem: string;
  readonly actual: number | null;
  readonly footing: StatementFooting | null;
}

function findFuturePaymentError(analysis: SubscriptionAnalysis, n: number, payment: FuturePaymentRecord) {
  if (payment.id === null) return null;
  const first = analysis.transactionsById.get(payment.id);
  if (first === undefined) {
    const isCovered = payment.created_at !== null && isCoveredByStatements(analysis, payment.created_at);
    if (!isCovered || !analysis.record.statements_complete) return null;
    return { problem: 'no later statement contains it', actual: 0, footing: null };
  }
  const all = analysis.repeatedTransactions.get(payment.id) ?? [first];
  const { footing, transaction } = all.find((each) => analysis.footings.indexOf(each.footing) > n) ?? first;
  const actual = Math.abs(transaction.amount_in_cents);
  const statementId = footing.statement.id;
  if (!isSuccessfulPayment(transaction))
    return { problem: `on statement ${statementId} it is not a successful payment`, actual: 0, footing };
  if (analysis.footings.indexOf(footing) <= n)
    return { problem: `it is on statement ${statementId}, which is not later`, actual, footing };
  if (payment.amount_in_cents !== null && Math.abs(payment.amount_in_cents) !== actual)
    return { problem: `on statement ${statementId} its amount is ${formatMoney(actual)}`, actual, footing };
  return null;
}

function createErrorFinding(
  analysis: SubscriptionAnalysis,
  { statement }: StatementFooting,
  payment: FuturePaymentRecord,
  { problem, actual, footing }: FuturePaymentError,
): FindingDraft {
  const amount = payment.amount_in_cents === null ? null : Math.abs(payment.amount_in_cents);
  const transaction = footing?.transactions.find(({ id }) => id === payment.id);
  return {
    subject: {
      subscription_id: analysis.id,
      statement_id: statement.id,
      ...(payment.id !== null && { transaction_id: payment.id }),
    },
    expected_in_cents: amount,
    actual_in_cents: actual,
    message:
      `Statement ${statement.id} lists payment ${payment.id}${amount === null ? '' : ` of ${formatMoney(amount)}`} ` +
      `as a future payment, but ${problem}.`,
    arithmetic: [
      ['Amount listed under future payments', amount],
      ['Amount recorded', actual],
    ],
    evidence: [
      toStatementEvidence(statement),
      ...(transaction && footing ? [toTransactionEvidence(footing.statement.id, transaction)] : []),
    ],
  };
}

function createUnlistedFinding(
  analysis: SubscriptionAnalysis,
  { statement }: StatementFooting,
  payment: SubscriptionAnalysis['payments'][number],
): FindingDraft {
  const { transaction, footing } = payment;
  const amount = Math.abs(transaction.amount_in_cents);
  return {
    subject: { subscription_id: analysis.id, statement_id: statement.id, transaction_id: transaction.id },
    identity: [`statement ${statement.id}`, `transaction ${transaction.id}`, 'unlisted'],
    difference_in_cents: amount,
    message:
      `Statement ${statement.id} was settled by payment ${transaction.id} of ${formatMoney(amount)} on statement ` +
      `${footing.statement.id}, but does not list it under future payments.`,
    arithmetic: [
      ['Due when the statement closed', statement.ending_balance_in_cents],
      [`Payment ${transaction.id} on statement ${footing.statement.id}`, -amount],
    ],
    evidence: [toStatementEvidence(statement), toTransactionEvidence(footing.statement.id, transaction)],
  };
}
