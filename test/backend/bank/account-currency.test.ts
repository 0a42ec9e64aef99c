import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BankBench, openBankBench, SITE, standardCsv } from './bank-bench.ts';

let bench: BankBench;
beforeEach(async () => {
  bench = await openBankBench();
});
afterEach(() => bench.close());

const detected = { profile: undefined } as const;
const unstated = (day: string) => `Date,Amount,Text\n2026-10-${day},10.00,A\n2026-10-${day},-4.00,B\n`;
const swiss = 'Date,Amount,Text,Account\n2026-10-13,10.00,A,CH9300762011623852957\n';
const listAccounts = async () =>
  (await bench.client.bank.accounts({ site: SITE })).map(({ name, currency }) => [name, currency]);

describe('the currency of an account', () => {
  it('is asked for if no file states it, and is known from then on', async () => {
    const asked = await bench.plan(unstated('13'), { account: 'Main', ...detected });
    expect(asked.blocker).toBe(
      'The file does not state the currency of the account. Answer the question first.',
    );
    expect(asked.questions).toMatchObject([{ key: 'currency', readings: expect.any(Array) }]);
    expect(asked.questions[0]?.readings.map(({ value }) => value).slice(0, 3)).toEqual(['USD', 'EUR', 'GBP']);
    const answers = { currency: 'SEK' };
    const { plan } = await bench.import(unstated('13'), { account: 'Main', ...detected, answers });
    expect(plan.sums).toMatchObject([{ currency: 'SEK', in_cents: 1000, out_cents: -400 }]);
    expect(await listAccounts()).toEqual([['Main', 'SEK']]);
    const next = await bench.plan(unstated('14'), { account: 'Main', ...detected });
    expect(next).toMatchObject({ blocker: null, questions: [], sums: [{ currency: 'SEK' }] });
  });

  it('is asked for with the currencies of the account’s country first', async () => {
    const asked = await bench.plan(swiss, { account: 'Main', ...detected });
    expect(asked.questions[0]?.readings.map(({ value }) => value).slice(0, 3)).toEqual(['CHF', 'EUR', 'USD']);
    const invalid = await bench.plan(swiss, {
      account: 'Main',
      ...detected,
      answers: { currency: 'FRANCS' },
    });
    expect(invalid.questions.map(({ key }) => key)).toEqual(['currency']);
  });

  it('is set by the first file and contradicted by none of the later ones', async () => {
    await bench.import(standardCsv([['2026-10-01', '5.00', 'A', '', 'EUR']]), { account: 'Main' });
    expect(await listAccounts()).toEqual([['Main', 'EUR']]);
    const dollars = standardCsv([['2026-10-02', '5.00', 'B', '', 'USD']]);
    const plan = await bench.plan(dollars, { account: 'Main' });
    expect(plan.blocker).toBe('The file is in USD, but “Main” is an account in EUR. Choose another account.');
    await expect(bench.client.bank.import({ site: SITE, plan: plan.plan })).rejects.toThrow('in EUR');
    const [account] = await bench.client.bank.accounts({ site: SITE });
    const edit = { site: SITE, id: account?.id ?? 0, name: 'Main', kind: 'bank' } as const;
    await expect(bench.client.bank.saveAccount({ ...edit, currency: 'USD' })).rejects.toThrow('lines in EUR');
    await bench.client.bank.saveAccount({ ...edit, name: 'Renamed' });
    expect(await listAccounts()).toEqual([['Renamed', 'EUR']]);
  });

  it('follows from the lines of an account that was saved without one', async () => {
    await bench.client.bank.saveAccount({ site: SITE, name: 'Main', kind: 'bank' });
    await bench.import(standardCsv([['2026-10-01', '5.00', 'A', '', 'GBP']]), { account: 'Main' });
    expect(await listAccounts()).toEqual([['Main', 'GBP']]);
    const plan = await bench.plan(unstated('14'), { account: 'Main', ...detected });
    expect(plan).toMatchObject({ blocker: null, sums: [{ currency: 'GBP' }] });
  });

  it('remains open for an account with lines in several currencies', async () => {
    const mixed = standardCsv([
      ['2026-10-01', '5.00', 'A', '', 'EUR'],
      ['2026-10-01', '5.00', 'B', '', 'USD'],
    ]);
    await bench.import(mixed, { account: 'Wallet' });
    expect(await listAccounts()).toEqual([['Wallet', null]]);
  });
});
