import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MatchGroup } from '../../../src/contract/index.ts';
import { type BankBench, openBankBench, SITE, standardCsv } from '../bank/bank-bench.ts';

let bench: BankBench;
beforeEach(async () => {
  bench = await openBankBench();
});
afterEach(() => bench.close());

const listOpen = async (): Promise<readonly MatchGroup[]> =>
  (await bench.client.match.list({ site: SITE, filter: { status: ['suggested', 'ambiguous'] } })).rows;

const confirm = (id: number) => bench.client.match.confirm({ site: SITE, ids: [id] });

describe('a match without a payment', () => {
  it('that several payments fit is not confirmed', async () => {
    bench.replacePayments([{ id: 71, amount: 3300, on: '2026-09-02', customer: 'Ida Falk' }]);
    const twice = ['2026-09-04', '33.00', 'CARD'] as const;
    await bench.import(standardCsv([twice, ['2026-09-05', '33.00', 'CARD']]));
    await bench.match();
    const open = (await listOpen()).filter(({ transaction_count }) => transaction_count === 0);
    expect(open).toHaveLength(1);
    await expect(confirm(open[0]!.id)).rejects.toMatchObject({
      code: 'conflict',
      message: `Match ${open[0]!.id} has no payment.`,
    });
  });

  it('is not proposed as a chargeback if two refunds of the reversed payment fit', async () => {
    bench.replacePayments([
      { id: 81, amount: 2750, on: '2026-06-01', gateway: 'ch_81xa' },
      { id: 82, amount: -2750, on: '2026-06-05', kind: 'refund', gateway: 're_82', payment: 81 },
      { id: 83, amount: -2750, on: '2026-06-06', kind: 'refund', gateway: 're_83', payment: 81 },
    ]);
    await bench.import(
      standardCsv([
        ['2026-06-02', '27.50', 'CARD', 'ch_81xa'],
        ['2026-09-08', '-27.50', 'RETURN', 'ch_81xa'],
      ]),
    );
    await bench.match();
    const [open] = await listOpen();
    expect(open).toMatchObject({
      ...{ status: 'ambiguous', rule: 'reversal', alternatives: 1, adjustments: [] },
      ...{ transactions: [{ id: 82 }], reverses: 81 },
    });
    expect(await confirm(open!.id)).toMatchObject([{ status: 'confirmed', transactions: [{ id: 82 }] }]);
  });

  it('that a rule assigned to a category and a person undid is not confirmed', async () => {
    const { client } = bench;
    const conditions = [{ field: 'text' as const, is: 'contains' as const, value: 'quarterly' }];
    const action = { do: 'categorize' as const, category: 'fee' };
    await client.match.saveRule({ site: SITE, title: 'Fees', conditions, action });
    await bench.import(standardCsv([['2026-09-30', '-4.20', 'QUARTERLY CHARGE']]));
    await bench.match();
    const [assigned] = (await client.match.list({ site: SITE, filter: { status: ['confirmed'] } })).rows;
    await client.match.undo({ site: SITE, ids: [assigned!.id], reason: 'no fee' });
    await bench.match();
    const [open] = await listOpen();
    expect(open).toMatchObject({ rule: 'user-rule', difference_in_cents: 0 });
    await expect(confirm(open!.id)).rejects.toMatchObject({ code: 'conflict' });
    expect(await client.match.acceptRule({ site: SITE, rule: 'user-rule' })).toEqual({
      confirmed: 0,
      left: 1,
    });
  });

  it('but with the payment that it reverses is confirmed as long as that payment is stored', async () => {
    const reversed = { id: 91, amount: 9900, on: '2026-09-01', gateway: 'ch_91xb' };
    bench.replacePayments([reversed]);
    await bench.import(standardCsv([['2026-09-08', '-40.00', 'CHARGEBACK', 'ch_91xb']]));
    await bench.match();
    const [open] = await listOpen();
    expect(open).toMatchObject({ status: 'suggested', transaction_count: 0, reverses: 91 });
    expect(await confirm(open!.id)).toMatchObject([{ status: 'confirmed' }]);
  });
});
