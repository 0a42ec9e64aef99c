import { type Cents, effectRowOf } from '../../ledger/index.ts';
import { type Account, unexplained } from '../account.ts';
import {
  type ArithmeticLine,
  type Finding,
  makeFinding,
  statementEvidence,
  transactionEvidence,
} from '../finding.ts';
import { type Footing, runningBreaks, sumOf } from '../footing.ts';
import type { Rule } from '../rule.ts';
import { line, money } from '../words.ts';

export const statementFoots: Rule = {
  id: 'statement-foots',
  version: 1,
  title: 'Statement does not foot',
  severity: 'error',
  scope: 'statement',
  explanation:
    'The opening balance, plus charges, less payments and credits, plus or minus adjustments, must come to the closing balance. ' +
    'Where it does not, a transaction is missing from the statement, stands on it with a wrong amount, or one of the two ' +
    'balances is wrong. Ask the billing service which; until then the closing balance should not be relied on.',
  remedy: null,
  check,
};

function check(account: Account): Finding[] {
  const found: Finding[] = [];
  for (const footing of account.footings) {
    if (footing.difference === null) {
      if (isTooLarge(footing)) found.push(tooLarge(account, footing));
      continue;
    }
    const left = unexplained(account, footing);
    if (left !== 0) found.push(notFooting(account, footing, left));
  }
  return found;
}

function notFooting(account: Account, footing: Footing, left: Cents): Finding {
  const { statement } = footing;
  const [opening, closing] = [
    statement.starting_balance_in_cents ?? 0,
    statement.ending_balance_in_cents ?? 0,
  ];
  const expected = closing - left;
  return makeFinding(statementFoots, {
    subject: { subscription_id: account.id, statement_id: statement.id },
    expected_in_cents: expected,
    actual_in_cents: closing,
    message:
      `Statement ${statement.id} opens at ${money(opening)} and its transactions come to ${money(footing.sum ?? 0)}, ` +
      `so it should close at ${money(expected)}; it closes at ${money(closing)}, a difference of ${money(left)}.` +
      witness(account, footing, left),
    arithmetic: [
      ...additionOf(footing),
      line('Closing balance as stated', closing),
      line('Difference', left),
    ],
    evidence: evidenceOf(footing),
  });
}

/** What other figures say about where the error is. */
function witness(account: Account, footing: Footing, left: Cents): string {
  const [only, ...more] = runningBreaks(footing);
  if (only && more.length === 0 && only.where === 'movement') {
    const { id, amount_in_cents } = only.transaction;
    return ` Transaction ${id} has an amount of ${money(amount_in_cents)} but moves the running balance by ${money(only.actual)}.`;
  }
  const next = account.boundaries.find(({ before }) => before === footing);
  if (next?.step === -left) return ` The next statement opens at the figure it should close at.`;
  return '';
}

/** The statement added up, by type of transaction, as far as each occurs. */
function additionOf(footing: Footing): ArithmeticLine[] {
  const sums = new Map<string, Cents[]>();
  for (const [at, transaction] of footing.transactions.entries()) {
    const label = labels.get(effectRowOf(transaction)?.transaction_type ?? '') ?? 'Without effect';
    const failed = transaction.success === false && footing.effects[at] === 0;
    const key = failed ? 'Failed payments, without effect' : label;
    sums.set(key, [...(sums.get(key) ?? []), footing.effects[at] ?? 0]);
  }
  return [
    line('Opening balance', footing.statement.starting_balance_in_cents),
    ...[...sums].map(([label, effects]) => line(label, sumOf(effects))),
    line('Closing balance by addition', footing.computed),
  ];
}

const labels = new Map([
  ['charge', 'Charges'],
  ['credit', 'Credits'],
  ['adjustment', 'Adjustments'],
  ['payment', 'Payments'],
  ['refund', 'Refunds, without effect'],
]);

function isTooLarge({ sum, effects, computed, statement }: Footing): boolean {
  if (statement.closed_at === null || effects.includes(null)) return false;
  const stated = statement.starting_balance_in_cents !== null && statement.ending_balance_in_cents !== null;
  return stated && (sum === null || computed === null || footingOverflows(statement, computed));
}

function footingOverflows(statement: Footing['statement'], computed: Cents): boolean {
  return !Number.isSafeInteger((statement.ending_balance_in_cents ?? 0) - computed);
}

function tooLarge(account: Account, footing: Footing): Finding {
  const { statement } = footing;
  return makeFinding(statementFoots, {
    subject: { subscription_id: account.id, statement_id: statement.id },
    message: `The amounts of statement ${statement.id} are too large to be added exactly, so it cannot be footed.`,
    evidence: evidenceOf(footing),
  });
}

function evidenceOf({ statement, transactions }: Footing) {
  return [
    statementEvidence(statement),
    ...transactions.map((transaction) => transactionEvidence(statement.id, transaction)),
  ];
}
