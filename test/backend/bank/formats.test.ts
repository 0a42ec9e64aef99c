import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BankBench, openBankBench, SITE } from './bench.ts';

let bench: BankBench;
beforeEach(async () => {
  bench = await openBankBench();
});
afterEach(() => bench.close());

const sample = (name: string) =>
  readFileSync(new URL(`../../domain/bankfiles/files/${name}`, import.meta.url), 'utf8');
const read = { profile: undefined };

describe('balances that a file states', () => {
  const dutch = sample('mt940-dutch.940');

  it('are held against its lines, and the newest is the account’s', async () => {
    const { plan } = await bench.import(dutch, { ...read, name: 'oct.940' });
    expect(plan).toMatchObject({
      format: 'mt940',
      statements: [
        {
          opening_in_cents: 323_628,
          closing_in_cents: 329_600,
          lines_in_cents: 5972,
          difference_in_cents: 0,
        },
        { opening_in_cents: 330_000, closing_in_cents: 330_000, lines: 0, difference_in_cents: 0 },
      ],
    });
    // The second begins with more than the first ended with: one between them is missing.
    expect(plan.remarks.map(({ text }) => text).join(' ')).toMatch(/3,300\.00 EUR.*3,296\.00 EUR.*missing/);
    expect(await bench.client.bank.accounts({ site: SITE })).toMatchObject([
      {
        number: 'NL91ABNA0417164300',
        balance: { amount_in_cents: 330_000, currency: 'EUR', on: '2026-10-04' },
      },
    ]);
  });

  it('and that do not agree with them are named with the difference, before anything is imported', async () => {
    const plan = await bench.plan(dutch.replace(':62F:C261003EUR3296,00', ':62F:C261003EUR3297,00'), read);
    expect(plan.statements[0]).toMatchObject({ difference_in_cents: 100 });
    expect(plan.remarks.map(({ text }) => text).join(' ')).toMatch(/1\.00/);
  });

  it('of another account than the one it is brought in for are refused', async () => {
    await bench.import(dutch, read);
    const other = await bench.plan(dutch.replaceAll('NL91ABNA0417164300', 'NL02ABNA0123456789'), read);
    expect(other.blocker).toMatch(/NL02ABNA0123456789.*NL91ABNA0417164300/);
  });
});

describe('the bank’s own ids', () => {
  const ofx = sample('ofx-102-sgml.ofx');

  it('that it gives to twins do not make them one, and the file again is a no-op', async () => {
    const { plan } = await bench.import(ofx, read);
    expect(plan.rows).toMatchObject({ new: 5, duplicate: 0 });
    const lines = async () =>
      (await bench.client.bank.lines({ site: SITE, sort: { direction: 'asc' } })).rows;
    expect((await lines()).filter(({ bank_id }) => bank_id === '202610160002').length).toBe(2);
    expect((await bench.plan(ofx, read)).rows).toMatchObject({ new: 0, duplicate: 5 });
    // One of the twins taken out of the file: the other is still the one that is held.
    const one = ofx.replace(/<STMTTRN><TRNTYPE>DEBIT.*\n/, '');
    expect((await bench.plan(one, read)).rows).toMatchObject({ new: 0, duplicate: 4 });
  });

  it('that it uses again for another amount or day are other lines', async () => {
    await bench.import(ofx, read);
    const used = ofx
      .replace('<TRNAMT>-25.00', '<TRNAMT>-26.00')
      .replace('20261002235900.000', '20261003120000');
    const { plan } = await bench.import(used, { ...read, name: 'again.ofx' });
    expect(plan.rows).toMatchObject({ new: 2, duplicate: 3 });
    expect((await bench.client.bank.lines({ site: SITE })).total?.count).toBe(7);
  });
});

describe('a run of some accounts', () => {
  it('leaves what other accounts hold as it is, and claims nothing of it again', async () => {
    bench.payments([
      { id: 1, amount: 1900, on: '2026-10-01', gateway: 'ch_aa1' },
      { id: 2, amount: 4900, on: '2026-10-01', gateway: 'ch_bb2' },
    ]);
    const csv = (rows: string) => `date,amount,currency,description,reference\n${rows}`;
    await bench.import(csv('2026-10-02,19.00,USD,CARD,ch_aa1\n'), { account: 'One' });
    // The same payments as the other account has: whoever comes first has them.
    const both = csv('2026-10-02,19.00,USD,CARD,ch_aa1\n2026-10-02,49.00,USD,CARD,ch_bb2\n');
    await bench.import(both, { account: 'Two' });
    const accounts = await bench.client.bank.accounts({ site: SITE });
    const idOf = (name: string) => accounts.find((account) => account.name === name)!.id;
    const confirmed = async () =>
      (await bench.client.match.list({ site: SITE, filter: { status: ['confirmed'] } })).rows
        .map(({ bank_lines, transactions }) => `${bank_lines[0]?.account} ${transactions[0]?.id}`)
        .toSorted();
    expect((await bench.match({ accounts: [idOf('One')] })).run).toMatchObject({ confirmed: 1 });
    expect((await bench.match({ accounts: [idOf('Two')] })).run).toMatchObject({ confirmed: 1 });
    expect(await confirmed()).toEqual(['One 1', 'Two 2']);
    // Over all of them nobody can tell which of the two lines it is.
    expect((await bench.match()).run).toMatchObject({ confirmed: 1, ambiguous: 2 });
    expect(await confirmed()).toEqual(['Two 2']);
  });
});
