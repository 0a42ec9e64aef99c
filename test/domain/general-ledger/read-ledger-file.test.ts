import { writeXlsx } from 'hucre';
import { describe, expect, test } from 'vitest';
import { toFileBytes } from '../../../src/domain/bankfiles/text/file-bytes.ts';
import {
  type LedgerFileBalance,
  type LedgerFileLine,
  type LedgerFileOptions,
  type LedgerFileProblem,
  readLedgerFile,
} from '../../../src/domain/general-ledger/index.ts';

async function read(content: string | Uint8Array, options: Partial<LedgerFileOptions> = {}) {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const lines: LedgerFileLine[] = [];
  const balances: LedgerFileBalance[] = [];
  const problems: LedgerFileProblem[] = [];
  const file = await readLedgerFile(
    toFileBytes(bytes),
    { currency: 'EUR', today: '2026-11-05', ...options },
    {
      onLine: (line) => lines.push(line),
      onBalance: (balance) => balances.push(balance),
      onProblem: (problem) => problems.push(problem),
    },
  );
  const posted = lines.map(({ account, dated_on, amount_in_cents }) => [account, dated_on, amount_in_cents]);
  const failed = problems.filter(({ effect }) => effect === 'failed' || effect === 'refused');
  return { file, lines, balances, posted, problems, failed };
}

describe('account activity', () => {
  test('of QuickBooks with headings per account and natural signs', async () => {
    const csv = `General Ledger,,,,,,
Acme Inc.,,,,,,
,Date,Transaction Type,Num,Name,Memo/Description,Amount,Balance
4000 Subscription revenue,,,,,,,
,10/13/2026,Invoice,17,Jane Roe,Plan Gold,120.00,120.00
,10/31/2026,Journal Entry,T2026-10-0001,,Adjusting,"1,030.50","1,150.50"
Total for 4000 Subscription revenue,,,,,,"1,150.50",
1200 Stripe clearing,,,,,,,
,10/14/2026,Payment,18,Jane Roe,,120.00,120.00
Total for 1200 Stripe clearing,,,,,,120.00,
`;
    const asked = await read(csv);
    expect(asked.file.questions.map(({ key }) => key)).toEqual(['amount_sign']);
    const { posted, file, failed, lines } = await read(csv, { answers: { amount_sign: 'natural' } });
    expect(file).toMatchObject({ kind: 'activity', sign: 'natural', questions: [] });
    expect(posted).toEqual([
      ['4000', '2026-10-13', 12000],
      ['4000', '2026-10-31', 103050],
      ['1200', '2026-10-14', 12000],
    ]);
    expect(lines[1]).toMatchObject({ account_name: 'Subscription revenue', reference: 'T2026-10-0001' });
    expect(failed).toEqual([]);
  });

  test('of Xero and NetSuite with debit and credit columns', async () => {
    const xero = await read(
      'Date,Source,Description,Reference,Account Code,Account,Debit (USD),Credit (USD)\n' +
        '13 Oct 2026,Receivable Invoice,Plan,INV-1,200,Sales,,50.00\n' +
        '13 Oct 2026,Receivable Invoice,Plan,INV-1,610,Accounts Receivable,50.00,\n',
    );
    expect(xero.posted).toEqual([
      ['200', '2026-10-13', -5000],
      ['610', '2026-10-13', 5000],
    ]);
    const netsuite = await read(
      'Account,Date,Document Number,Memo,Debit,Credit,Currency\n' +
        '1010 - Cash at bank,10/30/2026,JE77,Payout,"2,000.00",,USD\n' +
        '1150 - Clearing,10/30/2026,JE77,Payout,,"2,000.00",USD\n',
    );
    expect(
      netsuite.lines.map(({ account, account_name, currency }) => [account, account_name, currency]),
    ).toEqual([
      ['1010', 'Cash at bank', 'USD'],
      ['1150', 'Clearing', 'USD'],
    ]);
  });

  test('of a DATEV posting batch posts each row to both accounts, with the year of the batch', async () => {
    const fields = ['EXTF', '700', '21', 'Buchungsstapel', '13', '20261103', '', 'RE', '', '', '1001', '1'];
    const csv =
      `${[...fields, '20260101', '4', '20261001', '20261031', 'Oktober'].join(';')}\n` +
      'Umsatz (ohne Soll/Haben-Kz);Soll/Haben-Kennzeichen;WKZ Umsatz;Konto;Gegenkonto (ohne BU-Schlüssel);Belegdatum;Belegfeld 1;Buchungstext\n' +
      '1.190,00;S;EUR;1360;4400;0710;R-7;Müller GmbH\n' +
      '12,50;H;EUR;1360;6855;3110;T2026-10-0002;Gebühren\n';
    const { posted, failed } = await read(csv);
    expect(failed).toEqual([]);
    expect(posted).toEqual([
      ['1360', '2026-10-07', 119000],
      ['4400', '2026-10-07', -119000],
      ['1360', '2026-10-31', -1250],
      ['6855', '2026-10-31', 1250],
    ]);
  });

  test('of Sage in a workbook', async () => {
    const rows = [
      ['Nominal Activity', null, null, null, null, null],
      ['N/C', 'Name', 'Date', 'Details', 'Debit', 'Credit'],
      [1200, 'Bank', new Date('2026-10-02T00:00:00Z'), 'Payout', 75.5, null],
      [1100, 'Debtors', new Date('2026-10-02T00:00:00Z'), 'Payout', null, 75.5],
    ];
    const { posted, file } = await read(await writeXlsx({ sheets: [{ name: 'Ledger', rows }] }));
    expect(file.dialect).toBe('XLSX, sheet Ledger');
    expect(posted).toEqual([
      ['1200', '2026-10-02', 7550],
      ['1100', '2026-10-02', -7550],
    ]);
  });

  test('reports a row with an unreadable amount or without a date, and reads the others', async () => {
    const { posted, failed } = await read(
      'Account,Date,Debit,Credit\n1000,2026-10-01,x12,\n1000,,5.00,\n1000,2026-10-02,5.00,\n',
    );
    expect(posted).toEqual([['1000', '2026-10-02', 500]]);
    expect(failed.map(({ row, reason }) => [row, reason])).toEqual([
      [1, 'The amount “x12” is not an amount.'],
      [2, 'The row has no date.'],
    ]);
  });
});

