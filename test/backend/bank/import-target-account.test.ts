import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BankBench, openBankBench, SITE, standardCsv } from './bank-bench.ts';

let bench: BankBench;
beforeEach(async () => {
  bench = await openBankBench();
});
afterEach(() => bench.close());

const createWeek = (day: string) => standardCsv([[day, '19.00', 'CARD PAYMENT', `INV ${day}`]]);
const createReport = (day: string, id: string) =>
  `created_utc,reporting_category,gross,fee,net,currency,automatic_payout_id,charge_id,balance_transaction_id
${day} 10:00:00,charge,19.00,0.85,18.15,usd,po_1,ch_${id},txn_${id}
`;
const statement = (account: string, day: string) =>
  `:20:1\n:25:${account}\n:28C:1\n:60F:C261001USD0,00\n:61:2610${day}C19,00NTRFREF${day}\n:86:CARD PAYMENT\n:62F:C261031USD19,00\n`;

const withoutAccount = { account: null, profile: undefined } as const;
const accountRequired = 'Choose the account of the file.';

describe('file without a selected account', () => {
  it('requires an account if nothing has been imported yet, and shows whether it is a bank or processor file', async () => {
    expect(await bench.plan(createWeek('2026-10-01'), withoutAccount)).toMatchObject({
      account: { id: null, name: '', kind: 'bank', by: null },
      rows: { new: 1 },
      blocker: accountRequired,
    });
    const processors = await bench.plan(createReport('2026-10-01', 'a'), withoutAccount);
    expect(processors).toMatchObject({ account: { kind: 'processor', by: null }, blocker: accountRequired });
    await expect(bench.client.bank.import({ site: SITE, plan: processors.plan })).rejects.toThrow(
      accountRequired,
    );
  });

  it('is assigned to the account of earlier files with the same profile', async () => {
    await bench.import(createWeek('2026-10-01'), { account: 'Main', profile: undefined });
    expect(await bench.plan(createReport('2026-10-01', 'a'), withoutAccount)).toMatchObject({
      account: { id: null, kind: 'processor', by: null },
      blocker: accountRequired,
    });
    await bench.import(createReport('2026-10-01', 'a'), { account: 'Stripe', profile: undefined });
    expect(await bench.plan(createReport('2026-10-02', 'b'), withoutAccount)).toMatchObject({
      account: { name: 'Stripe', kind: 'processor', by: 'profile' },
      blocker: null,
    });
    expect(await bench.plan(createWeek('2026-10-02'), withoutAccount)).toMatchObject({
      account: { name: 'Main', kind: 'bank', by: 'profile' },
      blocker: null,
    });
  });

  it('requires an account if such files belong to two accounts, unless it was imported before', async () => {
    await bench.import(createWeek('2026-10-01'), { account: 'Main', profile: undefined });
    const { id } = await bench.import(createWeek('2026-10-02'), { account: 'Savings', profile: undefined });
    expect(await bench.plan(createWeek('2026-10-03'), withoutAccount)).toMatchObject({
      account: { by: null },
      blocker: accountRequired,
    });
    expect(await bench.plan(createWeek('2026-10-02'), withoutAccount)).toMatchObject({
      account: { name: 'Savings', by: 'file' },
      rows: { new: 0, duplicate: 1 },
    });
    const { job } = await bench.client.bank.removeImport({ site: SITE, id, reason: 'the wrong account' });
    await bench.waitForJob(job);
    expect(await bench.plan(createWeek('2026-10-03'), withoutAccount)).toMatchObject({
      account: { name: 'Main', by: 'profile' },
    });
  });

  it('is assigned to the account whose number it states', async () => {
    await bench.import(statement('12345678', '01'), { account: 'Main', profile: undefined });
    await bench.import(statement('87654321', '01'), { account: 'Savings', profile: undefined });
    expect(await bench.plan(statement('87654321', '02'), withoutAccount)).toMatchObject({
      account: { name: 'Savings', by: 'number' },
      blocker: null,
    });
    expect(await bench.plan(statement('55555555', '02'), withoutAccount)).toMatchObject({
      account: { by: null },
      blocker: accountRequired,
    });
  });

  it('requires an account if its columns were detected automatically', async () => {
    const table = (day: string) => `Tag;Betrag (EUR);Wofür\n${day}.10.2026;5,25;Strom\n`;
    await bench.import(table('13'), { account: 'Main', profile: undefined });
    expect(await bench.plan(table('14'), withoutAccount)).toMatchObject({
      account: { by: null },
      blocker: accountRequired,
    });
  });
});
