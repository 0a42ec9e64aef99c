import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readMatchingInputs } from '../../../src/backend/matching/matching-inputs.ts';
import type { BackendClient, Payment } from '../../../src/contract/index.ts';
import { runMatching as matchEngine } from '../../../src/domain/matching/index.ts';
import { type BankBench, openBankBench, SITE, standardCsv } from '../bank/bank-bench.ts';
import { expectInvariants } from './books-invariants.ts';

let bench: BankBench;
beforeEach(async () => {
  bench = await openBankBench();
});
afterEach(async () => {
  expectInvariants(bench.books());
  await bench.close();
});

const processor = {
  name: 'my-processor',
  label: 'My processor',
  source: 'processor',
  recognized_by: [],
  columns: {
    booked_on: ['date'],
    kind: ['type'],
    amount: ['gross'],
    fee: ['fee'],
    payout_id: ['payout'],
    gateway_transaction_id: ['charge'],
    description: ['type'],
  },
  kinds: { charge: 'payment', refund: 'refund', payout: 'payout', dispute: 'chargeback' },
  date_order: 'ymd',
  decimal_mark: '.',
  currency: 'USD',
};

const report = `date,type,gross,fee,payout,charge
2026-10-01,charge,19.00,0.85,po_7781a,ch_aa1
2026-10-01,charge,49.00,1.72,po_7781a,ch_bb2
2026-10-02,refund,-19.00,0,po_7781a,
2026-10-03,payout,-46.43,0,po_7781a,
`;

describe('deposit', () => {
  it('confirmed by a person is not matched again', async () => {
    const { client } = bench;
    bench.replacePayments([{ id: 1, amount: 1900, on: '2026-10-01', gateway: 'ch_aa1' }]);
    // The report has no line for the payout itself, so only the decision identifies the match.
    const bare = 'date,type,gross,fee,payout,charge\n2026-10-01,charge,19.00,0.85,po_7781a,ch_aa1\n';
    await bench.import(bare, { account: 'Processor', profile: undefined, custom_profile: processor });
    const deposit = ['2026-10-04', '18.15', 'PROCESSOR PAYOUT', 'po_7781a'] as const;
    await bench.import(standardCsv([deposit]));
    await bench.match();
    const found = async () =>
      (await client.match.list({ site: SITE, filter: { rule: ['payout-reference'] } })).rows;
    const [first] = await found();
    await client.match.undo({ site: SITE, ids: [first!.id], reason: 'a test' });
    await bench.match();
    const again = (await found()).find(({ status }) => status === 'suggested');
    await client.match.confirm({ site: SITE, ids: [again!.id] });
    expect([...readMatchingInputs(bench.books(), null).payouts]).toMatchObject([
      { deposited_in_cents: 1815 },
    ]);

    await bench.import(standardCsv([deposit, deposit]), { name: 'twice.csv' });
    const { run } = await bench.match();
    expect(run).toMatchObject({ state: 'done', unmatched_lines: 1 });
    expect((await found()).filter(({ status }) => status === 'confirmed').map(({ id }) => id)).toEqual([
      again!.id,
    ]);
  });
});

