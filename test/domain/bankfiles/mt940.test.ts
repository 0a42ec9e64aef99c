import { describe, expect, it } from 'vitest';
import { listLineSummaries, listProblemSummaries, readFixture, readText } from './read-complete-file.ts';

describe('MT940', () => {
  it('reads a German file with an envelope, sub-fields, reversals, a next-year entry date and an invalid :61:', async () => {
    const file = await readFixture('mt940-german.sta');
    expect(listLineSummaries(file)).toEqual([
      '2026-10-02 | 15000 | EUR | INV-2001 | Rechnung 2001 vom 30.09.2026',
      '2026-10-05 | -2550 | EUR | - | Kontofuehrung 09/2026',
      '2027-01-02 | -4900 | EUR | INV-1 | RUECKLASTSCHRIFT',
    ]);
    expect(file.lines.map(({ kind, bank_id, counterparty }) => [kind, bank_id, counterparty])).toEqual([
      ['entry', 'BK-77', 'Mueller GmbH und Co KG'],
      ['fee', null, null],
      ['chargeback', 'RET-3', null],
    ]);
    expect(file.statements).toMatchObject([
      {
        bank: '37040044',
        account: '0532013000',
        number: '00210/001',
        opening: { amount_in_cents: 100000, date: '2026-09-30' },
        closing: { amount_in_cents: 107550, date: '2026-12-31' },
      },
    ]);
    expect(listProblemSummaries(file)).toEqual(['failed 3 line 11: The :61: field is not in MT940 format.']);
  });

  it('reads a Dutch file with slash keys across lines, plain text and a missing statement', async () => {
    const file = await readFixture('mt940-dutch.940');
    expect(listLineSummaries(file)).toEqual([
      '2026-10-02 | 4900 | EUR | - | INVOICE 2001 SEPA OVERBOEKING',
      '2026-10-03 | -128 | EUR | - | BEA NR:XX1234 03.10.26/11.54 PAKHUIS ZWIJGER,PAS',
      '2026-10-03 | 1200 | EUR | INV/2002 | for INV/2002',
    ]);
    expect(file.lines.map(({ counterparty }) => counterparty)).toEqual(['J. DE VRIES', null, 'ING BANK NV']);
    expect(file.statements.map(({ account, currency }) => [account, currency])).toEqual([
      ['NL91ABNA0417164300', 'EUR'],
      ['NL91ABNA0417164300', 'EUR'],
    ]);
    expect(listProblemSummaries(file)).toEqual([
      'balance - line 17: The opening balance is 3,300.00 EUR, but the previous closing balance is 3,296.00 EUR. A statement between them may be missing.',
    ]);
  });

  it('reads decimal points, amounts without decimals, funds codes, reversed debits, yen, lone carriage returns and a missing envelope', async () => {
    const text = [
      ':20:X',
      ':25:1',
      ':28:1',
      ':60F:C261001JPY1000,',
      ':61:261002RD500,NTRFNONREF',
      ':61:261002DR250.00FMSC',
      ':61:2610030930CY1.000,00NTRF',
      ':62F:C261003JPY2250,',
      '-',
    ].join('\r');
    const file = await readText(text);
    expect(file.lines.map(({ amount_in_cents, booked_on }) => [amount_in_cents, booked_on])).toEqual([
      [500, '2026-10-02'],
      [-250, '2026-10-02'],
      [1000, '2026-09-30'],
    ]);
    expect(file.problems).toEqual([]);
  });

  it('reports problems with their location', async () => {
    const text =
      ':20:X\n:25:1\n:60F:C261001EUR5,00\n:61:261301C1,00NTRFX\n:61:261001C1,234NTRFX\n:61:2610010230C1,00NTRFX\n:86:text\nmore\n:62F:C26100EUR6,00\n';
    const file = await readText(text);
    expect(listLineSummaries(file)).toEqual(['2026-10-01 | 100 | EUR | X | text more']);
    expect(listProblemSummaries(file)).toEqual([
      'failed 1 line 4: “261301” is not a date.',
      'failed 2 line 5: The amount “1,234” has more than the 2 decimals of its currency.',
      'doubtful 3 line 6: The entry date “0230” is invalid. The value date was used.',
      'doubtful - line 9: The closing balance is invalid.',
      'doubtful - line 1: The statement has no closing balance. The file may be incomplete.',
    ]);
  });
});

describe('MT940 accounts and written-out keys', () => {
  const statement = (account: string, details = '') =>
    `:20:X\n:25:${account}\n:28C:0/1\n:60M:C261001EUR1,00\n:61:2610011001CR2,00NMSCNONREF//POS 6\n:86:${details}\n:62M:C261001EUR3,00\n-\n`;

  it.each([
    ['20041111/369300900EUR', '20041111', '369300900', 'EUR'],
    ['DE89370400440532013000/EUR', null, 'DE89370400440532013000', 'EUR'],
    ['NL91ABNA0417164300EUR', null, 'NL91ABNA0417164300', 'EUR'],
    ['37040044/0532013000', '37040044', '0532013000', 'EUR'],
    ['ACC99887766', null, 'ACC99887766', 'EUR'],
    ['/CH9300762011623852957', null, 'CH9300762011623852957', 'EUR'],
  ])('reads %s', async (text, bank, account, currency) => {
    const file = await readText(statement(text));
    expect(file.statements[0]).toMatchObject({ bank, account, currency });
    expect(file.problems).toEqual([]);
  });

  it('recognizes written-out keys and ignores placeholders', async () => {
    const details =
      '005?20LASTSCHRIFT/BELAST.?21INVOICE 7?22END-TO-END-REF.:?23E2E-7?24CORE / MANDATSREF.:?25M-7?26GLÄUBIGER-ID:?27DE98ZZZ?28Ref. HW2201/1?32SHOP';
    const file = await readText(statement('1', details));
    expect(listLineSummaries(file)).toEqual([
      '2026-10-01 | 200 | EUR | E2E-7 | LASTSCHRIFT/BELAST.INVOICE 7',
    ]);
    expect(file.lines[0]?.extra).toMatchObject({ mandate: 'M-7', creditor: 'DE98ZZZ' });
    const none = await readText(statement('1', '820?20TEST?21END-TO-END-REF.:?22NICHT ANGEGEBEN'));
    expect(none.lines[0]?.reference).toBeNull();
  });

  it('reports and ignores a balance in another currency', async () => {
    const file = await readText(statement('1').replace('62M:C261001EUR3', '62M:C261001USD9'));
    expect(listProblemSummaries(file)).toEqual([
      'doubtful - line 7: The closing balance is in USD, but the statement is in EUR.',
      'doubtful - line 1: The statement has no closing balance. The file may be incomplete.',
    ]);
  });
});
