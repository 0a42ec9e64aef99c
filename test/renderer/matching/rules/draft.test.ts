import { describe, expect, test } from 'vitest';
import { moved } from '../../../../src/renderer/matching/rules/acts.ts';
import {
  contentOf,
  draftOf,
  newRule,
  type RuleContent,
  type RuleDraft,
  withCondition,
} from '../../../../src/renderer/matching/rules/draft.ts';
import { ruleSentence } from '../../../../src/renderer/matching/rules/sentence.ts';

const fees: RuleContent = {
  title: 'Bank charges',
  enabled: true,
  conditions: [
    { field: 'text', is: 'contains', value: 'fee' },
    { field: 'amount', from_in_cents: -500, to_in_cents: 0 },
    { field: 'account', accounts: [2] },
    { field: 'kind', kinds: ['entry', 'fee'] },
    { field: 'reference', is: 'empty', value: '' },
  ],
  action: { do: 'tolerate', category: 'fee', most_in_cents: 150, most_basis_points: 25 },
};

const filled: RuleDraft = {
  ...newRule,
  title: 'Fees',
  category: 'Fee',
  conditions: newRule.conditions.map((condition) => ({ ...condition, value: 'fee' })),
};
const withField = (change: Partial<RuleDraft['conditions'][number]>): RuleDraft => ({
  ...filled,
  conditions: filled.conditions.map((condition) => ({ ...condition, ...change })),
});

describe('a rule as it is typed', () => {
  test('typed over and left alone, it is the same rule', () => {
    expect(contentOf(draftOf(fees))).toEqual({ content: fees, fault: null });
  });

  test('a category is written small; words are trimmed', () => {
    expect(contentOf(filled).content).toMatchObject({ action: { do: 'categorise', category: 'fee' } });
  });

  test.each<[RuleDraft, string]>([
    [{ ...filled, title: ' ' }, 'title'],
    [withField({ value: ' ' }), 'value'],
    [withField({ field: 'amount' }), 'amount'],
    [withField({ field: 'amount', from: '2', to: '1' }), 'amount'],
    [withField({ field: 'amount', from: 'x', to: '1' }), 'amount'],
    [withField({ field: 'account' }), 'accounts'],
    [withField({ field: 'kind' }), 'kinds'],
    [{ ...filled, category: '9' }, 'category'],
    [{ ...filled, action: 'tolerate', most: '0' }, 'most'],
    [{ ...filled, action: 'tolerate', most: '1000.01' }, 'most'],
    [{ ...filled, action: 'tolerate', most: '1', percent: '11' }, 'percent'],
  ])('what keeps it from being one is named', (draft, fault) => {
    expect(contentOf(draft)).toEqual({ content: null, fault });
  });

  test('a condition is added under a key of its own', () => {
    const keys = withCondition(withCondition(filled)).conditions.map(({ key }) => key);
    expect(new Set(keys).size).toBe(3);
  });

  test('is said in a sentence', () => {
    expect(ruleSentence(fees, [{ id: 2, name: 'Main account' }])).toBe(
      'Any text contains “fee” and amount from \u22125.00 to 0.00 and account Main account and kind entry or fee and reference is empty: allow a difference of 1.50 and 0.25 % as fee.',
    );
  });
});

test('rules are moved before or behind another one, keeping the order of the rest', () => {
  expect(moved([1, 2, 3, 4], new Set([4]), 2, 'before')).toEqual([1, 4, 2, 3]);
  expect(moved([1, 2, 3, 4], new Set([1]), 3, 'after')).toEqual([2, 3, 1, 4]);
  expect(moved([1, 2, 3, 4], new Set([1, 3]), 4, 'after')).toEqual([2, 4, 1, 3]);
  expect(moved([1, 2], new Set([1]), 1, 'after')).toEqual([1, 2]);
});
