import type { Cents } from '../ledger/index.ts';
import type { MatchLine } from './model.ts';

/** All fields of a condition are held against one line; texts without case. */
export type RuleCondition =
  | {
      readonly field: 'text' | 'description' | 'reference' | 'counterparty' | 'bank_id';
      readonly is: 'contains' | 'words' | 'equals' | 'begins' | 'ends' | 'empty';
      readonly value: string;
    }
  | {
      readonly field: 'amount';
      readonly from_in_cents: Cents | null;
      readonly to_in_cents: Cents | null;
    }
  | { readonly field: 'account'; readonly accounts: readonly number[] }
  | { readonly field: 'kind'; readonly kinds: readonly MatchLine['kind'][] };

export type RuleAction =
  | { readonly do: 'categorise'; readonly category: string }
  | { readonly do: 'ignore' }
  | {
      readonly do: 'tolerate';
      readonly category: string;
      readonly most_in_cents: Cents;
      /** Hundredths of a percent of the payment’s amount. */
      readonly most_basis_points: number | null;
    };

/** A rule of the user’s. Of several that fit a line the first takes it; tolerances and takings are looked for apart. */
export interface UserRule {
  readonly id: number;
  readonly conditions: readonly RuleCondition[];
  readonly action: RuleAction;
}

/** Whether a rule lets a line differ so much from a payment. */
export function withinTolerance({ action }: UserRule, due: Cents, difference: Cents): boolean {
  if (action.do !== 'tolerate' || Math.abs(difference) > action.most_in_cents) return false;
  const { most_basis_points: part } = action;
  return part === null || Math.abs(difference) * 10_000 <= Math.abs(due) * part;
}

/** Whether every condition holds for the line. */
export function fits(rule: Pick<UserRule, 'conditions'>, line: MatchLine): boolean {
  return rule.conditions.every((condition) => holds(condition, line));
}

function holds(condition: RuleCondition, line: MatchLine): boolean {
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
      return says(
        condition.is,
        [line.description, line.reference, line.counterparty].filter((text) => text !== null).join(' '),
        condition.value,
      );
    default:
      return says(condition.is, line[condition.field] ?? '', condition.value);
  }
}

type Comparison = Extract<RuleCondition, { is: string }>['is'];

function says(is: Comparison, text: string, value: string): boolean {
  const said = plain(text);
  const asked = plain(value);
  switch (is) {
    case 'empty':
      return said === '';
    case 'contains':
      return said.includes(asked);
    case 'words':
      return asked.split(' ').every((word) => said.includes(word));
    case 'equals':
      return said === asked;
    case 'begins':
      return said.startsWith(asked);
    case 'ends':
      return said.endsWith(asked);
  }
}

function plain(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}
