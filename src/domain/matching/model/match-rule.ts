import type { Cents } from '../../ledger/index.ts';
import type { MatchLine, MatchRule, MatchRuleCondition } from './match-types.ts';

/** Returns true if a match rule allows this difference (in cents) from a payment of the amount due. */
export function isWithinTolerance({ action }: MatchRule, due: Cents, difference: Cents): boolean {
  if (action.do !== 'tolerate' || Math.abs(difference) > action.max_in_cents) return false;
  const { max_basis_points: maxBasisPoints } = action;
  return maxBasisPoints === null || Math.abs(difference) * 10_000 <= Math.abs(due) * maxBasisPoints;
}

/** Returns true if a bank line meets every condition of a match rule. */
export const matchesRule = (rule: Pick<MatchRule, 'conditions'>, line: MatchLine): boolean =>
  rule.conditions.every((condition) => conditionHolds(condition, line));

function conditionHolds(condition: MatchRuleCondition, line: MatchLine): boolean {
  switch (condition.field) {
    case 'amount': {
      const { from_in_cents: from, to_in_cents: to } = condition;
      return (from === null || line.amount_in_cents >= from) && (to === null || line.amount_in_cents <= to);
    }
    case 'account':
      return condition.accounts.includes(line.account);
    case 'kind':
      return condition.kinds.includes(line.kind);
    case 'text':
      return matchesText(
        condition,
        [line.description, line.reference, line.counterparty].filter((text) => text !== null).join(' '),
      );
    default:
      return matchesText(condition, line[condition.field] ?? '');
  }
}

type TextCondition = Extract<MatchRuleCondition, { is: string }>;

const comparisons: Readonly<Record<TextCondition['is'], (actual: string, expected: string) => boolean>> = {
  empty: (actual) => actual === '',
  contains: (actual, expected) => actual.includes(expected),
  words: (actual, expected) => expected.split(' ').every((word) => actual.includes(word)),
  equals: (actual, expected) => actual === expected,
  begins: (actual, expected) => actual.startsWith(expected),
  ends: (actual, expected) => actual.endsWith(expected),
};

const normalizeText = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();

const matchesText = ({ is, value }: TextCondition, text: string): boolean =>
  comparisons[is](normalizeText(text), normalizeText(value));
