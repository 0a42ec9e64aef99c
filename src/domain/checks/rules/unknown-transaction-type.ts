import { findTypeEffect } from '../../ledger/index.ts';
import type { RuleDefinition } from '../analysis/check-rule.ts';
import { type FindingDraft, toTransactionEvidence } from '../analysis/finding.ts';
import { formatMoney } from '../analysis/finding-message-text.ts';
import type { TransactionRecord } from '../analysis/subscription-record.ts';

export const unknownTransactionTypeRule: RuleDefinition = {
  id: 'unknown-transaction-type',
  version: 1,
  title: 'Transaction of an unknown type',
  severity: 'warning',
  scope: 'statement',
  explanation:
    'Each known type of transaction raises a customer’s balance, lowers it or leaves it unchanged. The effect of ' +
    'an unknown type is not guessed. A statement with such a transaction cannot be footed until its effect is ' +
    'known.',
  check(analysis) {
    const findings: FindingDraft[] = [];
    for (const footing of analysis.footings) {
      if (!footing.effects.includes(null)) continue;
      const { statement } = footing;
      for (const transaction of footing.transactions) {
        if (findTypeEffect(transaction) !== null) continue;
        findings.push({
          subject: {
            subscription_id: analysis.id,
            statement_id: statement.id,
            transaction_id: transaction.id,
          },
          difference_in_cents: transaction.amount_in_cents,
          message:
            `Transaction ${transaction.id} of ${formatMoney(transaction.amount_in_cents)} on statement ${statement.id} ` +
            `${describeType(transaction)}, whose effect on the balance is unknown.`,
          arithmetic: [
            ['Amount as reported', transaction.amount_in_cents],
            ['Balance before, as reported', transaction.starting_balance_in_cents],
            ['Balance after, as reported', transaction.ending_balance_in_cents],
          ],
          evidence: [toTransactionEvidence(statement.id, transaction)],
        });
      }
    }
    return findings;
  },
};

function describeType({ transaction_type, type, kind }: TransactionRecord): string {
  const names = [...new Set([transaction_type, type].filter((name) => name !== null && name !== ''))];
  if (names.length === 0) return 'has no type';
  const both = names.map((name) => `“${name}”`).join(' and ');
  return kind === null ? `is of type ${both}` : `is of type ${both}, kind “${kind}”`;
}
