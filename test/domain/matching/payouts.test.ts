import { describe, expect, test } from 'vitest';
import { type MatchLine, runMatching } from '../../../src/domain/matching/index.ts';
import { findSumSubsets } from '../../../src/domain/matching/passes/suggest-sums.ts';
import {
  bank,
  line,
  payment,
  processor,
  runGroups,
  type SampleRows,
  summarizeGroups,
} from './sample-rows.ts';

/**
 * Returns a payout of three payments, a refund and a chargeback: 49 + 29 + 19 − 29 − 19, less 5.05 in fees and a 2.00
 * monthly fee.
 */
function createPayoutRows(deposit: Partial<MatchLine>): SampleRows {
  const payments = [
    payment({ id: 1001, gateway_transaction_id: 'ch_0001a' }),
    payment({ id: 1002, gateway_transaction_id: 'ch_0002b', amount_in_cents: 2900 }),
    payment({ id: 1003, gateway_transaction_id: 'ch_0003c', amount_in_cents: 1900 }),
    payment({
      id: 1004,
      gateway_transaction_id: 're_0002b',
      amount_in_cents: -2900,
      kind: 'refund',
      payment_id: 1002,
    }),
  ];
  const at = { account: processor.id, payout_id: 'po_1Nq8Zk', booked_on: '2026-03-02' };
  const lines = [
    line({ id: 1, ...at, kind: 'payment', gateway_transaction_id: 'ch_0001a', fee_in_cents: 172 }),
    line({
      id: 2,
      ...at,
      kind: 'payment',
      gateway_transaction_id: 'ch_0002b',
      amount_in_cents: 2900,
      fee_in_cents: 114,
    }),
    line({
      id: 3,
      ...at,
      kind: 'payment',
      gateway_transaction_id: 'ch_0003c',
      amount_in_cents: 1900,
      fee_in_cents: 85,
    }),
    line({ id: 4, ...at, kind: 'refund', gateway_transaction_id: 're_0002b', amount_in_cents: -2900 }),
    line({
      id: 5,
      ...at,
      kind: 'chargeback',
      gateway_transaction_id: 'ch_0003c',
      amount_in_cents: -1900,
      fee_in_cents: 134,
    }),
    line({ id: 6, ...at, kind: 'fee', amount_in_cents: -200, description: 'Monthly fee' }),
    line({ id: 7, ...at, kind: 'payout', amount_in_cents: -4195, booked_on: '2026-03-04' }),
    line({ id: 8, booked_on: '2026-03-06', amount_in_cents: 4195, ...deposit }),
  ];
  return { payments, lines };
}

