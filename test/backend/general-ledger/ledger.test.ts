import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readBagText, withOpenBag } from '../../../src/backend/bagit/bag-reader.ts';
import { type BackendClient, periodReportSchema, toContractError } from '../../../src/contract/index.ts';
import { SITE, standardCsv } from '../bank/bank-bench.ts';
import { openPeriodBench, type PeriodBench } from '../periods/period-bench.ts';

let bench: PeriodBench;
let client: BackendClient;
const site = { site: SITE };
const october = { ...site, period: '2026-10' };

/** October: two charges and payments of 60.00 together, of which 19.00 arrived at the bank. */
beforeEach(async () => {
  bench = await openPeriodBench();
  client = bench.client;
  bench.addStatements({ id: 7, on: '2026-10-05', cents: 1900 }, { id: 8, on: '2026-10-30', cents: 4100 });
  await bench.import(standardCsv([['2026-10-06', '19.00', 'CARD', 'ch_x70']]));
  await bench.match();
});
afterEach(() => bench.close());

async function upload(text: string, name = 'ledger.csv'): Promise<string> {
  const data = Buffer.from(text).toString('base64');
  return (await client.bank.upload({ ...site, name, data })).upload;
}

const importText = async (text: string, input: { replace?: boolean; as_on?: string; name?: string } = {}) => {
  const { name, ...more } = input;
  return client.ledger.import({ ...site, upload: await upload(text, name), ...more });
};

async function getError(call: Promise<unknown>) {
  try {
    await call;
  } catch (error) {
    return toContractError(error);
  }
  throw new Error('It did not fail.');
}

const activity = (rows: readonly string[]) =>
  `Account,Date,Journal No,Description,Debit,Credit\n${rows.join('\n')}\n`;
const booked = activity([
  '4000 Revenue,2026-10-05,1,Invoice 7,,19.00',
  '1200 Receivables,2026-10-05,1,Invoice 7,19.00,',
]);

describe('a ledger file', () => {
  it('is imported with its accounts, and its rows can be listed by account', async () => {
    const plan = await client.ledger.plan({ ...site, upload: await upload(booked) });
    expect(plan).toMatchObject({
      ...{ kind: 'activity', rows: 2, debit_in_cents: 1900, credit_in_cents: 1900, blocker: null },
      ...{ first_on: '2026-10-05', last_on: '2026-10-05', replaces: [] },
    });
    const imported = await importText(booked);
    expect(imported).toMatchObject({ kind: 'activity', state: 'done', rows: 2, user: 'ada' });
    await client.ledger.mapAccounts({ ...site, accounts: [{ account: '4000', area: 'revenue' }] });
    expect(await client.ledger.accounts(site)).toMatchObject([
      { account: '1200', name: 'Receivables', area: null, lines: 1 },
      { account: '4000', name: 'Revenue', area: 'revenue', first_on: '2026-10-05' },
    ]);
    const { rows, total } = await client.ledger.lines({ ...site, account: '4000' });
    expect(total).toEqual({ count: 1, exact: true });
    expect(rows).toMatchObject([{ amount_in_cents: -1900, text: '1 Invoice 7', area: 'revenue' }]);
    const audit = await client.audit.list(site);
    expect(audit.rows.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['ledger.import', 'ledger.map-account']),
    );
  });

  it('replaces rows of the same accounts and days only if told to', async () => {
    const { id } = await importText(booked);
    const corrected = booked.replaceAll('19.00', '18.00');
    expect(await getError(importText(corrected))).toMatchObject({ code: 'conflict' });
    await importText(corrected, { replace: true });
    const imports = await client.ledger.imports(site);
    expect(imports).toMatchObject([{ state: 'done' }, { id, state: 'removed', removed_by: 'ada' }]);
    const { rows } = await client.ledger.lines(site);
    expect(rows.map(({ amount_in_cents }) => Math.abs(amount_in_cents))).toEqual([1800, 1800]);
    const later = booked.replaceAll('2026-10-05', '2026-10-06');
    await importText(later);
    expect((await client.ledger.lines(site)).rows).toHaveLength(4);
  });

  it('with an unreadable row or an open question is not imported', async () => {
    const broken = activity(['4000,2026-10-05,1,x,,abc']);
    expect(await getError(importText(broken))).toMatchObject({
      code: 'validation',
      message: expect.stringContaining('1 row cannot be read'),
    });
    const ambiguous = 'Account,Date,Debit,Credit\n4000,05/10/2026,1.00,\n1200,05/10/2026,,1.00\n';
    expect((await client.ledger.plan({ ...site, upload: await upload(ambiguous) })).questions).toMatchObject([
      { key: 'date_order' },
    ]);
    expect(await client.ledger.imports(site)).toEqual([]);
  });

  it('does not change a closed period', async () => {
    await importText(booked);
    const proposed = await client.journal.add(manual);
    await client.periods.open(october);
    await client.periods.explain({
      ...october,
      items: (await client.workpapers.items({ ...october, limit: 100 })).rows.map(({ key }) => key),
      ...{ category: 'timing', explanation: 'Arrives in November.' },
    });
    expect((await bench.sign('2026-10')).state).toBe('done');
    const { id } = (await client.ledger.imports(site))[0]!;
    expect(await getError(client.ledger.removeImport({ ...site, id, reason: 'x' }))).toMatchObject({
      code: 'period_locked',
    });
    const both = activity(['4000,2026-10-07,9,late,,1.00', '4000,2026-11-02,10,ok,,2.00']);
    const plan = await client.ledger.plan({ ...site, upload: await upload(both) });
    expect(plan).toMatchObject({ rows: 1, locked: 1, first_on: '2026-11-02' });
    await importText(both);
    expect((await client.ledger.lines({ ...site, since: '2026-10-06' })).rows).toHaveLength(1);
    for (const refused of [
      () => client.journal.propose(october),
      () => client.journal.add(manual),
      () => client.journal.approve({ ...site, ids: [proposed.id] }),
      () => client.journal.discard({ ...site, ids: [proposed.id], reason: 'Late' }),
    ])
      expect(await getError(refused())).toMatchObject({ code: 'period_locked' });
    await client.ledger.mapAccounts({ ...site, accounts: [{ account: '4000', area: 'fees' }] });
    expect((await bench.waitForJob((await client.periods.compare(site)).job)).state).toBe('done');
    const changed = { change: ['changed', 'removed'] as ('changed' | 'removed')[], ended: false };
    expect((await client.periods.signOffChanges({ ...site, filter: changed })).rows).toEqual([]);
  });
});