describe('payout', () => {
  beforeEach(async () => {
    bench.replacePayments([
      { id: 1, amount: 1900, on: '2026-10-01', gateway: 'ch_aa1' },
      { id: 2, amount: 4900, on: '2026-10-01', gateway: 'ch_bb2' },
    ]);
    await bench.import(report, {
      account: 'Processor',
      profile: undefined,
      custom_profile: processor,
      name: 'report.csv',
    });
    await bench.import(
      standardCsv([
        ['2026-10-04', '46.43', 'PROCESSOR PAYOUT', 'po_7781a'],
        ['2026-10-04', '-5.00', 'FEE'],
      ]),
    );
  });

  it('is reconciled from gross to net and matched with its deposit without a difference', async () => {
    await bench.match();
    const { client } = bench;
    const { rows } = await client.match.payouts({ site: SITE });
    expect(rows).toMatchObject([
      {
        payout_id: 'po_7781a',
        account: { name: 'Processor' },
        net_in_cents: 4643,
        stated_in_cents: 4643,
        deposited_in_cents: 4643,
        unexplained_in_cents: 0,
        lines: 3,
        payments: 2,
        payments_matched: 2,
        bridge: [
          { category: 'payment', count: 2, amount_in_cents: 6800 },
          { category: 'refund', count: 1, amount_in_cents: -1900 },
          { category: 'fee', count: 2, amount_in_cents: -257 },
        ],
        deposit: { status: 'confirmed', booked_on: '2026-10-04', account: 'Main' },
      },
    ]);
    const engine = [...matchEngine(readMatchingInputs(bench.books(), null).input).payouts()];
    expect(
      engine.map(({ net_in_cents, unexplained_in_cents, lines }) => [
        net_in_cents,
        unexplained_in_cents,
        lines,
      ]),
    ).toEqual([[4643, 0, 3]]);
    const detail = await client.match.getPayout({ site: SITE, id: rows[0]!.id });
    expect(detail.rows.map(({ row }) => row)).toEqual([1, 2, 3, 4]);
    expect((await client.match.payouts({ site: SITE, filter: { is: 'deposited' } })).rows.length).toBe(1);
    for (const is of ['waiting', 'unexplained'] as const) {
      expect((await client.match.payouts({ site: SITE, filter: { is } })).rows).toEqual([]);
    }
    expect((await client.match.summary({ site: SITE })).payouts).toEqual({
      total: 1,
      waiting: 0,
    });
  });

  it('is removed and restored together with its report', async () => {
    await bench.match();
    const { client } = bench;
    const { job } = await client.bank.removeImport({ site: SITE, id: 1, reason: 'a test' });
    await bench.waitForJob(job);
    expect((await client.match.payouts({ site: SITE })).rows).toEqual([]);
    expect((await client.match.list({ site: SITE, filter: { status: ['confirmed'] } })).rows).toEqual([]);
    await bench.import(report, {
      account: 'Processor',
      profile: undefined,
      custom_profile: processor,
      name: 'report.csv',
    });
    await bench.match();
    expect((await client.match.payouts({ site: SITE })).rows).toMatchObject([{ deposited_in_cents: 4643 }]);
  });
});

