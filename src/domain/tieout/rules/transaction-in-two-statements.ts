import type { Account } from '../account.ts';
import { type Finding, makeFinding, transactionEvidence } from '../finding.ts';
import type { AcrossGroup, AcrossMember } from '../record.ts';
import type { Rule } from '../rule.ts';
import { line, listed, money } from '../words.ts';

export const transactionInTwoStatements: Rule = {
  id: 'transaction-in-two-statements',
  version: 1,
  title: 'Payment on two statements',
  severity: 'error',
  scope: 'payment',
  explanation:
    'A payment, or any other transaction, belongs to one statement. Standing on two it is counted twice: by each of them, and by ' +
    'every total over statements. A late payment stands on the statement it was received in, and is only mentioned under ' +
    '“future payments” by the one it settles; that mention is not meant here.',
  remedy: null,
  check,
  checkGroup,
};

function check(account: Account): Finding[] {
  const found: Finding[] = [];
  for (const places of account.shared.values()) {
    found.push(
      finding(
        places.map(({ footing, transaction }) => ({
          subscription_id: account.id,
          statement_id: footing.statement.id,
          transaction,
        })),
      ),
    );
  }
  return found;
}

/** One transaction on statements of different subscriptions. */
function checkGroup({ by, members }: AcrossGroup): Finding[] {
  if (by !== 'transaction_id') return [];
  const subscriptions = new Set(members.map(({ subscription_id }) => subscription_id));
  return subscriptions.size > 1 ? [finding(members)] : [];
}

function finding(members: readonly AcrossMember[]): Finding {
  const places = members.toSorted((a, b) => a.statement_id - b.statement_id);
  const [first, ...rest] = places as [AcrossMember, ...AcrossMember[]];
  const { transaction } = first;
  const across = new Set(places.map(({ subscription_id }) => subscription_id)).size > 1;
  const noun = transaction.transaction_type === 'payment' ? 'Payment' : 'Transaction';
  const statements = [...new Set(places.map(({ statement_id }) => statement_id))];
  const where =
    statements.length > 1
      ? `stands on statements ${listed(statements)}`
      : `stands ${places.length} times on statement ${first.statement_id}`;
  return makeFinding(transactionInTwoStatements, {
    subject: {
      subscription_id: first.subscription_id,
      statement_id: rest.at(-1)?.statement_id ?? first.statement_id,
      transaction_id: transaction.id,
    },
    identity: [`transaction ${transaction.id}`, ...(across ? ['across subscriptions'] : [])],
    difference_in_cents: Math.abs(transaction.amount_in_cents) * rest.length,
    message: `${noun} ${transaction.id} of ${money(transaction.amount_in_cents)} ${where}.`,
    arithmetic: places.map((member) =>
      line(`On statement ${member.statement_id}`, member.transaction.amount_in_cents),
    ),
    evidence: places.map((member) => transactionEvidence(member.statement_id, member.transaction)),
  });
}
