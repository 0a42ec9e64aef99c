import type { Account } from '../account.ts';
import { AT_ONCE } from '../chain.ts';
import { type Finding, makeFinding, statementEvidence, transactionEvidence } from '../finding.ts';
import type { Footing } from '../footing.ts';
import type { StatementRecord, TransactionRecord } from '../record.ts';
import type { Look, Rule } from '../rule.ts';
import { payoff } from '../settlement.ts';
import { line, moment, money } from '../words.ts';

export const paidButUnsettled: Rule = {
  id: 'paid-but-unsettled',
  version: 1,
  title: 'Paid but not settled',
  severity: 'warning',
  scope: 'payment',
  explanation:
    'Everything on the statement was paid, but the billing service still lists it as unpaid. The customer may be reminded of, or ' +
    'charged for, what was settled long ago, and receivables are overstated. Have the statement marked as settled.',
  remedy: null,
  check,
};

function check(account: Account, look: Look): Finding[] {
  const found: Finding[] = [];
  for (const [n, footing] of account.footings.entries()) {
    const { statement, difference } = footing;
    if (statement.closed_at === null || statement.settled_at !== null || difference !== 0) continue;
    const paid = howPaid(account, n);
    if (paid !== null && isKnownSince(statement, paid.at, look)) found.push(finding(account, footing, paid));
  }
  return found;
}

interface Paid {
  /** When, as far as that is known. */
  readonly at: number;
  readonly how: string;
  readonly by: { readonly statement: StatementRecord; readonly transaction: TransactionRecord } | null;
}

function howPaid(account: Account, n: number): Paid | null {
  const footing = account.footings[n] as Footing;
  const { closed_at, ending_balance_in_cents: ending, future_payments } = footing.statement;
  if (closed_at === null || ending === null) return null;
  if (ending <= 0) {
    return hadSomethingDue(footing) ? { at: closed_at, how: 'nothing was left to pay', by: null } : null;
  }
  const future = future_payments.reduce(
    (sum, { amount_in_cents }) => sum + Math.abs(amount_in_cents ?? 0),
    0,
  );
  if (future >= ending) {
    const at = Math.max(closed_at, ...future_payments.map(({ created_at }) => created_at ?? 0));
    return { at, how: `future payments of ${money(future)} cover it`, by: null };
  }
  const last = payoff(unbrokenAfter(account, n));
  if (last === null) return null;
  const { transaction, footing: where } = last;
  return {
    at: transaction.created_at ?? where.statement.opened_at ?? closed_at,
    how: `transaction ${transaction.id} on statement ${where.statement.id} brought the balance to nothing`,
    by: { statement: where.statement, transaction },
  };
}

/** A statement of nothing, such as a trial’s, may stay as it is. */
function hadSomethingDue({ statement, effects }: Footing): boolean {
  return (statement.starting_balance_in_cents ?? 0) > 0 || effects.some((effect) => (effect ?? 0) > 0);
}

/** The statements after it, as far as the balance is carried on without a step. */
function unbrokenAfter({ footings, boundaries }: Account, n: number): readonly Footing[] {
  let end = n;
  while (boundaries[end]?.step === 0) end++;
  return footings.slice(n + 1, end + 1);
}

/** Whether our copy is young enough to show a settlement of that time. */
function isKnownSince({ read_at }: StatementRecord, at: number, { now }: Look): boolean {
  return at + AT_ONCE < (read_at ?? now);
}

function finding(account: Account, { statement }: Footing, { at, how, by }: Paid): Finding {
  const ending = statement.ending_balance_in_cents ?? 0;
  return makeFinding(paidButUnsettled, {
    subject: { subscription_id: account.id, statement_id: statement.id },
    difference_in_cents: Math.max(ending, 0),
    message:
      `Statement ${statement.id} closed at ${money(ending)} and is not settled, although ${how}` +
      `${by === null ? '' : ` on ${moment(at)}`}.`,
    arithmetic: [
      line('Closing balance', ending),
      ...(by
        ? [line(`Balance after transaction ${by.transaction.id}`, by.transaction.ending_balance_in_cents)]
        : []),
    ],
    evidence: [
      statementEvidence(statement),
      ...(by ? [transactionEvidence(by.statement.id, by.transaction)] : []),
    ],
  });
}
