import type { Cents } from '../../ledger/index.ts';
import type { MatchLine, MatchRule, MatchRuleCondition } from './match-types.ts';

/** Returns true if a match rule allows this difference (in cents) from a payment of the amount due. */
export function isWithinTolerance({ action }: MatchRule, due: Cents, difference: Cents): boolean {
  if (action.do !== 'tolerate' || Math.abs(difference) > action.max_in_cents) return false;
  const { max_basis_points: maxBasisPoints } = action;
  return maxBasisPoints === null || Math.abs(difference) * 10_000 <= Math.abs(due) * maxBasisPoints;
}

/** Returns true if a bank line meets every condition of a match rule. */
export function matchesRule(rule: Pick<MatchRule, 'conditions'>, line: MatchLine): boolean {
  return rule.conditions.every((condition) => conditionHolds(condition, line));
}

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
        condition.is,
        [line.description, line.reference, line.counterparty].filter((text) => text !== null).join(' '),
        condition.value,
      );
    default:
      return matchesText(condition.is, line[condition.field] ?? '', condition.value);
  }
}

type TextComparison = Extract<MatchRuleCondition, { is: string }>['is'];

function matchesText(comparison: TextComparison, text: string, value: string): boolean {
  const actual = normalizeText(text);
  const expected = normalizeText(value);
  switch (comparison) {
    case 'empty':
      return actual === '';
    case 'contains':
      return actual.includes(expected);
    case 'words':
      return expected.split(' ').every((word) => actual.includes(word));
    case 'equals':
      return actual === expected;
    case 'begins':
      return actual.startsWith(expected);
    case 'ends':
      return actual.endsWith(expected);
  }
}

function normalizeText(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}
