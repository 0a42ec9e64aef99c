import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import { runInTransaction } from '../../../src/backend/store/sqlite/connection.ts';
import { upsertWebhooks } from '../../../src/backend/store/webhooks/webhook.ts';
import type { TrailStart } from '../../../src/contract/index.ts';
import { SITE, standardCsv } from '../bank/bank-bench.ts';
import { openPeriodBench, type PeriodBench } from '../periods/period-bench.ts';
import { createWebhook } from '../store/sample-records.ts';

const site = { site: SITE };

const processor = {
  ...{ name: 'cards', label: 'Cards', source: 'processor', recognized_by: [] },
  columns: {
    ...{ booked_on: ['date'], kind: ['kind'], amount: ['amount'], fee: ['fee'], description: ['kind'] },
    ...{ payout_id: ['payout'], gateway_transaction_id: ['charge'] },
  },
  kinds: { charge: 'payment', payout: 'payout' },
  ...{ date_order: 'ymd', decimal_mark: '.', currency: 'USD' },
};

let bench: PeriodBench;

/** One payment of 37.00 through a processor, one of 52.00 directly at the bank, and a ledger line for the deposit. */
beforeEach(async () => {
  bench = await openPeriodBench();
  const { client } = bench;
  bench.addStatements(
    { id: 31, on: '2026-10-06', cents: 3700, subscription: 310 },
    { id: 32, on: '2026-10-08', cents: 5200, subscription: 320 },
  );
  const cache = openStore(join(bench.home, 'sites', SITE, 'cache.db'), 'cache');
  const body = (id: number, payment: number, subscription: number) =>
    `id=${id}&event=payment_success&payload%5Btransaction%5D%5Bid%5D=${payment}&payload[subscription][id]=${subscription}`;
  runInTransaction(cache, () =>
    upsertWebhooks(
      cache,
      [
        createWebhook({ id: 901, body: body(901, 310, 310) }),
        // Contains the digits of the payment's ID, but is about another payment.
        createWebhook({ id: 902, body: body(902, 3109, 310), successful: false, last_error: 'timeout' }),
      ],
      1,
    ),
  );
  closeStore(cache);
  const report = [
    'payout,kind,amount,fee,date,charge',
    'po_k31,charge,37.00,1.37,2026-10-06,ch_x310',
    'po_k31,payout,-35.63,,2026-10-09,',
  ].join('\n');
  await bench.import(`${report}\n`, {
    account: 'Processor',
    name: 'report.csv',
    profile: undefined,
    custom_profile: processor,
  });
  await bench.import(
    standardCsv([
      ['2026-10-09', '35.63', 'PROCESSOR PAYOUT', 'po_k31'],
      ['2026-10-09', '52.00', 'CARD', 'ch_x320'],
    ]),
  );
  await bench.match();
  const ledger = [
    'Account,Date,Reference,Description,Debit,Credit',
    '1000,2026-10-12,9,Deposit,35.63,',
    '1150,2026-10-12,9,Deposit,,35.63',
  ].join('\n');
  const { upload } = await client.bank.upload({
    ...site,
    name: 'ledger.csv',
    data: Buffer.from(`${ledger}\n`).toString('base64'),
  });
  await client.ledger.import({ ...site, upload });
  await client.ledger.mapAccounts({ ...site, accounts: [{ account: '1000', area: 'cash' }] });
});
afterEach(() => bench.close());

const readTrail = (from: TrailStart) => bench.client.match.trail({ ...site, from });

/** Returns the titles and details of the records of each step. */
async function describeSteps(from: TrailStart): Promise<Record<string, readonly (string | null)[][]>> {
  const { steps } = await readTrail(from);
  return Object.fromEntries(
    steps.map(({ step, records }) => [step, records.map(({ title, detail }) => [title, detail])]),
  );
}

async function listIds(from: TrailStart): Promise<Record<string, readonly number[]>> {
  const { steps } = await readTrail(from);
  return Object.fromEntries(steps.map(({ step, records }) => [step, records.map(({ id }) => id)]));
}

describe('the trail of a payment', () => {
  it('leads from its charge over webhook, payout and deposit to the ledger', async () => {
    expect(await describeSteps({ kind: 'payment', id: 310 })).toEqual({
      charge: [['Monthly', 'baseline']],
      statement: [['Anna Larsson', null]],
      payment: [['Monthly', 'payment']],
      webhook: [['payment_success', 'accepted']],
      match: [
        ['gateway-id', 'confirmed'],
        ['payout-reference', 'confirmed'],
      ],
      payout: [['po_k31', 'Processor']],
      line: [
        ['charge', 'Processor'],
        ['payout', 'Processor'],
        ['PROCESSOR PAYOUT', 'Main'],
      ],
      'ledger-line': [['9 Deposit', '1000']],
    });
  });

  it('is found from every record on it', async () => {
    const ids = await listIds({ kind: 'payment', id: 310 });
    const kinds = ['statement', 'webhook', 'match', 'payout', 'line', 'ledger-line'] as const;
    for (const kind of kinds)
      for (const id of ids[kind] ?? []) expect(await listIds({ kind, id }), `${kind} ${id}`).toEqual(ids);
  });

  it('lists every step without a record, and no record of another payment', async () => {
    expect(await listIds({ kind: 'payment', id: 320 })).toMatchObject({
      ...{ charge: [321], statement: [32], payment: [320], webhook: [] },
      ...{ match: [expect.any(Number)], payout: [], line: [expect.any(Number)], 'ledger-line': [] },
    });
  });

  it('has a choice if the record belongs to several payments', async () => {
    const { client } = bench;
    bench.addStatements(
      { id: 33, on: '2026-10-13', cents: 1100, subscription: 330 },
      { id: 34, on: '2026-10-14', cents: 1300, subscription: 330 },
    );
    await bench.import(standardCsv([['2026-10-15', '24.00', 'WIRE']]), { name: 'wire.csv' });
    await bench.match();
    const [line] = (await client.bank.lines({ ...site, filter: { search: 'WIRE' } })).rows;
    await client.match.make({
      ...site,
      lines: [{ id: line!.id }],
      transactions: [{ id: 330 }, { id: 340 }],
    });
    const from = { kind: 'line', id: line!.id } as const;
    expect(await readTrail(from)).toMatchObject({
      ...{ payment: 330, payment_count: 2, payments: [{ id: 330 }, { id: 340 }] },
    });
    const second = await client.match.trail({ ...site, from, payment: 340 });
    expect(second.steps[1]).toMatchObject({ step: 'statement', records: [{ id: 34 }] });
    await expect(client.match.trail({ ...site, from, payment: 310 })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('is empty for a record that belongs to no payment', async () => {
    for (const from of [
      { kind: 'webhook', id: 12_345 },
      { kind: 'statement', id: 12_345 },
      { kind: 'ledger-line', id: 12_345 },
    ] as const)
      expect(await readTrail(from)).toEqual({ payments: [], payment_count: 0, payment: null, steps: [] });
  });
});