describe('payouts', () => {
  test('matches a deposit by payout id with the report’s payout line and the lines that only the payout explains', () => {
    const rows = createPayoutRows({ description: 'PAYOUT PO-1NQ8ZK CARDS' });
    const groups = runGroups(rows);
    const deposit = groups.find(({ payout }) => payout !== null);
    expect(deposit).toMatchObject({
      status: 'confirmed',
      rule: 'payout-reference',
      payout: { account: processor.id, payout_id: 'po_1Nq8Zk' },
      lines: [
        { id: 8, allocated_in_cents: 4195 },
        { id: 7, allocated_in_cents: -4195 },
        { id: 6, allocated_in_cents: -200 },
      ],
      adjustments: [{ category: 'fee', amount_in_cents: -200, reason: 'part of the payout' }],
      difference_in_cents: 0,
    });
    expect(summarizeGroups(rows)).toEqual([
      'confirmed gateway-id 1=1001',
      'confirmed gateway-id 2=1002',
      'confirmed gateway-id 3=1003',
      'confirmed gateway-id 4=1004',
      'confirmed payout-reference 8+7+6=',
      'confirmed reversal 5=',
    ]);
  });

  test('builds a gross-to-net bridge without an unexplained amount', () => {
    const [bridge] = runMatching({
      accounts: [bank, processor],
      ...createPayoutRows({ reference: 'po_1Nq8Zk' }),
    }).payouts();
    expect(bridge).toMatchObject({
      parts: [
        { category: 'chargeback', count: 1, amount_in_cents: -1900 },
        { category: 'fee', count: 5, amount_in_cents: -705 },
        { category: 'payment', count: 3, amount_in_cents: 9700 },
        { category: 'refund', count: 1, amount_in_cents: -2900 },
      ],
      net_in_cents: 4195,
      deposit: { id: 8, allocated_in_cents: 4195 },
      unexplained_in_cents: 0,
    });
  });

  test('matches a deposit without an id by amount and date', () => {
    const groups = runGroups(createPayoutRows({ description: 'Cards' }));
    expect(groups.find(({ payout }) => payout !== null)).toMatchObject({
      rule: 'amount-date',
      status: 'confirmed',
    });
  });

  test('suggests a deposit that differs from the net and states the difference', () => {
    const rows = createPayoutRows({ reference: 'po_1Nq8Zk', amount_in_cents: 4100 });
    expect(runGroups(rows).find(({ payout }) => payout !== null)).toMatchObject({
      status: 'suggested',
      difference_in_cents: 4100 - 4195,
    });
    const payouts = [
      { account: processor.id, payout_id: 'po_1Nq8Zk', paid_on: '2026-03-04', stated_in_cents: 4100 },
    ];
    const [bridge] = runMatching({ accounts: [bank, processor], payouts, ...rows }).payouts();
    expect(bridge).toMatchObject({ deposit: null, stated_in_cents: 4100, unexplained_in_cents: -95 });
  });

  test('links a chargeback to its payment without claiming an amount', () => {
    const chargeback = runGroups(createPayoutRows({})).find(({ rule }) => rule === 'reversal');
    expect(chargeback).toMatchObject({
      reverses: 1003,
      payments: [],
      adjustments: [{ category: 'chargeback', amount_in_cents: -1900 }],
    });
  });

  test('does not treat a fee that names a payment as a reversal', () => {
    const fee = {
      account: processor.id,
      kind: 'fee',
      description: 'Fee of ch_0001a',
      amount_in_cents: -172,
    } as const;
    const payments = [payment({ id: 1001, gateway_transaction_id: 'ch_0001a' })];
    expect(summarizeGroups({ payments, lines: [line({ id: 1, ...fee })] })).toEqual([]);
  });

  test('accepts lines of kind payout or transfer as deposits', () => {
    const deposit = { kind: 'payout', description: 'PO 1NQ8ZK' } as const;
    expect(summarizeGroups(createPayoutRows(deposit))).toContain('confirmed payout-reference 8+7+6=');
  });

  test('does not propose a declined or confirmed deposit again', () => {
    const rows = createPayoutRows({ reference: 'po_1Nq8Zk' });
    const listPayouts = (more: Partial<SampleRows>): unknown[] =>
      runGroups({ ...rows, ...more }).filter(({ payout }) => payout !== null);
    expect(listPayouts({})).toHaveLength(1);
    expect(listPayouts({ declined: [{ lines: [8, 7, 6], payments: [] }] })).toEqual([]);
    const twin = [
      ...rows.lines,
      line({ id: 9, booked_on: '2026-03-07', amount_in_cents: 4195, reference: 'po_1Nq8Zk' }),
    ];
    const claims = [8, 7].map((id) => ({
      of: 'line' as const,
      id,
      amount_in_cents: id === 8 ? 4195 : -4195,
    }));
    expect(listPayouts({ lines: twin, claims })).toEqual([]);
  });

  test('links a refund to the payment it refunds', () => {
    expect(runGroups(createPayoutRows({})).find(({ lines }) => lines[0]?.id === 4)).toMatchObject({
      reverses: 1002,
    });
  });

  test('matches an outgoing line to the refund of the payment it names', () => {
    const payments = [
      payment({ id: 1001, gateway_transaction_id: 'ch_0001a' }),
      payment({
        id: 1002,
        kind: 'refund',
        payment_id: 1001,
        amount_in_cents: -4900,
        paid_on: '2026-03-09',
        gateway_transaction_id: 're_9z',
      }),
    ];
    const lines = [
      line({ id: 1, reference: 'ch_0001a' }),
      line({ id: 2, reference: 'ch_0001a', amount_in_cents: -4900, booked_on: '2026-03-10' }),
    ];
    expect(summarizeGroups({ payments, lines })).toEqual([
      'confirmed gateway-id 1=1001',
      'confirmed reversal 2=1002',
    ]);
    const twice = [
      ...payments,
      payment({ id: 1003, kind: 'refund', amount_in_cents: -4900, paid_on: '2026-03-09' }),
    ];
    expect(summarizeGroups({ payments: twice, lines })).toContain('confirmed reversal 2=1002');
  });

  /** Returns the rows of payouts with one charge and one payout line each, whose net amount is 47.28. */
  const listPayoutRows = (paidOn: readonly string[], statedCents = 4728): SampleRows => ({
    payments: paidOn.map((paid_on, n) =>
      payment({ id: 1001 + n, paid_on, gateway_transaction_id: `ch_000${n}a` }),
    ),
    lines: paidOn.flatMap((booked_on, n) => {
      const at = { account: processor.id, booked_on, payout_id: `po_9xk${n}` };
      const charge = { kind: 'payment', gateway_transaction_id: `ch_000${n}a`, fee_in_cents: 172 } as const;
      return [
        line({ id: 10 + 2 * n, ...at, ...charge }),
        line({ id: 11 + 2 * n, ...at, kind: 'payout', amount_in_cents: -4728 }),
      ];
    }),
    payouts: paidOn.map((paid_on, n) => ({
      account: processor.id,
      payout_id: `po_9xk${n}`,
      paid_on,
      stated_in_cents: statedCents,
    })),
  });
  const deposit = line({ id: 1, amount_in_cents: 4728, description: 'CARD PAYOUT', booked_on: '2026-03-20' });
  const findDeposit = (rows: SampleRows) =>
    runGroups({ ...rows, lines: [...rows.lines, deposit] }).find(({ lines }) =>
      lines.some(({ id }) => id === 1),
    );
  /** Money of customers that arrives 18 days after the payment, from which the account's window is learned. */
  const slowPayments = Array.from({ length: 30 }, (_, n) =>
    payment({ id: 2001 + n, amount_in_cents: 777 + n }),
  );
  const slowLines = slowPayments.map(({ id, amount_in_cents, statement_id }) =>
    line({ id, amount_in_cents, booked_on: '2026-03-20', reference: `INV ${statement_id}` }),
  );
  const withSlowMoney = (rows: SampleRows): SampleRows => ({
    ...rows,
    payments: [...rows.payments, ...slowPayments],
    lines: [...rows.lines, ...slowLines],
  });

  test('confirms the deposit of the only payout with its amount', () => {
    expect(findDeposit(listPayoutRows(['2026-03-18']))).toMatchObject({ status: 'confirmed' });
  });

  test('does not confirm an older payout whose deposit may be missing', () => {
    const rows = withSlowMoney(listPayoutRows(['2026-03-03', '2026-03-20']));
    expect(findDeposit(withSlowMoney(listPayoutRows(['2026-03-03'])))).toMatchObject({ status: 'confirmed' });
    expect(findDeposit(rows)?.status).not.toBe('confirmed');
  });

  test('does not confirm one of two deposits of a payout', () => {
    const rows = withSlowMoney(listPayoutRows(['2026-03-03']));
    const other = line({ ...deposit, id: 2, booked_on: '2026-03-05' });
    expect(findDeposit({ ...rows, lines: [...rows.lines, other] })?.status).not.toBe('confirmed');
  });

  test('does not confirm a payout whose report states another amount than its lines', () => {
    expect(findDeposit(listPayoutRows(['2026-03-18'], 4730))?.status).not.toBe('confirmed');
    const rows = listPayoutRows(['2026-03-18']);
    const lines = [...rows.lines].map((each) =>
      each.kind === 'payout' ? { ...each, amount_in_cents: -4730 } : each,
    );
    expect(findDeposit({ ...rows, lines })?.status).not.toBe('confirmed');
  });
});

