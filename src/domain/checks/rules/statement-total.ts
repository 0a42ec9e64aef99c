import { type Cents, findTypeEffect } from '../../ledger/index.ts';
import type { RuleDefinition } from '../analysis/check-rule.ts';
import { type FindingDraft, toStatementEvidence } from '../analysis/finding.ts';
import { formatMoney } from '../analysis/finding-message-text.ts';
import { type StatementFooting, sumEffects } from '../analysis/statement-footing.ts';

export const statementTotalRule: RuleDefinition = {
  id: 'statement-total',
  version: 1,
  title: 'Statement total differs from its transactions',
  severity: 'error',
  scope: 'statement',
  explanation:
    'Later versions of the billing service send a total with each statement: its charges, less credits, plus or minus ' +
    'adjustments. If the transactions add up to another amount, one of them is missing or was changed, or the total ' +
    'is wrong. Do not record revenue from this total before you know which.',
  check(analysis, { suspectStatements }) {
    const totals = analysis.footings.flatMap((footing) => toStatementTotal(footing) ?? []);
    const wrong = totals.filter(({ isRight }) => !isRight);
    // If most totals differ, the totals of this site have another meaning.
    if (wrong.length > Math.max(1, totals.length / 2)) return [];
    return wrong
      .filter(({ footing }) => !suspectStatements.has(footing.statement.id))
      .map((total) => createTotalFinding(analysis.id, total));
  },
};

interface StatementTotal {
  readonly footing: StatementFooting;
  readonly stated: Cents;
  readonly computed: Cents;
  readonly isRight: boolean;
}

/** Returns a statement's total as stated and as computed; null if one is unknown. */
function toStatementTotal(footing: StatementFooting): StatementTotal | null {
  const { statement, transactions, effects } = footing;
  const stated = statement.total_in_cents;
  if (stated === null) return null;
  const sumOf = (types: readonly string[]): Cents | null =>
    sumEffects(effects.filter((_, at) => types.includes(typeOf(transactions[at]))));
  const computed = sumOf(['charge', 'credit', 'adjustment']);
  if (computed === null || effects.includes(null)) return null;
  const otherMeanings = [sumOf(['charge']), sumOf(['charge', 'adjustment']), sumOf(['charge', 'credit'])];
  return { footing, stated, computed, isRight: stated === computed || otherMeanings.includes(stated) };
}

const typeOf = (transaction: StatementFooting['transactions'][number] | undefined): string =>
  (transaction && findTypeEffect(transaction)?.transaction_type) ?? '';

function createTotalFinding(
  subscription_id: number | null,
  { footing: { statement, transactions, effects }, stated, computed }: StatementTotal,
): FindingDraft {
  const { row, content } = toStatementEvidence(statement);
  return {
    subject: { subscription_id, statement_id: statement.id },
    expected_in_cents: computed,
    actual_in_cents: stated,
    message:
      `Statement ${statement.id} states a total of ${formatMoney(stated)}, but its charges, credits and adjustments ` +
      `total ${formatMoney(computed)}.`,
    arithmetic: [
      ...transactions.flatMap((transaction, at) => {
        const type = findTypeEffect(transaction);
        return type?.money === null && effects[at] !== 0
          ? [[`${type.type} ${transaction.id}`, effects[at] ?? null] as const]
          : [];
      }),
      ['Total, computed', computed],
      ['Total as stated', stated],
    ],
    evidence: [{ row, content: [...content, stated, computed] }],
  };
}
