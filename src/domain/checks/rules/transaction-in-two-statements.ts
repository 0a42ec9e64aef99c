import type { RuleDefinition } from '../analysis/check-rule.ts';
import { type FindingDraft, toTransactionEvidence } from '../analysis/finding.ts';
import { formatMoney, joinList } from '../analysis/finding-message-text.ts';
import type { CrossSubscriptionMember } from '../analysis/subscription-record.ts';

export const transactionInTwoStatementsRule: RuleDefinition = {
  id: 'transaction-in-two-statements',
  version: 1,
  title: 'Transaction on two statements',
  severity: 'error',
  scope: 'payment',
  explanation:
    'A payment, or any other transaction, belongs to one statement. On two statements it is counted twice: by ' +
    'both statements and by every total across statements. A late payment belongs to the statement in which it was ' +
    'received. The statement that it settles only lists it under “future payments”, which is not reported here.',
  check(analysis) {
    const findings: FindingDraft[] = [];
    for (const occurrences of analysis.repeatedTransactions.values()) {
      findings.push(
        createRepeatedFinding(
          occurrences.map(({ footing, transaction }) => ({
            subscription_id: analysis.id,
            statement_id: footing.statement.id,
            transaction,
          })),
        ),
      );
    }
    return findings;
  },
  checkGroup({ by, members }) {
    if (by !== 'transaction_id') return [];
    const subscriptions = new Set(members.map(({ subscription_id }) => subscription_id));
    return subscriptions.size > 1 ? [createRepeatedFinding(members)] : [];
  },
};

function createRepeatedFinding(members: readonly CrossSubscriptionMember[]): FindingDraft {
  const occurrences = members.toSorted((a, b) => a.statement_id - b.statement_id);
  const [first, ...furtherOccurrences] = occurrences as [
    CrossSubscriptionMember,
    ...CrossSubscriptionMember[],
  ];
  const { transaction } = first;
  const isAcross = new Set(occurrences.map(({ subscription_id }) => subscription_id)).size > 1;
  const noun = transaction.transaction_type === 'payment' ? 'Payment' : 'Transaction';
  const statements = [...new Set(occurrences.map(({ statement_id }) => statement_id))];
  const occurrenceText =
    statements.length > 1
      ? `appears on statements ${joinList(statements)}`
      : `appears ${occurrences.length} times on statement ${first.statement_id}`;
  return {
    subject: {
      subscription_id: first.subscription_id,
      statement_id: furtherOccurrences.at(-1)?.statement_id ?? first.statement_id,
      transaction_id: transaction.id,
    },
    identity: [`transaction ${transaction.id}`, ...(isAcross ? ['across subscriptions'] : [])],
    difference_in_cents: Math.abs(transaction.amount_in_cents) * furtherOccurrences.length,
    message: `${noun} ${transaction.id} of ${formatMoney(transaction.amount_in_cents)} ${occurrenceText}.`,
    arithmetic: occurrences.map((member) => [
      `On statement ${member.statement_id}`,
      member.transaction.amount_in_cents,
    ]),
    evidence: occurrences.map((member) => toTransactionEvidence(member.statement_id, member.transaction)),
  };
}