const manual = {
  ...october,
  memo: 'Accrued hosting',
  lines: [
    { account: '6800', debit_in_cents: 5000 },
    { account: '3500', credit_in_cents: 5000 },
  ],
};

describe('journal entries', () => {
  it('are refused unless they balance', async () => {
    const lines = [manual.lines[0]!, { account: '3500', credit_in_cents: 4999 }];
    expect(await getError(client.journal.add({ ...manual, lines }))).toMatchObject({
      code: 'validation',
      message: expect.stringContaining('differ by 0.01'),
    });
    expect(() => bench.books().prepare("UPDATE journal_entry SET state = 'approved'").run()).toThrow();
  });

  it('are numbered on approval, exported, and found again in the next ledger import', async () => {
    const { id } = await client.journal.add(manual);
    const [approved] = await client.journal.approve({ ...site, ids: [id] });
    expect(approved).toMatchObject({ number: 'T2026-10-0001', state: 'approved', approved_by: 'ada' });
    const file = await client.journal.export({ ...october, format: 'netsuite' });
    expect(file.entries).toEqual(['T2026-10-0001']);
    expect(file.text).toContain('T2026-10-0001,10/31/2026,USD,6800,50.00,,Accrued hosting');
    expect(await getError(client.journal.export({ ...october, format: 'sage' }))).toMatchObject({
      code: 'not_found',
    });
    const back = activity([
      '6800,2026-10-31,77,T2026-10-0001 Accrued hosting,50.00,',
      '3500,2026-10-31,77,T2026-10-0001 Accrued hosting,,50.00',
    ]);
    const imported = await importText(back);
    expect(imported.posted_entries).toEqual(['T2026-10-0001']);
    expect(await client.journal.list(october)).toMatchObject([{ state: 'posted', posted_on: '2026-10-31' }]);
    expect((await client.ledger.lines(site)).rows.map(({ entry }) => entry)).toEqual([
      'T2026-10-0001',
      'T2026-10-0001',
    ]);
    expect(await getError(client.journal.discard({ ...site, ids: [id], reason: 'x' }))).toMatchObject({
      code: 'conflict',
    });
    await client.ledger.removeImport({ ...site, id: imported.id, reason: 'Wrong file' });
    expect(await client.journal.list(october)).toMatchObject([{ state: 'exported', posted_on: null }]);
  });

  it('and ledger files are in the report and the evidence pack, after closing as signed', async () => {
    await importText(booked);
    const entry = await client.journal.add(manual);
    await client.journal.approve({ ...site, ids: [entry.id] });
    await client.periods.open(october);
    const { rows } = await client.workpapers.items({ ...october, limit: 100 });
    const items = rows.map(({ key }) => key);
    await client.periods.explain({ ...october, items, category: 'timing', explanation: 'Arrives later.' });
    expect((await bench.sign('2026-10')).state).toBe('done');
    await client.journal.export({ ...october, format: 'xero' });
    expect(await client.journal.list(october)).toMatchObject([{ state: 'exported' }]);

    const path = join(bench.outputs, 'report.json');
    await client.reports.write({ ...october, format: 'json', path });
    const report = periodReportSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
    expect(report.ledger_imports).toMatchObject([{ file: 'ledger.csv', kind: 'activity', rows: 2 }]);
    const signed = { number: 'T2026-10-0001', state: 'approved', memo: 'Accrued hosting' };
    expect(report.journal).toMatchObject([
      { ...signed, account: '6800', debit_in_cents: 5000, credit_in_cents: 0 },
      { ...signed, account: '3500', debit_in_cents: 0, credit_in_cents: 5000 },
    ]);
    const pack = join(bench.outputs, 'pack.zip');
    expect(
      (await bench.waitForJob((await client.packs.write({ ...october, path: pack })).job)).error,
    ).toBeNull();
    await withOpenBag(pack, ['data/tables/journal.csv', 'data/index.csv'], async (bag) => {
      const journal = (await readBagText(bag, 'data/tables/journal.csv', 10_000)).split('\r\n');
      expect(journal[1]).toContain('T2026-10-0001,Approved,2026-10-31,Accrued hosting,6800,USD,5000,');
      const index = (await readBagText(bag, 'data/index.csv', 10_000)).split('\r\n');
      expect(index.find((line) => line.startsWith('ledger,'))).toContain('sources/ledger-1-ledger.csv');
    });
  });

  it('that repeat or reverse are proposed in later periods once', async () => {
    const monthly = await client.journal.add({ ...manual, repeats: 'monthly', repeats_until: '2026-11' });
    const reversing = await client.journal.add({
      ...{ ...manual, memo: 'Payout in transit', reverses_on: '2026-11-01' },
      lines: [
        { account: '1365', debit_in_cents: 700 },
        { account: '1360', credit_in_cents: 700 },
      ],
    });
    await client.journal.approve({ ...site, ids: [monthly.id, reversing.id] });
    const november = { ...site, period: '2026-11' };
    const proposed = await client.journal.propose(november);
    expect(proposed).toMatchObject([
      { template: 'recurring', dated_on: '2026-11-30', total_in_cents: 5000, blocker: null },
      {
        ...{ template: 'reversal', dated_on: '2026-11-01' },
        lines: [
          { account: '1360', debit_in_cents: 700 },
          { account: '1365', credit_in_cents: 700 },
        ],
      },
    ]);
    expect(await client.journal.propose(november)).toEqual(proposed);
    await client.journal.approve({ ...site, ids: proposed.map(({ id }) => id) });
    expect(await client.journal.propose(november)).toHaveLength(2);
    expect(await client.journal.propose({ ...site, period: '2026-12' })).toEqual([]);
  });

  it('for revenue close the difference in S4, and each difference opens to its rows', async () => {
    const s4 = async () => {
      const { sections, qualifications, explained } = await client.workpapers.get(october);
      const schedule = sections[0]!.schedules.find(({ id }) => id === 'S4');
      const lines = schedule?.lines.map(({ id, amount_in_cents }) => [id, amount_in_cents]) ?? [];
      return { figures: Object.fromEntries(lines), qualifications, explained };
    };
    expect((await s4()).figures).toEqual({});
    await importText(`${booked}4000 Revenue,2026-10-17,2,Typing error,,0.33\n`);
    const accounts = [
      { account: '4000', area: 'revenue' as const },
      { account: '1200', area: 'receivables' as const },
      { account: '1800', area: 'cash' as const },
    ];
    await client.ledger.mapAccounts({ ...site, accounts });
    const before = await s4();
    expect(before.figures).toMatchObject({
      ...{ 'S4.revenue': 6000, 'S4.revenue-ledger': 1933, 'S4.revenue-difference': -4067 },
      ...{ 'S4.revenue-missing': -4100, 'S4.revenue-extra': 33 },
      ...{ 'S4.receivables': 0, 'S4.receivables-ledger': 1900, 'S4.receivables-difference': 1900 },
    });
    expect(before.figures).not.toHaveProperty('S4.cash');
    expect(before.explained).toBe(false);
    expect(before.qualifications).toContainEqual({
      kind: 'ledger',
      message: expect.stringContaining('Cash at bank is not compared'),
    });
    const rowsOf = async (name: string) =>
      (await client.workpapers.rows({ ...october, currency: 'USD', figure: `S4.revenue-${name}` })).rows;
    expect(await rowsOf('missing')).toMatchObject([
      { kind: 'transaction', id: 81, statement: 8, amount_in_cents: -4100, dated_on: '2026-10-30' },
    ]);
    expect(await rowsOf('extra')).toMatchObject([
      { kind: 'ledger', text: '4000 Revenue: 2 Typing error', amount_in_cents: 33 },
    ]);
    const entry = (await client.journal.propose(october)).find(({ template }) => template === 'billing');
    expect(entry).toMatchObject({ total_in_cents: 4067, blocker: null });
    await client.journal.approve({ ...site, ids: [entry!.id] });
    expect((await s4()).figures).toMatchObject({
      ...{ 'S4.revenue-entries': 4067, 'S4.revenue-difference': 0, 'S4.receivables-entries': 4067 },
    });
    expect(await rowsOf('entries')).toMatchObject([{ kind: 'entry', amount_in_cents: 4067 }]);
    await importText(
      activity([
        '4000,2026-10-31,9,T2026-10-0001 Charges,,40.67',
        '1200,2026-10-31,9,T2026-10-0001 Charges,40.67,',
      ]),
    );
    const after = (await s4()).figures;
    expect(after).toMatchObject({ 'S4.revenue-ledger': 6000, 'S4.revenue-difference': 0 });
    for (const name of ['entries', 'missing', 'extra'])
      expect(after).not.toHaveProperty(`S4.revenue-${name}`);
  });

  it('compares trial balances in total, by their movement since the previous one', async () => {
    await client.ledger.mapAccounts({ ...site, accounts: [{ account: '4000', area: 'revenue' }] });
    const balance = (cents: string) =>
      `Account,Debit,Credit\n4000 Revenue,,${cents}\n1200 Receivables,${cents},\n`;
    await importText(balance('100.00'), { as_on: '2026-09-30' });
    await importText(balance('158.00'), { as_on: '2026-10-31' });
    const { sections } = await client.workpapers.get(october);
    const lines = sections[0]!.schedules.find(({ id }) => id === 'S4')!.lines;
    expect(lines.map(({ id, amount_in_cents }) => [id, amount_in_cents])).toEqual([
      ...[
        ['S4.revenue', 6000],
        ['S4.revenue-ledger', 5800],
        ['S4.revenue-difference', -200],
      ],
    ]);
    const figure = { ...october, currency: 'USD', figure: 'S4.revenue-ledger' };
    expect((await client.workpapers.rows(figure)).rows).toMatchObject([
      { kind: 'balance', amount_in_cents: -10000, text: '4000 Revenue, trial balance as of 2026-09-30' },
      { kind: 'balance', amount_in_cents: 15800 },
    ]);
  });

  it('for fees of a processor wait for mapped accounts, and book only what is open', async () => {
    await client.bank.saveAccount({ ...site, name: 'Cards', kind: 'processor' });
    await bench.import(
      'balance_transaction_id,created_utc,reporting_category,gross,fee,net,currency,source_id\n' +
        'txn_1,2026-10-30 10:00:00,charge,41.00,1.50,39.50,usd,ch_x80\n',
      { account: 'Cards', profile: 'stripe-report' },
    );
    const [fee] = await client.journal.propose(october);
    expect(fee).toMatchObject({ template: 'fee', total_in_cents: 150, number: null });
    expect(fee?.blocker).toContain('No account is mapped to fees');
    expect(await getError(client.journal.approve({ ...site, ids: [fee!.id] }))).toMatchObject({
      code: 'conflict',
    });
    const accounts = [
      { account: '6855', name: 'Bank charges', area: 'fees' as const },
      { account: '1360', name: 'Clearing', area: 'clearing' as const },
    ];
    await client.ledger.mapAccounts({ ...site, accounts });
    const [again] = (await client.journal.propose(october)).filter(({ state }) => state === 'proposed');
    expect(again).toMatchObject({
      blocker: null,
      lines: [
        { account: '6855', name: 'Bank charges', debit_in_cents: 150 },
        { account: '1360', credit_in_cents: 150 },
      ],
    });
    await client.journal.approve({ ...site, ids: [again!.id] });
    const left = await client.journal.propose(october);
    expect(left.filter(({ state }) => state === 'proposed')).toEqual([]);
  });
});
