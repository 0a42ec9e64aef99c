import type { BankLine, MatchRule, RuleAction, RuleCondition } from '../../../contract/index.ts';
import { formatDecimal, parseAmount } from '../../texts/money.ts';

const textFields = ['text', 'description', 'reference', 'counterparty', 'bank_id'] as const;
export const textConditionOperators = ['contains', 'words', 'equals', 'begins', 'ends', 'empty'] as const;
export const ruleConditionFields = [...textFields, 'amount', 'account', 'kind'] as const;
export const matchRuleActionKinds = ['categorize', 'ignore', 'tolerate'] as const;
type Field = (typeof ruleConditionFields)[number];

/** A rule condition as typed. It retains the values of other fields, in case the user switches back to them. */
export interface RuleConditionDraft {
  /** React key that identifies the condition. */
  readonly key: number;
  readonly field: Field;
  readonly is: (typeof textConditionOperators)[number];
  readonly value: string;
  readonly from: string;
  readonly to: string;
  readonly accounts: readonly number[];
  readonly kinds: readonly BankLine['kind'][];
}

export interface MatchRuleDraft {
  readonly title: string;
  readonly enabled: boolean;
  readonly conditions: readonly RuleConditionDraft[];
  readonly action: RuleAction['do'];
  readonly category: string;
  readonly maxDifference: string;
  readonly percent: string;
}

/** A valid match rule in the form that the backend stores. */
export interface ValidMatchRule {
  title: string;
  enabled: boolean;
  conditions: RuleCondition[];
  action: RuleAction;
}

/** Part of a rule draft that is invalid. */
type RuleDraftError = 'title' | 'value' | 'amount' | 'accounts' | 'kinds' | 'category' | 'most' | 'percent';

const emptyCondition: Omit<RuleConditionDraft, 'key'> = {
  field: 'text',
  is: 'contains',
  value: '',
  from: '',
  to: '',
  accounts: [],
  kinds: [],
};

export const emptyMatchRuleDraft: MatchRuleDraft = {
  title: '',
  enabled: true,
  conditions: [{ ...emptyCondition, key: 1 }],
  action: 'categorize',
  category: '',
  maxDifference: '',
  percent: '',
};

export function toMatchRuleDraft({
  title,
  enabled,
  conditions,
  action,
}: ValidMatchRule | MatchRule): MatchRuleDraft {
  return {
    title,
    enabled,
    conditions: conditions.map((condition, at) => ({
      ...emptyCondition,
      key: at + 1,
      ...toTypedCondition(condition),
    })),
    action: action.do,
    category: action.do === 'ignore' ? '' : action.category,
    maxDifference: action.do === 'tolerate' ? formatDecimal(action.max_in_cents) : '',
    percent:
      action.do === 'tolerate' && action.max_basis_points !== null
        ? formatDecimal(action.max_basis_points)
        : '',
  };
}

function toTypedCondition(condition: RuleCondition): Partial<RuleConditionDraft> {
  switch (condition.field) {
    case 'amount': {
      const { from_in_cents: from, to_in_cents: to } = condition;
      return {
        field: 'amount',
        from: from === null ? '' : formatDecimal(from),
        to: to === null ? '' : formatDecimal(to),
      };
    }
    default:
      return condition;
  }
}

type RuleLine = Pick<
  BankLine,
  'description' | 'reference' | 'counterparty' | 'amount_in_cents' | 'account' | 'kind'
>;

/**
 * Returns the draft of a rule that applies to lines like this one: the same payee, or the same words without numbers,
 * in the same account and with the same sign. The user chooses the category.
 */
