import { describe, expect, it } from 'vitest';
import { getChangeSize, type RowFields } from '../../../src/backend/changes-since-sign-off/change-amounts.ts';
import { readSealedSuspensionPolicy } from '../../../src/backend/periods/suspended-sign-off.ts';

const charge = {
  ...{ id: 1, type: 'charge', created_at: '2026-03-02T10:00:00Z' },
  ...{ starting_balance_in_cents: 0, ending_balance_in_cents: 3300 },
};
const discount = { ...charge, id: 2, starting_balance_in_cents: 3300, ending_balance_in_cents: 2900 };
const rows = {
  payment: { paid_on: '2026-03-09', currency: 'EUR', amount_in_cents: 2900, kind: 'payment' },
  line: { booked_on: '2026-03-09', amount_in_cents: -780, account: 4, description: 'FEE' },
  payout: { paid_on: '2026-03-10', stated_in_cents: 6100 },
  statement: { ending_balance_in_cents: 0, closed_at: '2026-03-02', transactions: [charge, discount] },
  exception: { status: 'open', at_stake_in_cents: 450, difference_in_cents: null },
  match: { lines_in_cents: 2900, transactions_in_cents: 2950, adjustments_in_cents: -50, reason: null },
  file: { id: 3, bytes: 800 },
} satisfies Record<string, RowFields>;

const change = (kind: keyof typeof rows, changed: RowFields) =>
  getChangeSize(kind, rows[kind], { ...rows[kind], ...changed });

describe('the size of a change', () => {
  it.each([
    ['payment', { amount_in_cents: 2650 }, 250],
    ['payment', { paid_on: '2026-03-11' }, 2900],
    ['payment', { currency: 'USD', amount_in_cents: 3100 }, 3100],
    ['line', { description: 'Fee' }, 0],
    ['line', { account: 5 }, 780],
    ['payout', { stated_in_cents: null }, null],
    ['payout', { paid_on: '2026-03-12' }, 6100],
    ['exception', { at_stake_in_cents: 500 }, 50],
    ['exception', { status: 'accepted' }, 450],
    ['exception', { at_stake_in_cents: 0 }, null],
    ['exception', { at_stake_in_cents: 0, difference_in_cents: 0 }, 450],
    ['match', { reason: 'Checked.' }, 0],
    ['match', { cleared_on: '2026-03-30' }, 2950],
    ['file', { bytes: 801 }, null],
  ] as const)('of a %s with %j is %s', (kind, changed, size) => {
    expect(change(kind, changed)).toBe(size);
  });

  it.each([
    ['a payment', 'payment', 2900],
    ['a line', 'line', 780],
    ['a statement', 'statement', 3300],
    ['a match', 'match', 2950],
    ['a file', 'file', null],
  ] as const)('of %s that was added or removed is its amount', (_, kind, size) => {
    expect(getChangeSize(kind, null, rows[kind])).toBe(size);
    expect(getChangeSize(kind, rows[kind], null)).toBe(size);
  });

  it('of a statement counts opposite changes of charges, and moved transactions, in full', () => {
    const second = { ...charge, id: 3, starting_balance_in_cents: 2900, ending_balance_in_cents: 4000 };
    const withSecond = { transactions: [charge, discount, second] };
    const was = { ...rows.statement, ...withSecond };
    const replace = (...changed: RowFields[]) =>
      getChangeSize('statement', was, {
        ...was,
        transactions: was.transactions.map((each) => changed.find(({ id }) => id === each.id) ?? each),
      });
    expect(replace()).toBe(0);
    expect(
      replace({ ...charge, ending_balance_in_cents: 3400 }, { ...second, ending_balance_in_cents: 3900 }),
    ).toBe(200);
    expect(replace({ ...charge, created_at: '2026-03-05T10:00:00Z' })).toBe(3300);
    expect(replace({ ...discount, ending_balance_in_cents: null })).toBeNull();
    expect(getChangeSize('statement', was, { ...was, closed_at: '2026-03-07' })).toBe(4400);
  });
});

it('applies the strictest policy for suspension if the sealed one cannot be read', () => {
  const thresholds = [{ schedule: 'S3', currency: 'EUR', amount_in_cents: 40 }];
  const sealed = { suspend_on: 'never', thresholds };
  expect(readSealedSuspensionPolicy({ content: JSON.stringify({ suspension: sealed }) })).toEqual(sealed);
  for (const content of [null, '{"suspension":', 'null', '{}', '{"suspension":{"suspend_on":"later"}}'])
    expect(readSealedSuspensionPolicy({ content })).toEqual({ suspend_on: 'any', thresholds: [] });
});
