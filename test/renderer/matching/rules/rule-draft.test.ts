import { describe, expect, test } from 'vitest';
import {
  addEmptyRuleCondition,
  emptyMatchRuleDraft,
  type MatchRuleDraft,
  toMatchRuleDraft,
  type ValidMatchRule,
  validateMatchRuleDraft,
} from '../../../../src/renderer/matching/rules/rule-draft.ts';
import { moveIdInList } from '../../../../src/renderer/matching/rules/rule-mutations.ts';
import { describeMatchRule } from '../../../../src/renderer/matching/rules/rule-sentence.ts';

const feeRule: ValidMatchRule = {
  title: 'Bank charges',
  enabled: true,
  conditions: [
    { field: 'text', is: 'contains', value: 'fee' },
    { field: 'amount', from_in_cents: -500, to_in_cents: 0 },
    { field: 'account', accounts: [2] },
    { field: 'kind', kinds: ['entry', 'fee'] },
    { field: 'reference', is: 'empty', value: '' },
  ],
  action: { do: 'tolerate', category: 'fee', max_in_cents: 150, max_basis_points: 25 },
};

const validDraft: MatchRuleDraft = {
  ...emptyMatchRuleDraft,
  title: 'Fees',
  category: 'Fee',
  conditions: emptyMatchRuleDraft.conditions.map((condition) => ({ ...condition, value: 'fee' })),
};
const withField = (change: Partial<MatchRuleDraft['conditions'][number]>): MatchRuleDraft => ({
  ...validDraft,
  conditions: validDraft.conditions.map((condition) => ({ ...condition, ...change })),
});

describe('match rule drafts', () => {
  test('an unchanged draft produces the same rule', () => {
    expect(validateMatchRuleDraft(toMatchRuleDraft(feeRule))).toEqual({ content: feeRule, error: null });
  });

  test('are saved with lowercase categories and trimmed texts', () => {
    expect(validateMatchRuleDraft(validDraft).content).toMatchObject({
      action: { do: 'categorize', category: 'fee' },
    });
  });

  test.each<[MatchRuleDraft, string]>([
    [{ ...validDraft, title: ' ' }, 'title'],
    [withField({ value: ' ' }), 'value'],
    [withField({ field: 'amount' }), 'amount'],
    [withField({ field: 'amount', from: '2', to: '1' }), 'amount'],
    [withField({ field: 'amount', from: 'x', to: '1' }), 'amount'],
    [withField({ field: 'account' }), 'accounts'],
    [withField({ field: 'kind' }), 'kinds'],
    [{ ...validDraft, category: '9' }, 'category'],
    [{ ...validDraft, action: 'tolerate', maxDifference: '0' }, 'most'],
    [{ ...validDraft, action: 'tolerate', maxDifference: '1000.01' }, 'most'],
    [{ ...validDraft, action: 'tolerate', maxDifference: '1', percent: '11' }, 'percent'],
  ])('report the first error', (draft, error) => {
    expect(validateMatchRuleDraft(draft)).toEqual({ content: null, error });
  });

  test('give each new condition a unique key', () => {
    const keys = addEmptyRuleCondition(addEmptyRuleCondition(validDraft)).conditions.map(({ key }) => key);
    expect(new Set(keys).size).toBe(3);
  });

  test('describe the rule in a sentence', () => {
    expect(describeMatchRule(feeRule, [{ id: 2, name: 'Main account' }])).toBe(
      'Any text field contains “fee” and amount from \u22125.00 to 0.00 and account Main account and type entry or fee and reference is empty: allow a difference of 1.50 and 0.25% as fee.',
    );
  });
});

test('rules are moved before or after another rule without reordering the others', () => {
  expect(moveIdInList([1, 2, 3, 4], new Set([4]), 2, 'before')).toEqual([1, 4, 2, 3]);
  expect(moveIdInList([1, 2, 3, 4], new Set([1]), 3, 'after')).toEqual([2, 3, 1, 4]);
  expect(moveIdInList([1, 2, 3, 4], new Set([1, 3]), 4, 'after')).toEqual([2, 4, 1, 3]);
  expect(moveIdInList([1, 2], new Set([1]), 1, 'after')).toEqual([1, 2]);
});
