import type { Account } from '../account.ts';
import type { Boundary } from '../chain.ts';
import { type Finding, makeFinding, statementEvidence } from '../finding.ts';
import type { Rule } from '../rule.ts';
import { line, moment, money, span } from '../words.ts';

export const periodGap: Rule = {
  id: 'period-gap',
  version: 1,
  title: 'Gap between statements',
  severity: 'warning',
  scope: 'chain',
  explanation:
    'Statements of a running subscription follow on each other: when one closes, the next opens. A stretch of time that no statement ' +
    'covers may hide charges and payments nobody has seen. A subscription that was cancelled or put on hold in between is ' +
    'left out, as far as the statements say so.',
  remedy: null,
  check,
};

function check(account: Account): Finding[] {
  if (!account.record.statements_complete) return [];
  return account.boundaries.filter(({ meeting }) => meeting === 'gap').map((gap) => finding(account, gap));
}

function finding(account: Account, { before, after, apart, step }: Boundary): Finding {
  const [earlier, later] = [before.statement, after.statement];
  const lost = step === null || step === 0 ? '' : `, and the balance is ${money(step)} off across the gap`;
  return makeFinding(periodGap, {
    subject: { subscription_id: account.id, statement_id: later.id },
    identity: [`statement ${later.id}`, `after ${earlier.id}`],
    expected_in_cents: step === null ? null : earlier.ending_balance_in_cents,
    actual_in_cents: step === null ? null : later.starting_balance_in_cents,
    message:
      `Statement ${earlier.id} closed on ${moment(earlier.closed_at ?? 0)} and the next, ${later.id}, opened on ` +
      `${moment(later.opened_at ?? 0)}: ${span(apart ?? 0)} are on no statement${lost}.`,
    arithmetic: [
      line(`Closing balance of statement ${earlier.id}`, earlier.ending_balance_in_cents),
      line(`Opening balance of statement ${later.id}`, later.starting_balance_in_cents),
    ],
    evidence: [statementEvidence(earlier), statementEvidence(later)],
  });
}
