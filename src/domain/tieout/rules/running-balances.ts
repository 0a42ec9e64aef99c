import { type Account, unexplained } from '../account.ts';
import { failedCounted } from '../explain.ts';
import { type Finding, makeFinding, statementEvidence, transactionEvidence } from '../finding.ts';
import { type Break, type Footing, runningBreaks } from '../footing.ts';
import { copiesIn } from '../payments.ts';
import type { TransactionRecord } from '../record.ts';
import type { Look, Rule } from '../rule.ts';
import { counted, line, money } from '../words.ts';

export const runningBalances: Rule = {
  id: 'running-balances',
  version: 1,
  title: 'Running balances do not run on',
  severity: 'error',
  scope: 'statement',
  explanation:
    'Every transaction carries the balance before it and the balance after it. Each must begin where the one before ended, and move ' +
    'the balance by its own amount, in the direction of its type. Where that chain breaks, a transaction was changed, removed ' +
    'or put in after the balances had been struck, even if the statement as a whole still foots.',
  remedy: null,
  check,
};

function check(account: Account, look: Look): Finding[] {
  const found: Finding[] = [];
  for (const [n, footing] of account.footings.entries()) {
    const all = runningBreaks(footing);
    if (all.length === 0) continue;
    const failed = look.on('failed-payment-counted') ? failedCounted(footing) : [];
    const breaks = all.filter(
      (each) =>
        !isReportedElsewhere(account, footing, n, each) &&
        !(each.where === 'movement' && failed.includes(each.transaction)),
    );
    const inside = breaks.filter(({ where }) => where === 'movement' || where === 'link');
    // A statement that does not foot breaks once, where its difference lies; `statement-foots` tells of that.
    const silent = unexplained(account, footing) !== 0 ? inside.length < 2 : breaks.length === 0;
    if (silent || isMadeWholeWithoutCopies(account, footing)) continue;
    found.push(brokenChain(account, footing, breaks));
  }
  return found;
}

function brokenChain(account: Account, footing: Footing, breaks: readonly Break[]): Finding {
  const { statement } = footing;
  const first = breaks[0] as Break;
  const rest = breaks.length - 1;
  const transactions = [...new Set(breaks.map(({ transaction }) => transaction))];
  return makeFinding(runningBalances, {
    subject: {
      subscription_id: account.id,
      statement_id: statement.id,
      ...(transactions.length === 1 && { transaction_id: first.transaction.id }),
    },
    identity: [`statement ${statement.id}`],
    expected_in_cents: first.expected,
    actual_in_cents: first.actual,
    message: `${inWords(first, statement.id)}${rest > 0 ? `, and ${counted(rest, 'further break')} follows from it or stands beside it` : ''}.`,
    arithmetic: breaks.flatMap((each) => [
      line(`${labels[each.where]} ${each.transaction.id}: expected`, each.expected),
      line(`${labels[each.where]} ${each.transaction.id}: as sent`, each.actual),
    ]),
    evidence: [
      statementEvidence(statement),
      ...transactions.map((transaction) => transactionEvidence(statement.id, transaction)),
    ],
  });
}

const labels: Record<Break['where'], string> = {
  opening: 'Balance before the first transaction',
  movement: 'Movement by transaction',
  link: 'Balance before transaction',
  closing: 'Balance after the last transaction',
};

function inWords({ where, transaction, expected, actual }: Break, statement: number): string {
  const [should, does] = [money(expected), money(actual)];
  switch (where) {
    case 'opening':
      return `Statement ${statement} opens at ${should}, but its first transaction, ${transaction.id}, begins at ${does}`;
    case 'movement':
      return `Transaction ${transaction.id} on statement ${statement} should move the balance by ${should}, but its balances move by ${does}`;
    case 'link':
      return `Transaction ${transaction.id} on statement ${statement} should begin at ${should}, where the one before it ended, but begins at ${does}`;
    case 'closing':
      return `The last transaction on statement ${statement}, ${transaction.id}, ends at ${should}, but the statement closes at ${does}`;
  }
}

/** Breaks another rule tells of: an opening balance that was not carried forward, a transaction that is missing. */
function isReportedElsewhere(account: Account, footing: Footing, n: number, found: Break): boolean {
  const explained = account.explanations.get(footing) ?? [];
  if (found.where === 'opening' && account.boundaries[n - 1]?.blame === 'opening') {
    return explained.some(({ rule }) => rule === 'balance-carried-forward');
  }
  return (
    (found.where === 'closing' || found.where === 'link') && explained.some(({ rule }) => absent.has(rule))
  );
}

/** Rules that find a transaction to be missing: where it is missing, the chain has a gap. */
const absent = new Set(['event-without-transaction', 'settled-without-payment']);

/** Written down twice, a transaction stands in the chain once; without its copies the chain is whole. */
function isMadeWholeWithoutCopies(account: Account, footing: Footing): boolean {
  const copies = new Set<TransactionRecord>(copiesIn(account, footing).map(({ place }) => place.transaction));
  return copies.size > 0 && runningBreaks(footing, copies).length === 0;
}
