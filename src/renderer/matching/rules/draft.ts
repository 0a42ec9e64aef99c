import type { BankLine, MatchRule, RuleAction, RuleCondition } from '../../../contract/index.ts';
import { decimalOf } from '../../words/money.ts';
import { centsTyped } from '../divide/allotment.ts';

const textFields = ['text', 'description', 'reference', 'counterparty', 'bank_id'] as const;
export const textTests = ['contains', 'words', 'equals', 'begins', 'ends', 'empty'] as const;
export const conditionFields = [...textFields, 'amount', 'account', 'kind'] as const;
export const ruleActions = ['categorise', 'ignore', 'tolerate'] as const;
type Field = (typeof conditionFields)[number];

/** A condition as it is typed: what belongs to another field stays, for who looks at that one again. */
export interface ConditionDraft {
  /** Tells it from its neighbours, whatever is typed. */
  readonly key: number;
  readonly field: Field;
  readonly is: (typeof textTests)[number];
  readonly value: string;
  readonly from: string;
  readonly to: string;
  readonly accounts: readonly number[];
  readonly kinds: readonly BankLine['kind'][];
}

export interface RuleDraft {
  readonly title: string;
  readonly enabled: boolean;
  readonly conditions: readonly ConditionDraft[];
  readonly action: RuleAction['do'];
  readonly category: string;
  readonly most: string;
  readonly percent: string;
}

export interface RuleContent {
  title: string;
  enabled: boolean;
  conditions: RuleCondition[];
  action: RuleAction;
}

export type RuleFault = 'title' | 'value' | 'amount' | 'accounts' | 'kinds' | 'category' | 'most' | 'percent';

const blank: Omit<ConditionDraft, 'key'> = {
  field: 'text',
  is: 'contains',
  value: '',
  from: '',
  to: '',
  accounts: [],
  kinds: [],
};

export const newRule: RuleDraft = {
  title: '',
  enabled: true,
  conditions: [{ ...blank, key: 1 }],
  action: 'categorise',
  category: '',
  most: '',
  percent: '',
};

/** A rule as it can be typed over. */
export function draftOf({ title, enabled, conditions, action }: RuleContent | MatchRule): RuleDraft {
  return {
    title,
    enabled,
    conditions: conditions.map((condition, at) => ({ ...blank, key: at + 1, ...typedOf(condition) })),
    action: action.do,
    category: action.do === 'ignore' ? '' : action.category,
    most: action.do === 'tolerate' ? decimalOf(action.most_in_cents) : '',
    percent:
      action.do === 'tolerate' && action.most_basis_points !== null
        ? decimalOf(action.most_basis_points)
        : '',
  };
}

function typedOf(condition: RuleCondition): Partial<ConditionDraft> {
  switch (condition.field) {
    case 'amount': {
      const { from_in_cents: from, to_in_cents: to } = condition;
      return {
        field: 'amount',
        from: from === null ? '' : decimalOf(from),
        to: to === null ? '' : decimalOf(to),
      };
    }
    default:
      return condition;
  }
}

/** With one more condition, to be filled in. */
export function withCondition(draft: RuleDraft): RuleDraft {
  const key = Math.max(0, ...draft.conditions.map((condition) => condition.key)) + 1;
  return { ...draft, conditions: [...draft.conditions, { ...blank, key }] };
}

/** The rule that is typed, or the first thing that keeps it from being one. */
export function contentOf(
  draft: RuleDraft,
):
  | { readonly content: RuleContent; readonly fault: null }
  | { readonly content: null; readonly fault: RuleFault } {
  const conditions: RuleCondition[] = [];
  for (const typed of draft.conditions) {
    const condition = conditionOf(typed);
    if (typeof condition === 'string') return { content: null, fault: condition };
    conditions.push(condition);
  }
  const action = actionOf(draft);
  if (typeof action === 'string') return { content: null, fault: action };
  const title = draft.title.trim();
  if (title === '') return { content: null, fault: 'title' };
  return { content: { title, enabled: draft.enabled, conditions, action }, fault: null };
}

function conditionOf(typed: ConditionDraft): RuleCondition | RuleFault {
  switch (typed.field) {
    case 'amount': {
      const from = typed.from.trim() === '' ? null : centsTyped(typed.from);
      const to = typed.to.trim() === '' ? null : centsTyped(typed.to);
      const unread = (text: string, cents: number | null) => text.trim() !== '' && cents === null;
      if (unread(typed.from, from) || unread(typed.to, to) || (from === null && to === null)) return 'amount';
      if (from !== null && to !== null && from > to) return 'amount';
      return { field: 'amount', from_in_cents: from, to_in_cents: to };
    }
    case 'account':
      return typed.accounts.length === 0 ? 'accounts' : { field: 'account', accounts: [...typed.accounts] };
    case 'kind':
      return typed.kinds.length === 0 ? 'kinds' : { field: 'kind', kinds: [...typed.kinds] };
    default: {
      if (typed.is === 'empty') return { field: typed.field, is: 'empty', value: '' };
      const value = typed.value.trim();
      return value === '' ? 'value' : { field: typed.field, is: typed.is, value };
    }
  }
}

function actionOf({ action, category, most, percent }: RuleDraft): RuleAction | RuleFault {
  if (action === 'ignore') return { do: 'ignore' };
  const named = category.trim().toLowerCase();
  if (!/^[a-z][a-z0-9 -]{0,39}$/.test(named)) return 'category';
  if (action === 'categorise') return { do: 'categorise', category: named };
  const cents = centsTyped(most);
  if (cents === null || cents <= 0 || cents > 100_000) return 'most';
  const points = percent.trim() === '' ? null : centsTyped(percent);
  if (percent.trim() !== '' && (points === null || points < 1 || points > 1000)) return 'percent';
  return { do: 'tolerate', category: named, most_in_cents: cents, most_basis_points: points };
}
