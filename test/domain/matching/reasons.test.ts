import { describe, expect, test } from 'vitest';
import type { MatchGroup } from '../../../src/domain/matching/index.ts';
import { runMatching } from '../../../src/domain/matching/index.ts';
import { generateWorld, generatorNames } from '../../corpus/generators/index.ts';
import { bank, line, payment, processor, runGroups, type SampleRows } from './sample-rows.ts';
import { traps } from './traps/situations.ts';
import { TrapRows, trapVariants } from './traps/variants.ts';

const listEvidence = ({ reasons }: MatchGroup, isAgainst: boolean): string[] =>
  reasons.filter(({ against = false }) => against === isAgainst).map(({ text }) => text);

const describeGroup = ({ status, rule, reasons }: MatchGroup): string =>
  `${status} ${rule} ${reasons.map(({ text }) => text).join(' ')}`;

describe('a proposed match states in sentences what speaks against it', () => {
  const names = ['Ines Quandt'];
  const paid = payment({ id: 2001, names, statement_id: 6_000_321 });

  test.each<[string, SampleRows, string[]]>([
    [
      'a smaller amount',
      { payments: [paid], lines: [line({ id: 1, reference: '6000321', amount_in_cents: 4780 })] },
      ['The amounts differ by 1.20: 47.80 ≠ 49.00.'],
    ],
    [
      'a part of the amount on an unusual date',
      {
        payments: [paid],
        lines: [line({ id: 1, reference: '6000321', amount_in_cents: 2450, booked_on: '2026-03-30' })],
      },
      [
        'The line is dated 28 days after the payment; 2 days before to 10 days after is usual.',
        'The line pays part of the payment.',
      ],
    ],
    [
      'another line of the same payer',
      {
        payments: [paid],
        lines: [1, 2].map((id) => line({ id, description: 'Ines Quandt', booked_on: `2026-03-0${id + 3}` })),
      },
      ['1 other line or payment fits equally well.'],
    ],
    [
      'a sum that may be a coincidence',
      {
        payments: [1100, 2200, 7300].map((cents, n) => payment({ id: 3001 + n, amount_in_cents: cents })),
        lines: [line({ id: 1, amount_in_cents: 8400 })],
      },
      [
        'The line names none of these payments.',
        'The sum may be a coincidence among 3 smaller payments near the date.',
      ],
    ],
  ])('%s', (_, rows, expected) => {
    const [group] = runGroups(rows);
    expect(listEvidence(group as MatchGroup, true)).toEqual(expected);
  });
});

test('a line that names the customer has that as evidence for the match', () => {
  const rows = {
    payments: [payment({ id: 4001, names: ['Ines Quandt'] })],
    lines: [line({ id: 1, counterparty: 'QUANDT INES' })],
  };
  const [group] = runGroups(rows);
  expect(group?.status).toBe('confirmed');
  expect(listEvidence(group as MatchGroup, false)).toContain('The line names the customer.');
});

test('every proposed match has evidence against it, and no automatically confirmed match does', () => {
  const inputs = [
    ...trapVariants
      .slice(0, 1)
      .flatMap((variant) =>
        traps.map(([, trap]) => ({ accounts: [bank, processor], ...trap(new TrapRows(variant), variant) })),
      ),
    ...generatorNames.map((_, n) => generateWorld(8800 + n, 200)),
  ];
  const groups = inputs.flatMap((input) => [...runMatching(input).groups()]);
  const misstated = groups.filter(
    (group) => (group.status === 'confirmed') !== (listEvidence(group, true).length === 0),
  );
  expect(groups.filter(({ status }) => status !== 'confirmed').length).toBeGreaterThan(100);
  expect([...new Set(misstated.map(describeGroup))]).toEqual([]);
  const sentence = /^[A-Z0-9].*\.$/s;
  const texts = new Set(groups.flatMap(({ reasons }) => reasons.map(({ text }) => text)));
  expect([...texts].filter((text) => !sentence.test(text))).toEqual([]);
});
