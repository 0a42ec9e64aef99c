import type { Account } from '../account.ts';
import type { Boundary } from '../chain.ts';
import { type Finding, makeFinding, statementEvidence } from '../finding.ts';
import type { Rule } from '../rule.ts';
import { moment, span } from '../words.ts';

export const periodOverlap: Rule = {
  id: 'period-overlap',
  version: 1,
  title: 'Statements overlap',
  severity: 'warning',
  scope: 'chain',
  explanation:
    'No moment belongs to two statements of one subscription. Where two overlap, the same usage may be billed twice, and a ' +
    'transaction of that time may be looked for on the wrong one. Compare the charges of both for the time they share.',
  remedy: null,
  check,
};

function check(account: Account): Finding[] {
  return account.boundaries
    .filter(({ meeting }) => meeting === 'overlap')
    .map((overlap) => finding(account, overlap));
}

function finding(account: Account, { before, after, apart }: Boundary): Finding {
  const [earlier, later] = [before.statement, after.statement];
  const began = `statement ${later.id} began on ${moment(later.opened_at ?? 0)}`;
  return makeFinding(periodOverlap, {
    subject: { subscription_id: account.id, statement_id: later.id },
    identity: [`statement ${later.id}`, `with ${earlier.id}`],
    message:
      apart === null
        ? `Statement ${earlier.id} is still open although ${began}.`
        : `Statement ${earlier.id} closed on ${moment(earlier.closed_at ?? 0)}, but ${began}: they share ${span(apart)}.`,
    evidence: [statementEvidence(earlier), statementEvidence(later)],
  });
}
