import type { Account } from '../account.ts';
import type { Boundary } from '../chain.ts';
import { type Finding, makeFinding, statementEvidence } from '../finding.ts';
import type { Look, Rule } from '../rule.ts';
import { line, money } from '../words.ts';

export const balanceCarriedForward: Rule = {
  id: 'balance-carried-forward',
  version: 1,
  title: 'Balance not carried forward',
  severity: 'error',
  scope: 'chain',
  explanation:
    'What a customer owes when one statement closes is what the next statement must open with. Where the two differ, money appeared ' +
    'or vanished between them without a transaction to show for it. Either a statement between the two is missing, or one of ' +
    'the two balances was changed afterwards.',
  remedy: null,
  check,
};

function check(account: Account, look: Look): Finding[] {
  const found: Finding[] = [];
  for (const boundary of account.boundaries) {
    if (boundary.step === null || boundary.step === 0) continue;
    if (areNeighbours(account, boundary, look) && !isClosingWrong(boundary, look)) {
      found.push(step(account, boundary));
    }
  }
  return found;
}

function step(account: Account, { before, after }: Boundary): Finding {
  const [earlier, later] = [before.statement, after.statement];
  const closing = earlier.ending_balance_in_cents ?? 0;
  const opening = later.starting_balance_in_cents ?? 0;
  return makeFinding(balanceCarriedForward, {
    subject: { subscription_id: account.id, statement_id: later.id },
    identity: [`statement ${later.id}`, `after ${earlier.id}`],
    expected_in_cents: closing,
    actual_in_cents: opening,
    message:
      `Statement ${earlier.id} closes at ${money(closing)}, but the next, ${later.id}, opens at ${money(opening)}: ` +
      `a difference of ${money(opening - closing)}.`,
    arithmetic: [
      line(`Closing balance of statement ${earlier.id}`, closing),
      line(`Opening balance of statement ${later.id}`, opening),
      line('Difference', opening - closing),
    ],
    evidence: [statementEvidence(earlier), statementEvidence(later)],
  });
}

/** Whether nothing can lie between the two. A gap has a finding of its own, which tells of the balances too. */
function areNeighbours(account: Account, { meeting }: Boundary, look: Look): boolean {
  if (meeting === 'joined') return true;
  if (!account.record.statements_complete || meeting === 'pause') return false;
  return meeting !== 'gap' || !look.on('period-gap');
}

/** The earlier statement does not foot by just this difference: its closing balance is wrong, and that is reported. */
function isClosingWrong({ blame }: Boundary, look: Look): boolean {
  return blame === 'closing' && look.on('statement-foots');
}
