import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BankBench, openBankBench, SITE } from './bank-bench.ts';

let bench: BankBench;
beforeEach(async () => {
  bench = await openBankBench();
});
afterEach(() => bench.close());

const sample = (name: string) =>
  readFileSync(new URL(`../../domain/bankfiles/files/${name}`, import.meta.url), 'utf8');
const readSample = { profile: undefined };

describe('balances stated in a file', () => {
  const dutchStatement = sample('mt940-dutch.940');

  it('are compared with its lines, and the newest becomes the account’s balance', async () => {
    const { plan } = await bench.import(dutchStatement, { ...readSample, name: 'oct.940' });
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
    // The second statement opens above the first one's closing balance, so a statement between them is missing.
    expect(plan.remarks.map(({ text }) => text).join(' ')).toMatch(/3,300\.00 EUR.*3,296\.00 EUR.*missing/);
    expect(await bench.client.bank.accounts({ site: SITE })).toMatchObject([
      {
        number: 'NL91ABNA0417164300',
        balance: { amount_in_cents: 330_000, currency: 'EUR', on: '2026-10-04' },
      },
    ]);
  });

  it('are shown with the difference before the import if they do not foot', async () => {
    const plan = await bench.plan(
      dutchStatement.replace(':62F:C261003EUR3296,00', ':62F:C261003EUR3297,00'),
      readSample,
    );
    expect(plan.statements[0]).toMatchObject({ difference_in_cents: 100 });
    expect(plan.remarks.map(({ text }) => text).join(' ')).toMatch(/1\.00/);
  });

  it('are rejected if they belong to another account', async () => {
    await bench.import(dutchStatement, readSample);
    const other = await bench.plan(
      dutchStatement.replaceAll('NL91ABNA0417164300', 'NL02ABNA0123456789'),
      readSample,
    );
    expect(other.blocker).toMatch(/NL02ABNA0123456789.*NL91ABNA0417164300/);
  });
});

describe('bank ids of lines', () => {
  const ofx = sample('ofx-102-sgml.ofx');

  it('keep equal lines separate, and importing the file again changes nothing', async () => {
    const { plan } = await bench.import(ofx, readSample);
    expect(plan.rows).toMatchObject({ new: 5, duplicate: 0 });
    const lines = async () =>
      (await bench.client.bank.lines({ site: SITE, sort: { direction: 'asc' } })).rows;
    expect((await lines()).filter(({ bank_id }) => bank_id === '202610160002').length).toBe(2);
    expect((await bench.plan(ofx, readSample)).rows).toMatchObject({ new: 0, duplicate: 5 });
    // If one of the equal lines is removed from the file, the other still equals a stored line.
    const one = ofx.replace(/<STMTTRN><TRNTYPE>DEBIT.*\n/, '');
    expect((await bench.plan(one, readSample)).rows).toMatchObject({ new: 0, duplicate: 4 });
  });

  it('identify different lines if the amount or the date differs', async () => {
    await bench.import(ofx, readSample);
    const used = ofx
      .replace('<TRNAMT>-25.00', '<TRNAMT>-26.00')
      .replace('20261002235900.000', '20261003120000');
    const { plan } = await bench.import(used, { ...readSample, name: 'again.ofx' });
    expect(plan.rows).toMatchObject({ new: 2, duplicate: 3 });
    expect((await bench.client.bank.lines({ site: SITE })).total?.count).toBe(7);
  });
});

describe('matching run of some accounts', () => {
  it('leaves the matches of other accounts unchanged and does not use their payments again', async () => {
    bench.replacePayments([
      { id: 1, amount: 1900, on: '2026-10-01', gateway: 'ch_aa1' },
      { id: 2, amount: 4900, on: '2026-10-01', gateway: 'ch_bb2' },
    ]);
    const csv = (rows: string) => `date,amount,currency,description,reference\n${rows}`;
    await bench.import(csv('2026-10-02,19.00,USD,CARD,ch_aa1\n'), { account: 'One' });
    // Both accounts contain the same payments. The first run matches them.
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
    // In a run of all accounts, both lines fit equally well.
    expect((await bench.match()).run).toMatchObject({ confirmed: 1, ambiguous: 2 });
    expect(await confirmed()).toEqual(['Two 2']);
  });
});
