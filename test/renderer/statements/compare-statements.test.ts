import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TransactionRow } from '../../../src/contract/index.ts';
import {
  getAmountDifference,
  pairTransactions,
} from '../../../src/renderer/statements/compare-statements.ts';
import { calculateRunningBalances } from '../../../src/renderer/statements/running-balances.ts';

let listIds = 0;
function line(part: Partial<TransactionRow>): TransactionRow {
  listIds += 1;
  return {
    id: listIds,
    statement_id: 1,
    subscription_id: 1,
    transaction_type: 'charge',
    type: 'Charge',
    kind: 'baseline',
    amount_in_cents: 100,
    starting_balance_in_cents: null,
    ending_balance_in_cents: null,
    success: true,
    memo: null,
    created_at: null,
    product_id: null,
    payment_id: null,
    gateway_transaction_id: null,
    extra: {},
    ...part,
  };
}

const findPairedMemos = (pairs: ReturnType<typeof pairTransactions>) =>
  pairs.map(({ left, right }) => [left?.memo ?? null, right?.memo ?? null]);

test('transactions whose memos differ only in dates and numbers are paired', () => {
  const pairs = pairTransactions(
    [line({ memo: 'Gold (09/26/2026 - 10/26/2026)' }), line({ memo: 'Seats: 28', amount_in_cents: 2800 })],
    [
      line({ memo: 'Seats: 25', amount_in_cents: 2500 }),
      line({ memo: 'Gold (08/26/2026 - 09/26/2026)' }),
      line({ memo: 'Late fee', amount_in_cents: 5 }),
    ],
  );
  expect(findPairedMemos(pairs)).toEqual([
    ['Gold (09/26/2026 - 10/26/2026)', 'Gold (08/26/2026 - 09/26/2026)'],
    ['Seats: 28', 'Seats: 25'],
    [null, 'Late fee'],
  ]);
  expect(pairs.map(getAmountDifference)).toEqual([0, 300, -5]);
});

test('equal amounts are paired first, and a failed payment is never paired with a successful one', () => {
  const twice = [line({ memo: 'Fee', amount_in_cents: 1 }), line({ memo: 'Fee', amount_in_cents: 2 })];
  const other = [line({ memo: 'Fee', amount_in_cents: 2 }), line({ memo: 'Fee', amount_in_cents: 9 })];
  expect(pairTransactions(twice, other).map(getAmountDifference)).toEqual([-8, 0]);
  const paid = line({ transaction_type: 'payment', type: 'Payment', kind: null, memo: 'Renewal' });
  expect(pairTransactions([paid], [{ ...paid, success: false }])).toHaveLength(2);
});

test('every transaction is included exactly once', () => {
  const lines = fc.array(
    fc
      .record({
        memo: fc.constantFrom(null, 'Gold 1', 'Gold 2', 'Fee'),
        kind: fc.constantFrom(null, 'baseline'),
        amount_in_cents: fc.constantFrom(1, 2),
      })
      .map(line),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(lines, lines, (left, right) => {
      const pairs = pairTransactions(left, right);
      expect(pairs.flatMap((pair) => pair.left ?? [])).toEqual(left);
      const others = pairs.flatMap((pair) => pair.right ?? []);
      expect(new Set(others)).toEqual(new Set(right));
      expect(others).toHaveLength(right.length);
    }),
  );
});

test('a balance is sent by the service, calculated from the previous transaction, or unknown', () => {
  const transactions = [
    line({ amount_in_cents: 500 }),
    line({ transaction_type: 'payment', type: 'Payment', kind: null, amount_in_cents: 200 }),
    line({ ending_balance_in_cents: 999 }),
    line({ amount_in_cents: 1 }),
    line({ transaction_type: 'mystery', type: 'Mystery', kind: null }),
    line({ amount_in_cents: 1 }),
  ];
  const balances = calculateRunningBalances({ starting_balance_in_cents: 1000, transactions });
  expect(transactions.map(({ id }) => balances.get(id))).toEqual([
    { cents: 1500, sent: false },
    { cents: 1300, sent: false },
    { cents: 999, sent: true },
    { cents: 1000, sent: false },
    { cents: null, sent: false },
    { cents: null, sent: false },
  ]);
});