describe('a trial balance', () => {
  test('with debit and credit columns states balances, and its title the date', async () => {
    const { file, balances } = await read(
      'Trial Balance\nAs of October 31, 2026\nAccount,Debit,Credit\n4000 Revenue,,"9,100.00"\n1000 Cash,"9,100.00",\nTOTAL,"9,100.00","9,100.00"\n',
    );
    expect(file).toMatchObject({ kind: 'balances', as_on: '2026-10-31' });
    expect(
      balances.map(({ account, closing_in_cents, movement_in_cents }) => [
        account,
        closing_in_cents,
        movement_in_cents,
      ]),
    ).toEqual([
      ['4000', -910000, null],
      ['1000', 910000, null],
    ]);
  });

  test('of DATEV states opening balance, movement and closing balance', async () => {
    const { balances } = await read(
      'Summen und Salden zum 31.10.2026\nKonto;Beschriftung;EB-Wert;Soll;Haben;Saldo;S/H\n4400;Erlöse;0,00;10,00;110,00;100,00;H\n',
    );
    expect(balances).toEqual([
      expect.objectContaining({
        ...{ account: '4400', account_name: 'Erlöse' },
        ...{ opening_in_cents: 0, movement_in_cents: -10000, closing_in_cents: -10000 },
      }),
    ]);
  });
});

test.each([
  ['', 'The file is empty.'],
  ['hello\nworld\n', 'No row names an account'],
  ['%PDF-1.7', 'PDF'],
])('refuses %j with the reason', async (content, reason) => {
  const { failed } = await read(content);
  expect(failed[0]?.reason).toContain(reason);
});
