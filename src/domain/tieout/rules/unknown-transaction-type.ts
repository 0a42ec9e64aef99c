import { effectRowOf } from '../../ledger/index.ts';
import type { Account } from '../account.ts';
import { type Finding, makeFinding, transactionEvidence } from '../finding.ts';
import type { TransactionRecord } from '../record.ts';
import type { Rule } from '../rule.ts';
import { line, money } from '../words.ts';

export const unknownTransactionType: Rule = {
  id: 'unknown-transaction-type',
  version: 1,
  title: 'Transaction of an unknown type',
  severity: 'warning',
  scope: 'statement',
  explanation:
    'Each type of transaction is known to raise a customer’s balance, to lower it, or to leave it as it is. The effect of ' +
    'a type that is not known here is not guessed. A statement that holds one cannot be footed until someone has found out what ' +
    'it is.',
  remedy: null,
  check,
};

function check(account: Account): Finding[] {
  const found: Finding[] = [];
  for (const footing of account.footings) {
    if (!footing.effects.includes(null)) continue;
    const { statement } = footing;
    for (const transaction of footing.transactions) {
      if (effectRowOf(transaction) !== null) continue;
      found.push(
        makeFinding(unknownTransactionType, {
          subject: {
            subscription_id: account.id,
            statement_id: statement.id,
            transaction_id: transaction.id,
          },
          difference_in_cents: transaction.amount_in_cents,
          message:
            `Transaction ${transaction.id} of ${money(transaction.amount_in_cents)} on statement ${statement.id} ` +
            `${typeInWords(transaction)}, whose effect on the balance is not known.`,
          arithmetic: [
            line('Amount as sent', transaction.amount_in_cents),
            line('Balance before, as sent', transaction.starting_balance_in_cents),
            line('Balance after, as sent', transaction.ending_balance_in_cents),
          ],
          evidence: [transactionEvidence(statement.id, transaction)],
        }),
      );
    }
  }
  return found;
}

function typeInWords({ transaction_type, type, kind }: TransactionRecord): string {
  const names = [...new Set([transaction_type, type].filter((name) => name !== null && name !== ''))];
  if (names.length === 0) return 'says no type';
  const both = names.map((name) => `“${name}”`).join(' and ');
  return kind === null ? `is of type ${both}` : `is of type ${both}, kind “${kind}”`;
}