export function createRuleDraftFromLine(line: RuleLine): MatchRuleDraft {
  const { counterparty, description, reference, account, amount_in_cents } = line;
  const payee = counterparty?.trim() ?? '';
  const words = `${description} ${reference ?? ''}`
    .split(/\s+/)
    .filter((word) => /\p{L}{2,}/u.test(word) && !/\d/.test(word))
    .slice(0, MAX_RULE_WORDS);
  const text: Partial<RuleConditionDraft> =
    payee !== ''
      ? { field: 'counterparty', is: 'equals', value: payee }
      : { field: 'text', is: 'words', value: words.join(' ') };
  const sign: Partial<RuleConditionDraft> =
    amount_in_cents < 0 ? { field: 'amount', to: '-0.01' } : { field: 'amount', from: '0.01' };
  const conditions = [text, sign, { field: 'account', accounts: [account.id] } as const];
  return {
    ...emptyMatchRuleDraft,
    title: (payee || words.join(' ') || description).slice(0, MAX_RULE_TITLE).trim(),
    conditions: conditions.map((condition, at) => ({ ...emptyCondition, ...condition, key: at + 1 })),
  };
}

/** Maximum number of words of a line that become a condition. Chosen by judgment. */
const MAX_RULE_WORDS = 4;
const MAX_RULE_TITLE = 100;

/** Returns the rule draft with an empty condition added. */
export function addEmptyRuleCondition(draft: MatchRuleDraft): MatchRuleDraft {
  const key = Math.max(0, ...draft.conditions.map((condition) => condition.key)) + 1;
  return { ...draft, conditions: [...draft.conditions, { ...emptyCondition, key }] };
}

/** Returns the match rule if the draft is valid, otherwise the first error. */
export function validateMatchRuleDraft(
  draft: MatchRuleDraft,
):
  | { readonly content: ValidMatchRule; readonly error: null }
  | { readonly content: null; readonly error: RuleDraftError } {
  const conditions: RuleCondition[] = [];
  for (const typed of draft.conditions) {
    const condition = validateCondition(typed);
    if (typeof condition === 'string') return { content: null, error: condition };
    conditions.push(condition);
  }
  const action = validateAction(draft);
  if (typeof action === 'string') return { content: null, error: action };
  const title = draft.title.trim();
  if (title === '') return { content: null, error: 'title' };
  return { content: { title, enabled: draft.enabled, conditions, action }, error: null };
}

function validateCondition(typed: RuleConditionDraft): RuleCondition | RuleDraftError {
  switch (typed.field) {
    case 'amount':
      return validateAmountRange(typed);
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

/** Validates that a condition has at least one amount limit and that the lower limit does not exceed the upper one. */
function validateAmountRange(typed: RuleConditionDraft): RuleCondition | 'amount' {
  const [from, to] = [parseOptionalAmount(typed.from), parseOptionalAmount(typed.to)];
  if (from === 'invalid' || to === 'invalid' || (from === null && to === null)) return 'amount';
  if (from !== null && to !== null && from > to) return 'amount';
  return { field: 'amount', from_in_cents: from, to_in_cents: to };
}

/** Returns the amount in cents, null if the text is empty, or `invalid`. */
function parseOptionalAmount(text: string): number | null | 'invalid' {
  return text.trim() === '' ? null : (parseAmount(text) ?? 'invalid');
}

/** Validates a rule's action. The contract allows a difference of at most 1,000.00 and at most 10 percent. */
function validateAction(draft: MatchRuleDraft): RuleAction | RuleDraftError {
  if (draft.action === 'ignore') return { do: 'ignore' };
  const category = draft.category.trim().toLowerCase();
  if (!/^[a-z][a-z0-9 -]{0,39}$/.test(category)) return 'category';
  if (draft.action === 'categorize') return { do: 'categorize', category };
  const cents = parseAmount(draft.maxDifference);
  if (cents === null || cents <= 0 || cents > 100_000) return 'most';
  const basisPoints = parseOptionalAmount(draft.percent);
  if (basisPoints === 'invalid') return 'percent';
  if (basisPoints !== null && (basisPoints < 1 || basisPoints > 1000)) return 'percent';
  return { do: 'tolerate', category, max_in_cents: cents, max_basis_points: basisPoints };
}