describe('decision', () => {
  beforeEach(async () => {
    bench.replacePayments([
      { id: 1, amount: 1900, on: '2026-10-01', customer: 'Ada Byron' },
      { id: 2, amount: 1900, on: '2026-10-01', customer: 'Bo Diddley' },
      { id: 3, amount: 5000, on: '2026-10-02', gateway: 'ch_cc3' },
    ]);
    await bench.import(
      standardCsv([
        ['2026-10-02', '19.00', 'CARD'],
        ['2026-10-02', '19.00', 'CARD'],
        ['2026-10-03', '50.00', 'CARD', 'ch_cc3'],
        ['2026-10-03', '12.00', 'EURO', '', 'EUR'],
      ]),
    );
    await bench.match();
  });

  const groups = async (status: 'confirmed' | 'suggested' | 'ambiguous' | 'declined' | 'undone') =>
    (await bench.client.match.list({ site: SITE, filter: { status: [status] } })).rows;

  it('to undo an automatic match prevents later runs from confirming it again', async () => {
    const { client } = bench;
    const [group] = await groups('confirmed');
    expect(group).toMatchObject({
      rule: 'gateway-id',
      transactions: [{ id: 3 }],
      bank_lines: [{ row: 3, file: 'bank.csv' }],
    });
    await client.match.undo({ site: SITE, ids: [group!.id], reason: 'another customer' });
    await bench.match();
    expect(await groups('confirmed')).toEqual([]);
    const again = (await groups('suggested')).find(({ rule }) => rule === 'gateway-id');
    expect(again?.reasons.at(-1)?.text).toMatch(/undone before/);
    const [confirmed] = await client.match.confirm({ site: SITE, ids: [again!.id] });
    expect(confirmed).toMatchObject({ status: 'confirmed', changed_by: 'ada' });
    await bench.match();
    expect((await groups('confirmed')).map(({ id }) => id)).toEqual([again!.id]);
    const { history } = await client.match.get({ site: SITE, id: group!.id });
    expect(history.map(({ action, user, text }) => [action, user, text])).toEqual([
      ['proposed', null, 'Found by run 1.'],
      ['undone', 'ada', 'another customer'],
    ]);
  });

  it('can match partial amounts, but not used amounts, several currencies or a remaining difference', async () => {
    const { client } = bench;
    const made = await client.match.make({
      site: SITE,
      lines: [{ id: 1 }],
      transactions: [
        { id: 1, allocated_in_cents: 1000 },
        { id: 2, allocated_in_cents: 900 },
      ],
      reason: 'they say so',
    });
    expect(made).toMatchObject({
      status: 'confirmed',
      rule: 'manual',
      difference_in_cents: 0,
      transaction_count: 2,
    });
    expect(await client.match.getPayment({ site: SITE, id: 1 })).toMatchObject({
      state: 'partial',
      claimed_in_cents: 1000,
    });
    await expectUnmatchedTotals(client);
    const expectRejected = (input: Parameters<typeof client.match.make>[0]) =>
      client.match.make(input).catch((error) => [error.code, error.message]);
    expect(await expectRejected({ site: SITE, lines: [{ id: 1 }], transactions: [{ id: 2 }] })).toEqual([
      'conflict',
      'Line 1 (2026-10-02, 19.00 USD) is already matched completely.',
    ]);
    expect(await expectRejected({ site: SITE, lines: [{ id: 4 }], transactions: [{ id: 2 }] })).toMatchObject(
      ['conflict', /EUR/],
    );
    expect(await expectRejected({ site: SITE, lines: [{ id: 2 }], transactions: [{ id: 1 }] })).toEqual([
      'conflict',
      'The lines total 19.00 USD and the payments 9.00. The difference is 10.00.',
    ]);
    const parts = await client.match.split({
      site: SITE,
      id: made.id,
      parts: [
        {
          lines: [{ id: 1, allocated_in_cents: 1000 }],
          transactions: [{ id: 1 }].map((each) => ({ ...each, allocated_in_cents: 1000 })),
        },
        { lines: [{ id: 1, allocated_in_cents: 900 }], transactions: [{ id: 2, allocated_in_cents: 900 }] },
      ],
      reason: 'two matters',
    });
    expect(parts.map(({ status, lines_in_cents }) => [status, lines_in_cents])).toEqual([
      ['confirmed', 1000],
      ['confirmed', 900],
    ]);
    expect((await client.match.get({ site: SITE, id: made.id })).status).toBe('undone');
    expect((await client.bank.getLine({ site: SITE, id: 1 })).groups.toSorted((a, b) => a - b)).toContain(
      parts[0]!.id,
    );
  });

  it('to write off records the category, and ignored items do not count as matched', async () => {
    const { client } = bench;
    const [fee] = await client.match.writeOff({
      site: SITE,
      lines: [4],
      category: 'fx',
      reason: 'sold euros',
    });
    expect(fee).toMatchObject({
      rule: 'write-off',
      adjustments: [{ category: 'fx', amount_in_cents: 1200, reason: 'sold euros' }],
    });
    await client.match.writeOff({ site: SITE, lines: [1], category: 'ignored', reason: 'none of ours' });
    expect((await client.bank.getLine({ site: SITE, id: 1 })).state).toBe('ignored');
    expect((await client.bank.getLine({ site: SITE, id: 4 })).state).toBe('matched');
    expect((await client.match.categories({ site: SITE })).filter(({ groups: count }) => count > 0)).toEqual([
      { category: 'fx', groups: 1, added: false },
      { category: 'ignored', groups: 1, added: false },
    ]);
    await expect(
      client.match.writeOff({ site: SITE, lines: [4], category: 'fee', reason: 'again' }),
    ).rejects.toMatchObject({ code: 'conflict' });
  });

  it('is recorded in the audit log with its reason', async () => {
    const { client } = bench;
    const [group] = await groups('confirmed');
    await client.match.undo({ site: SITE, ids: [group!.id], reason: 'a test' });
    await client.comments.add({ site: SITE, subjects: [{ kind: 'line', id: '3' }], text: 'asked the bank' });
    const { rows } = await client.audit.list({ site: SITE });
    expect(rows.map(({ action, subject, reason }) => [action, subject, reason])).toEqual([
      ['comments.add', 'line:3', null],
      ['match.undo', String(group!.id), 'a test'],
      ['match.run', '1', null],
      ['match.begin', '1', null],
      ['bank.import', '1', null],
    ]);
    expect(await client.bank.getLine({ site: SITE, id: 3 })).toMatchObject({
      comments: 1,
    });
  });

  it('of an entire run can be undone, and the next run finds its matches again', async () => {
    const { client } = bench;
    const before = await bench.match({ dry_run: true });
    const { job } = await client.match.undoRun({ site: SITE, id: 1, reason: 'too early' });
    expect(await bench.waitForJob(job)).toMatchObject({ state: 'done' });
    expect([...(await groups('confirmed')), ...(await groups('ambiguous'))]).toEqual([]);
    const { run } = await bench.match();
    expect(run.digest).toBe(before.run.digest);
    expect((await groups('confirmed')).length).toBe(1);
  });

  it.each([
    ['a run', false],
    ['a dry run', true],
  ])(
    'is undone by %s if the payment has changed in the billing service, with an audit entry',
    async (_, dry_run) => {
      const { client } = bench;
      const [group] = await groups('confirmed');
      bench.replacePayments([{ id: 3, amount: 6000, on: '2026-10-02', gateway: 'ch_cc3' }]);
      await bench.match({ dry_run });
      expect(await groups('confirmed')).toEqual([]);
      expect(await client.match.get({ site: SITE, id: group!.id })).toMatchObject({
        status: 'undone',
        reason: expect.stringContaining('5000 to 6000'),
      });
      const { rows } = await client.audit.list({ site: SITE, filter: { action: 'match.changed' } });
      expect(rows.map(({ subject }) => subject)).toEqual([String(group!.id)]);
      expect(
        (await client.match.payments({ site: SITE })).rows.map(({ id, amount_in_cents }) => [
          id,
          amount_in_cents,
        ]),
      ).toEqual([[3, 6000]]);
    },
  );

  it('by a match rule applies to the lines of its conditions, in order, and can be previewed', async () => {
    const { client } = bench;
    const rule = {
      title: 'Euros',
      conditions: [{ field: 'text' as const, is: 'contains' as const, value: 'euro' }],
      action: { do: 'ignore' as const },
    };
    expect(await client.match.tryRule({ site: SITE, ...rule })).toMatchObject({
      lines: 1,
      rows: [{ id: 4 }],
      sums: [{ currency: 'EUR', in_cents: 1200 }],
    });
    const first = await client.match.saveRule({ site: SITE, ...rule });
    const second = await client.match.saveRule({
      site: SITE,
      ...rule,
      title: 'Also',
      action: { do: 'categorize', category: 'fx' },
    });
    expect((await client.match.summary({ site: SITE })).stale).toMatch(/Rules/);
    await client.match.orderRules({ site: SITE, ids: [second.id, first.id] });
    await bench.match();
    expect((await client.bank.getLine({ site: SITE, id: 4 })).state).toBe('matched');
    await client.match.removeRule({ site: SITE, id: second.id });
    await bench.match();
    expect((await client.bank.getLine({ site: SITE, id: 4 })).state).toBe('ignored');
    expect(
      (await client.match.rules({ site: SITE })).map(({ title, groups: made, version }) => [
        title,
        made,
        version,
      ]),
    ).toEqual([['Euros', 1, 1]]);
  });
});

