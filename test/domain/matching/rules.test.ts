import { describe, expect, test } from 'vitest';
import type { MatchRule } from '../../../src/domain/matching/index.ts';
import { matchesRule } from '../../../src/domain/matching/index.ts';
import { bank, line, payment, runGroups } from './sample-rows.ts';

describe('match rule conditions', () => {
  const sampleLine = line({
    id: 1,
    description: 'Monthly  account FEE',
    reference: 'K-77',
    counterparty: 'First Bank',
    amount_in_cents: -350,
  });
  const isMatch = (condition: MatchRule['conditions'][number]): boolean =>
    matchesRule({ conditions: [condition] }, sampleLine);

  test.each([
    ['contains', 'account fee', true],
    ['contains', 'account fees', false],
    ['words', 'fee monthly first', true],
    ['words', 'fee yearly', false],
    ['begins', 'monthly', true],
    ['ends', 'bank', true],
    ['equals', 'monthly account fee k-77 first bank', true],
    ['empty', '', false],
  ] as const)('compare text: %s %j gives %s', (is, value, expected) => {
    expect(isMatch({ field: 'text', is, value })).toBe(expected);
  });

  test('include the bounds of amount ranges and match lists of accounts and kinds', () => {
    expect(isMatch({ field: 'amount', from_in_cents: -350, to_in_cents: -350 })).toBe(true);
    expect(isMatch({ field: 'amount', from_in_cents: null, to_in_cents: -351 })).toBe(false);
    expect(isMatch({ field: 'account', accounts: [7, bank.id] })).toBe(true);
    expect(isMatch({ field: 'kind', kinds: ['payment'] })).toBe(false);
    expect(isMatch({ field: 'bank_id', is: 'empty', value: '' })).toBe(true);
  });
});

