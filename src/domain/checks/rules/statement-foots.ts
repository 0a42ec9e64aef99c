import { type Cents, findTypeEffect } from '../../ledger/index.ts';
import type { RuleDefinition } from '../analysis/check-rule.ts';
import {
  type DraftArithmeticLine,
  type FindingDraft,
  toStatementEvidence,
  toTransactionEvidence,
} from '../analysis/finding.ts';
import { formatMoney } from '../analysis/finding-message-text.ts';
import { findBalanceBreaks, type StatementFooting, sumEffects } from '../analysis/statement-footing.ts';
import {
  computeUnexplainedDifference,
  type SubscriptionAnalysis,
} from '../analysis/subscription-analysis.ts';

export const statementFootsRule: RuleDefinition = {
  id: 'statement-foots',
  version: 1,
  title: 'Statement does not foot',
  severity: 'error',
  scope: 'statement',
  explanation:
    'The opening balance plus charges, less payments and credits, plus or minus adjustments must equal the ' +
    'closing balance. If it does not, a transaction is missing or has a wrong amount, or one of the two balances ' +
    'is wrong. Ask the billing service which one, and do not rely on the closing balance until then.',
  check(analysis) {
    const findings: FindingDraft[] = [];
    for (const footing of analysis.footings) {
      if (footing.difference === null) {
        if (isTooLarge(footing)) findings.push(createTooLargeFinding(analysis, footing));
        continue;
      }
      const unexplained = computeUnexplainedDifference(analysis, footing);
      if (unexplained !== 0) findings.push(createFootingFinding(analysis, footing, unexplained));
    }
    return findings;
  },
};

function createFootingFinding(
  analysis: SubscriptionAnalysis,
  footing: StatementFooting,
  unexplained: Cents,
): FindingDraft {
  const { statement } = footing;
  const [opening, closing] = [
    statement.starting_balance_in_cents ?? 0,
    statement.ending_balance_in_cents ?? 0,
  ];
  const expected = closing - unexplained;
  return {
    subject: { subscription_id: analysis.id, statement_id: statement.id },
    expected_in_cents: expected,
    actual_in_cents: closing,
    message:
      `Statement ${statement.id} opens at ${formatMoney(opening)} and its transactions total ${formatMoney(footing.sum ?? 0)}, ` +
      `so it should close at ${formatMoney(expected)}. It closes at ${formatMoney(closing)}, a difference of ${formatMoney(unexplained)}.` +
      locateError(analysis, footing, unexplained),
    arithmetic: [
      ...listAddition(footing),
      ['Closing balance as stated', closing],
      ['Difference', unexplained],
    ],
    evidence: listEvidence(footing),
  };
}

/** Returns a sentence on the location of the error if other figures reveal it; otherwise an empty string. */
function locateError(analysis: SubscriptionAnalysis, footing: StatementFooting, unexplained: Cents): string {
  const [only, ...more] = findBalanceBreaks(footing);
  if (only && more.length === 0 && only.where === 'movement') {
    const { id, amount_in_cents } = only.transaction;
    return ` Transaction ${id} has an amount of ${formatMoney(amount_in_cents)} but changes the running balance by ${formatMoney(only.actual)}.`;
  }
  const next = analysis.boundaries.find(({ before }) => before === footing);
  if (next?.balanceStep === -unexplained)
    return ' The next statement opens at the balance at which this one should close.';
  return '';
}

function listAddition(footing: StatementFooting): DraftArithmeticLine[] {
  const sums = new Map<string, Cents[]>();
  for (const [at, transaction] of footing.transactions.entries()) {
    const label = labels.get(findTypeEffect(transaction)?.transaction_type ?? '') ?? 'No effect';
    const failed = transaction.success === false && footing.effects[at] === 0;
    const key = failed ? 'Failed payments (no effect)' : label;
    sums.set(key, [...(sums.get(key) ?? []), footing.effects[at] ?? 0]);
  }
  return [
    ['Opening balance', footing.statement.starting_balance_in_cents],
    ...[...sums].map(([label, effects]): DraftArithmeticLine => [label, sumEffects(effects)]),
    ['Closing balance, computed', footing.computed],
  ];
}

const labels = new Map([
  ['charge', 'Charges'],
  ['credit', 'Credits'],
  ['adjustment', 'Adjustments'],
  ['payment', 'Payments'],
  ['refund', 'Refunds (no effect)'],
]);

function isTooLarge({ sum, effects, computed, statement }: StatementFooting): boolean {
  if (statement.closed_at === null || effects.includes(null)) return false;
  const stated = statement.starting_balance_in_cents !== null && statement.ending_balance_in_cents !== null;
  return stated && (sum === null || computed === null || isDifferenceInexact(statement, computed));
}

const isDifferenceInexact = (statement: StatementFooting['statement'], computed: Cents): boolean =>
  !Number.isSafeInteger((statement.ending_balance_in_cents ?? 0) - computed);

function createTooLargeFinding(analysis: SubscriptionAnalysis, footing: StatementFooting): FindingDraft {
  const { statement } = footing;
  return {
    subject: { subscription_id: analysis.id, statement_id: statement.id },
    message: `The amounts of statement ${statement.id} are too large to add exactly, so the statement cannot be footed.`,
    evidence: listEvidence(footing),
  };
}

function listEvidence({ statement, transactions }: StatementFooting) {
  return [
    toStatementEvidence(statement),
    ...transactions.map((transaction) => toTransactionEvidence(statement.id, transaction)),
  ];
}