describe('reversals', () => {
  test('are not confirmed if the id may be a slip of another payment of the customer', () => {
    const names = ['Ada Moll'];
    const listRows = (otherStatement: number): SampleRows => ({
      payments: [
        payment({ id: 1001, names, statement_id: 7_000_001 }),
        payment({ id: 1002, names, statement_id: otherStatement, paid_on: '2026-03-03' }),
      ],
      lines: [
        line({ id: 1, reference: 'INV 7000001', counterparty: 'ADA MOLL' }),
        line({ id: 2, reference: `INV ${otherStatement}`, counterparty: 'ADA MOLL' }),
        line({
          id: 3,
          reference: 'INV 7000001',
          counterparty: 'ADA MOLL',
          description: 'RETURN',
          amount_in_cents: -4900,
          booked_on: '2026-03-10',
        }),
      ],
    });
    const findReversal = (rows: SampleRows) => runGroups(rows).find(({ rule }) => rule === 'reversal');
    expect(findReversal(listRows(8_123_456))).toMatchObject({ status: 'confirmed', reverses: 1001 });
    expect(findReversal(listRows(7_000_002))?.status).toBe('suggested');
  });
});

describe('matching a payout to all payments of a day', () => {
  const days = (description: string): SampleRows => ({
    payments: [4900, 2900, 1900, 3333].map((amount_in_cents, n) =>
      payment({ id: 1001 + n, amount_in_cents, paid_on: n === 3 ? '2026-03-03' : '2026-03-02' }),
    ),
    lines: [line({ id: 1, amount_in_cents: 9700, description: description })],
  });

  test('confirms a payout equal to all payments of a day', () => {
    expect(summarizeGroups(days('Stripe payout'))).toEqual(['confirmed payout-days 1=1001+1002+1003']);
  });

  test('only suggests the match if the line is not marked as a payout', () => {
    expect(summarizeGroups(days('Incoming payment'))).toEqual(['suggested payout-days 1=1001+1002+1003']);
  });

  test('skips a day with an individually matched payment', () => {
    const rows = days('Stripe payout');
    const lines = [
      line({ id: 1, amount_in_cents: 7800, description: 'Stripe payout' }),
      line({ id: 2, amount_in_cents: 1900, booked_on: '2026-03-03' }),
    ];
    expect(summarizeGroups({ ...rows, lines })).toEqual([
      'confirmed amount-date 2=1003',
      'suggested sum 1=1001+1002',
    ]);
  });
});

