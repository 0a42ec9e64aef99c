import type { Account } from '../account.ts';
import { type Finding, makeFinding, statementEvidence } from '../finding.ts';
import type { Footing } from '../footing.ts';
import type { Rule } from '../rule.ts';
import { settlementOf, unpaidSettlement } from '../settlement.ts';
import { line, moment, money } from '../words.ts';

export const settledWithoutPayment: Rule = {
  id: 'settled-without-payment',
  version: 1,
  title: 'Settled without payment',
  severity: 'error',
  scope: 'payment',
  explanation:
    'The statement is marked as settled, but neither it nor any later one shows enough payments and credits to cover what was due. ' +
    'Revenue counted as received may never have been. Look for the payment at the gateway; if there is none, the statement is ' +
    'still open.',
  remedy: null,
  check,
};

function check(account: Account): Finding[] {
  const found: Finding[] = [];
  for (const [n, footing] of account.footings.entries()) {
    if (footing.difference === null || footing.statement.settled_at === null) continue;
    const unpaid = unpaidSettlement(account, n);
    if (unpaid !== null && isReportedHere(account, footing)) found.push(finding(account, n, unpaid));
  }
  return found;
}

/** One that does not foot is reported here only where the missing payment is why. */
function isReportedHere(account: Account, footing: Footing): boolean {
  if (footing.difference === 0) return true;
  const explained = account.explanations.get(footing) ?? [];
  return explained.some(
    ({ rule }) => rule === settledWithoutPayment.id || rule === 'balance-carried-forward',
  );
}

function finding(account: Account, n: number, { due, missing }: { due: number; missing: number }): Finding {
  const footing = account.footings[n] as Footing;
  const { statement } = footing;
  const { lowered, future } = settlementOf(due, footing, account.footings.slice(n + 1));
  return makeFinding(settledWithoutPayment, {
    subject: { subscription_id: account.id, statement_id: statement.id },
    expected_in_cents: due,
    actual_in_cents: due - missing,
    message:
      `Statement ${statement.id} counts as settled on ${moment(statement.settled_at ?? 0)} with ${money(due)} due, but only ` +
      `${money(due - missing)} of it was paid or credited: ${money(missing)} is missing.`,
    arithmetic: [
      line('Due when the statement closed', due),
      line('Payments and credits since, up to the settlement', -lowered),
      line('Listed as future payments', -future),
      line('Not covered', missing),
    ],
    evidence: [statementEvidence(statement)],
  });
}