/** Expects that the unmatched totals of every account, and of the payments, add up from the listed rows. */
async function expectUnmatchedTotals(client: BackendClient): Promise<void> {
  const state = ['open' as const, 'ambiguous' as const, 'suggested' as const, 'partial' as const];
  const addUp = (rows: readonly Pick<Payment, 'amount_in_cents' | 'claimed_in_cents' | 'currency'>[]) =>
    [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, each]) => {
      const open = each.map((row) => row.amount_in_cents - row.claimed_in_cents);
      const sum = (cents: number[]) => cents.reduce((total, cent) => total + cent, 0);
      const [in_cents, out_cents] = [sum(open.filter((c) => c > 0)), sum(open.filter((c) => c < 0))];
      return { currency, count: each.length, in_cents, out_cents };
    });
  const payments = await client.match.payments({ site: SITE, filter: { state }, limit: 1000 });
  expect(payments.rows.some((row) => row.state === 'partial')).toBe(true);
  const { unmatched_payments } = await client.match.summary({ site: SITE });
  expect(unmatched_payments).toEqual(addUp(payments.rows));
  for (const { id, unmatched } of await client.bank.accounts({ site: SITE })) {
    const { rows } = await client.bank.lines({ site: SITE, filter: { account: [id], state }, limit: 1000 });
    expect(new Set(unmatched)).toEqual(new Set(addUp(rows)));
  }
}