describe('matching by sum', () => {
  test('suggests the only set with the sum but never confirms it', () => {
    const payments = [1234, 5678, 9999].map((amount_in_cents, n) =>
      payment({ id: 1001 + n, amount_in_cents, paid_on: `2026-03-0${n + 1}` }),
    );
    const lines = [line({ id: 1, amount_in_cents: 1234 + 9999 })];
    expect(summarizeGroups({ payments, lines })).toEqual(['suggested sum 1=1001+1003']);
  });

  test('counts other sets with the same sum', () => {
    const payments = [1000, 2000, 3000, 4000].map((amount_in_cents, n) =>
      payment({ id: 1001 + n, amount_in_cents, paid_on: `2026-03-0${n + 1}` }),
    );
    const [only] = runGroups({ payments, lines: [line({ id: 1, amount_in_cents: 5000 })] });
    expect(only).toMatchObject({ rule: 'sum', status: 'ambiguous', alternatives: 1 });
  });

  test('counts the solutions correctly', () => {
    const amounts = [5, 7, 11, 12, 16, 23, 28];
    const of = (total: number): number => {
      let count = 0;
      for (let set = 0; set < 1 << amounts.length; set++) {
        const items = amounts.filter((_, at) => (set >> at) & 1);
        if (items.length > 1 && items.length <= 6 && items.reduce((a, b) => a + b, 0) === total) count++;
      }
      return count;
    };
    for (let total = 5; total < 80; total++) {
      expect(
        findSumSubsets(
          amounts.map((amount) => ({ amount, cost: 0 })),
          total,
        ).solutions,
        String(total),
      ).toBe(of(total));
    }
  });

  test('reports lines with too many candidate payments', () => {
    const payments = Array.from({ length: 60 }, (_, n) =>
      payment({ id: 1001 + n, amount_in_cents: 1000 + n }),
    );
    const result = runMatching({
      accounts: [bank],
      payments,
      lines: [line({ id: 1, amount_in_cents: 2003 })],
    });
    expect(result.remarks).toEqual(['No sums tried for 1 line: more than 40 payments are near each.']);
  });
});