describe('match rules', () => {
  const text = (value: string): MatchRule['conditions'] => [{ field: 'text', is: 'contains', value }];

  test('assign a line by the first rule that applies', () => {
    const rules: MatchRule[] = [
      { id: 31, conditions: text('rent'), action: { do: 'categorize', category: 'rent' } },
      { id: 32, conditions: text('office'), action: { do: 'ignore' } },
    ];
    const lines = [
      line({ id: 1, description: 'Office rent' }),
      line({ id: 2, description: 'Office chairs' }),
    ];
    const groups = runGroups({ payments: [], lines, rules }).sort(
      (a, b) => Number(a.user_rule) - Number(b.user_rule),
    );
    expect(groups).toMatchObject([
      {
        rule: 'user-rule',
        user_rule: 31,
        status: 'confirmed',
        adjustments: [{ category: 'rent', amount_in_cents: 4900 }],
      },
      { rule: 'user-rule', user_rule: 32, status: 'confirmed', adjustments: [{ category: 'ignored' }] },
    ]);
  });

  test('run after the id passes and before the amount passes', () => {
    const rules: MatchRule[] = [{ id: 31, conditions: text('payment'), action: { do: 'ignore' } }];
    const lines = [
      line({ id: 1, description: 'Payment 161537300' }),
      line({ id: 2, description: 'Payment' }),
    ];
    const payments = [payment({ id: 161_537_300 }), payment({ id: 161_537_332 })];
    expect(runGroups({ payments, lines, rules }).map(({ rule }) => rule)).toEqual([
      'id-in-text',
      'user-rule',
    ]);
  });

  test('categorize a tolerated difference of a payment found by id', () => {
    const rules: MatchRule[] = [
      {
        id: 31,
        conditions: text('wire'),
        action: { do: 'tolerate', category: 'bank charge', max_in_cents: 500, max_basis_points: 1000 },
      },
    ];
    const short = (amount_in_cents: number): unknown =>
      runGroups({
        payments: [payment({ id: 161_537_300 })],
        lines: [line({ id: 1, description: 'Wire 161537300', amount_in_cents })],
        rules,
      })[0];
    expect(short(4500)).toMatchObject({
      status: 'confirmed',
      user_rule: 31,
      adjustments: [{ category: 'bank charge', amount_in_cents: -400 }],
      difference_in_cents: 0,
    });
    expect(short(4401)).toMatchObject({ status: 'suggested' });
    expect(short(4300)).toMatchObject({ status: 'suggested' });
  });

  describe('a payee rule with a tolerance', () => {
    const rules: MatchRule[] = [
      {
        id: 31,
        conditions: text('wire'),
        action: { do: 'tolerate', category: 'bank charge', max_in_cents: 500, max_basis_points: null },
      },
    ];
    const ada = { names: ['Ada Byron'], paid_on: '2026-03-02' };
    const wire = { description: 'WIRE ADA BYRON', booked_on: '2026-03-04' };

    test('finds the customer’s only payment within the tolerance and categorizes the difference', () => {
      const payments = [payment({ id: 1, ...ada }), payment({ id: 2, names: ['Bo Lind'] })];
      const lines = [line({ id: 1, ...wire, amount_in_cents: 4600 })];
      expect(runGroups({ payments, lines, rules })).toMatchObject([
        {
          rule: 'payee',
          status: 'confirmed',
          user_rule: 31,
          payments: [{ id: 1, allocated_in_cents: 4900 }],
          adjustments: [{ category: 'bank charge', amount_in_cents: -300 }],
          difference_in_cents: 0,
        },
      ]);
      expect(runGroups({ payments, lines, rules: [] })).toEqual([]);
      const far = [line({ id: 1, ...wire, amount_in_cents: 4399 })];
      expect(runGroups({ payments, lines: far, rules })).toEqual([]);
    });

    test.each([
      [
        'two of the customer’s payments are within the tolerance',
        [payment({ id: 1, ...ada }), payment({ id: 2, ...ada, amount_in_cents: 4700 })],
        [line({ id: 1, ...wire, amount_in_cents: 4600 })],
      ],
      [
        'two lines fit the payment',
        [payment({ id: 1, ...ada })],
        [
          line({ id: 1, ...wire, amount_in_cents: 4600 }),
          line({ id: 2, ...wire, booked_on: '2026-03-05', amount_in_cents: 4700 }),
        ],
      ],
    ])('is ambiguous if %s', (_why, payments, lines) => {
      const groups = runGroups({ payments, lines, rules });
      expect(groups.length).toBe(lines.length);
      for (const group of groups)
        expect(group).toMatchObject({ status: 'ambiguous', alternatives: 1, payments: [] });
    });

    test.each([
      [
        'another line has exactly the payment’s amount',
        [line({ id: 1, ...wire, amount_in_cents: 4600 }), line({ id: 2, description: 'Deposit' })],
      ],
      [
        'the line contains only a part of the name',
        [line({ id: 1, description: 'WIRE A BYRON', amount_in_cents: 4600 })],
      ],
      ['the line arrives late', [line({ id: 1, ...wire, booked_on: '2026-03-15', amount_in_cents: 4600 })]],
    ])('only suggests a match if %s', (_why, lines) => {
      const groups = runGroups({ payments: [payment({ id: 1, ...ada })], lines, rules });
      expect(groups.find((group) => group.lines[0]?.id === 1)).toMatchObject({
        rule: 'payee',
        status: 'suggested',
        user_rule: 31,
        difference_in_cents: 0,
      });
    });

    test('ignores declined pairs and exact matches', () => {
      const payments = [payment({ id: 1, ...ada })];
      const short = line({ id: 1, ...wire, amount_in_cents: 4600 });
      const declined = [{ lines: [1], payments: [1] }];
      expect(runGroups({ payments, lines: [short], rules, declined })).toEqual([]);
      const exact = line({ id: 2, ...wire, booked_on: '2026-03-03' });
      const groups = runGroups({ payments, lines: [short, exact], rules });
      expect(groups).toMatchObject([{ status: 'confirmed', lines: [{ id: 2 }], adjustments: [] }]);
    });
  });
});
