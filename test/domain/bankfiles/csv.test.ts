import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCsvRecords } from '../../../src/domain/bankfiles/table/csv-records.ts';
import { listLineSummaries, listProblemSummaries, readFixture, readText } from './read-complete-file.ts';

describe('the standard CSV', () => {
  it('is recognized, reports invalid rows and preserves additional columns', async () => {
    const file = await readFixture('standard.csv');
    expect(file.profile?.name).toBe('standard');
    expect(listLineSummaries(file)).toEqual([
      '2026-10-02 | 4900 | USD | ch_8f31 | CARD SETTLEMENT 4412',
      '2026-10-02 | 4900 | USD | - | CARD SETTLEMENT 4413',
      '2026-10-05 | 129900 | USD | INV-2001 | WIRE "ACME, INC"',
      '2026-10-06 | -2500 | USD | - | MONTHLY FEE',
      '2026-10-08 | 1200 | JPY | - | YEN HAVE NO CENTS',
    ]);
    expect(file.lines.map(({ row, location }) => [row, location])).toEqual([
      [1, 'line 2'],
      [2, 'line 3'],
      [3, 'line 4'],
      [4, 'line 5'],
      [7, 'line 8'],
    ]);
    expect(file.lines[0]?.extra).toEqual({ customer: 'Harbor & Sons' });
    expect(listProblemSummaries(file)).toEqual([
      'failed 5 line 6: “2026-13-06” is not a date.',
      'failed 6 line 7: The amount “12.345” has more than the 2 decimals of its currency.',
    ]);
    expect(file.problems[0]?.raw).toBe('2026-13-06,10.00,USD,NO SUCH DAY,,');
  });

  it('uses only its five columns and the payer’s name for matching', async () => {
    const file = await readText(
      'date,amount,currency,description,reference,bank id,counterparty,balance,__proto__\n2026-10-01,5.00,USD,d,r,B1,Acme,9,x\n',
    );
    expect(file.lines[0]).toMatchObject({ bank_id: null, counterparty: 'Acme', balance_in_cents: null });
    expect(Object.entries(file.lines[0]?.extra ?? {})).toEqual([
      ['bank id', 'B1'],
      ['balance', '9'],
      ['__proto__', 'x'],
    ]);
  });
});

describe('a bank’s proprietary CSV', () => {
  it('is read with Windows-1252, semicolons, decimal commas and balances', async () => {
    const file = await readFixture('german-1252.csv');
    expect(file.dialect).toBe('CSV, semicolon, Windows-1252');
    expect(file.profile).toMatchObject({
      date_order: 'dmy',
      decimal_mark: ',',
      delimiter: ';',
      currency: 'EUR',
    });
    expect(listLineSummaries(file)).toEqual([
      '2026-10-02 | 123456 | EUR | - | Rechnung 4711 €',
      '2026-10-13 | -8910 | EUR | - | Abschlag',
    ]);
    expect(file.lines.map(({ counterparty }) => counterparty)).toEqual(['Müller GmbH', 'Stadtwerke; Köln']);
    expect(file.statements[0]).toMatchObject({
      opening: { amount_in_cents: 1000000 },
      closing: { amount_in_cents: 1114546 },
    });
    expect(file.problems).toEqual([]);
  });

  it('has its summary balances compared with the lines', async () => {
    const file = await readFixture('bank-of-america.csv');
    expect(listLineSummaries(file)).toEqual([
      '2026-10-02 | 134800 | USD | - | STRIPE DES:TRANSFER ID:ST-A1B2C3',
      '2026-10-15 | -2500 | USD | - | Monthly Maintenance Fee',
    ]);
    expect(file.statements[0]).toMatchObject({
      opening: { amount_in_cents: 100000, date: '2026-10-01' },
      closing: { amount_in_cents: 232300, date: '2026-10-31' },
    });
    expect(listProblemSummaries(file)).toEqual([
      'skipped 1 line 8: The row contains a balance but no amount.',
    ]);
  });

  it('is read without a header by the contents of its columns', async () => {
    const answered = await readFixture('wells-fargo.csv', { answers: { date_order: 'mdy' } });
    expect(answered.questions).toEqual([]);
    expect(listLineSummaries(answered)).toEqual([
      '2026-10-03 | -4500 | - | - | ZELLE TO SMITH REF #RP0J',
      '2026-10-02 | 134800 | - | - | STRIPE TRANSFER ST-A1B2C3',
      '2026-10-01 | 4999 | - | - | CHECK',
    ]);
    expect(answered.profile).toMatchObject({ header_line: 0, positions: { booked_on: 1, amount: 2 } });
  });

  it('is read with the saved profile without asking again', async () => {
    const asked = await readFixture('ambiguous.csv');
    expect(asked.questions.map(({ key, readings }) => [key, ...readings.map(({ value }) => value)])).toEqual([
      ['date_order', 'dmy', 'mdy'],
    ]);
    expect(asked.questions[0]?.readings[0]?.examples[0]).toEqual({
      location: 'line 2',
      raw: '03/04/2026',
      meaning: '2026-04-03',
    });
    const answered = await readFixture('ambiguous.csv', { answers: { date_order: 'mdy' } });
    expect(answered.questions).toEqual([]);
    expect(listLineSummaries(answered)[0]).toBe('2026-03-04 | -450 | - | - | Coffee');
    const saved = { ...answered.profile!, name: 'corner-bank', label: 'Corner bank' };
    const next = await readText('Date,Details,Debit,Credit\n01/02/2026,Tea,2.50,\n', { profiles: [saved] });
    expect(next.questions).toEqual([]);
    expect(next.profile?.name).toBe('corner-bank');
    expect(listLineSummaries(next)).toEqual(['2026-01-02 | -250 | - | - | Tea']);
  });

  it('asks for the decimal mark if all amounts are ambiguous', async () => {
    const text = 'Date;Text;Amount\n2026-10-01;a;1.230\n2026-10-02;b;4.560\n';
    const asked = await readText(text);
    expect(asked.questions[0]?.key).toBe('decimal_mark');
    const comma = await readText(text, { answers: { decimal_mark: ',' } });
    expect(comma.lines.map(({ amount_in_cents }) => amount_in_cents)).toEqual([123000, 456000]);
    const point = await readText(text, { answers: { decimal_mark: '.' } });
    expect(point.lines.map(({ amount_in_cents }) => amount_in_cents)).toEqual([123, 456]);
    expect((await readText(`${text}2026-10-03;c;7,89\n`)).questions).toEqual([]);
    const mixed = await readText(`${text}2026-10-03;c;7,89\n2026-10-04;d;7.89\n`);
    expect(mixed.questions.map(({ key }) => key)).toEqual(['decimal_mark']);
  });

  it('asks for a column if several are possible', async () => {
    const text = 'When,Net worth,Moved,What\n2026-10-01,100.00,5.00,a\n2026-10-02,110.00,10.00,b\n';
    const asked = await readText(text);
    expect(asked.questions.map(({ key }) => key)).toEqual(['column.amount']);
    const answered = await readText(text, { answers: { 'column.amount': 'Moved' } });
    expect(answered.questions).toEqual([]);
    expect(listLineSummaries(answered)).toEqual([
      '2026-10-01 | 500 | - | - | a',
      '2026-10-02 | 1000 | - | - | b',
    ]);
  });
});

describe('CSV encodings and layouts', () => {
  const text = 'Date,Amount,Payee\n2026-10-25,"1,000.00",Café Zürich €\n';
  const wide = Buffer.from(text, 'utf16le');
  it.each([
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${text}`), 'UTF-8'],
    ['UTF-16 with a byte order mark', Buffer.concat([Buffer.from([0xff, 0xfe]), wide]), 'UTF-16'],
    ['UTF-16 without a byte order mark', wide, 'UTF-16'],
    ['big-endian UTF-16', Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(wide).swap16()]), 'UTF-16'],
  ])('reads %s', async (_, bytes, encoding) => {
    const file = await readText(bytes);
    expect(file.dialect).toBe(`CSV, comma, ${encoding}`);
    expect(file.lines[0]).toMatchObject({ counterparty: 'Café Zürich €', amount_in_cents: 100000 });
  });

  it('handles separator lines, tabs, lone carriage returns, repeated headers, totals and footnotes', async () => {
    const file = await readText(
      'sep=;\nDate;Amount;Text\n2026-10-01;1,50;a\nDate;Amount;Text\n2026-10-02;2,00;b\n;3,50;Total\nEnd of list\n',
    );
    expect(listLineSummaries(file)).toEqual(['2026-10-01 | 150 | - | - | a', '2026-10-02 | 200 | - | - | b']);
    expect(file.lines[0]?.location).toBe('line 3');
    expect(listProblemSummaries(file)).toEqual([
      'skipped 2 line 4: The row repeats the header.',
      'skipped 4 line 6: The row contains totals.',
      'skipped 5 line 7: The row has neither a date nor an amount.',
    ]);
    expect(listLineSummaries(await readText('Date\tAmount\r2026-10-01\t5\r'))).toEqual([
      '2026-10-01 | 500 | - | - | ',
    ]);
  });

  it('limits an unclosed quote to its line and reports text after a quote', async () => {
    const file = await readText(
      'Date,Text,Amount\n2026-10-01,"open,1.00\n2026-10-02,"b"c,2.00\n2026-10-03,d,3.00\n',
    );
    expect(listLineSummaries(file)).toEqual([
      '2026-10-02 | 200 | - | - | bc',
      '2026-10-03 | 300 | - | - | d',
    ]);
    expect(listProblemSummaries(file)).toEqual([
      'failed 1 line 2: A quote on this line is not closed.',
      'doubtful 2 line 3: Text follows a closing quote. It was read as part of the field.',
    ]);
  });

  it('reads debit, credit and direction columns', async () => {
    const sides = await readText(
      'Date,Paid out,Paid in\n2026-10-01,5.00,\n2026-10-02,,7.00\n2026-10-03,1.00,4.00\n2026-10-04,-2.00,\n',
    );
    expect(sides.lines.map(({ amount_in_cents }) => amount_in_cents)).toEqual([-500, 700, 300, 200]);
    expect(listProblemSummaries(sides)).toEqual([
      'doubtful 3 line 4: The row has a credit and a debit. The line is their difference.',
    ]);
    const minus = await readText('Date,Debit,Credit\n2026-10-01,-5.00,\n2026-10-02,,7.00\n');
    expect(minus.lines.map(({ amount_in_cents }) => amount_in_cents)).toEqual([-500, 700]);
    const dutch = await readText(
      '"Datum";"Naam / Omschrijving";"Rekening";"Tegenrekening";"Code";"Af Bij";"Bedrag (EUR)";"Mutatiesoort";"Mededelingen"\n"20261002";"ACME";"NL02INGB";"";"OV";"Af";"12,50";"Overschrijving";"Factuur 1"\n"20261003";"B";"NL02INGB";"";"OV";"Bij";"7,00";"Overschrijving";""\n"20261004";"B";"NL02INGB";"";"OV";"Soms";"7,00";"";""\n',
    );
    expect(listLineSummaries(dutch)).toEqual([
      '2026-10-02 | -1250 | EUR | - | Factuur 1',
      '2026-10-03 | 700 | EUR | - | ',
    ]);
    expect(dutch.statements[0]?.account).toBe('NL02INGB');
    expect(listProblemSummaries(dutch)).toEqual([
      'failed 3 line 4: “soms” is not a known direction (incoming or outgoing).',
    ]);
  });

  it('detects a direction column for unsigned amounts', async () => {
    const file = await readText(
      'Account Number,Transaction Date,Transaction Amount,Transaction Type,Transaction Description,Balance\n77,10/13/26,25.00,Debit,Fee,75.00\n77,10/14/26,5.00,Credit,Sale,80.00\n',
    );
    expect(listLineSummaries(file)).toEqual([
      '2026-10-13 | -2500 | USD | - | Fee',
      '2026-10-14 | 500 | USD | - | Sale',
    ]);
    expect([file.questions, file.problems, file.statements[0]?.account]).toEqual([[], [], '77']);
    const signed = await readText(
      'Details,Posting Date,Description,Amount\nCREDIT,10/13/2026,a,5.00\nDEBIT,10/14/2026,b,-5.00\n',
    );
    expect(signed.lines.map(({ amount_in_cents }) => amount_in_cents)).toEqual([500, -500]);
  });

  it('treats changing accounts as counterparty accounts', async () => {
    const file = await readText(
      '"Girokonto";"DE12"\n"Kontostand vom 31.10.2026:";"95,00 €"\n""\n"Buchungsdatum";"Status";"Verwendungszweck";"IBAN";"Betrag (€)"\n"30.10.26";"Gebucht";"a";"DE77";"-5,00"\n"31.10.26";"Gebucht";"b";"DE88";"10,00"\n"31.10.26";"Vorgemerkt";"c";"DE88";"1,00"\n',
    );
    expect(listLineSummaries(file)).toEqual([
      '2026-10-30 | -500 | EUR | - | a',
      '2026-10-31 | 1000 | EUR | - | b',
    ]);
    expect(file.lines[0]?.extra).toMatchObject({ IBAN: 'DE77' });
    expect(file.statements).toMatchObject([
      { account: 'DE12', closing: { amount_in_cents: 9500, date: '2026-10-31' } },
    ]);
    expect(file.questions).toEqual([]);
    expect(listProblemSummaries(file)).toEqual([
      'doubtful - line 4: The column “IBAN” contains several accounts. They were read as counterparty accounts.',
      'skipped 3 line 7: No money has moved. The status is “Vorgemerkt”.',
    ]);
  });

  it('takes the currency from column, header, amount or account, in this order', async () => {
    const named = await readText('Date,Amount\n2026-10-01,€ 5.00\n2026-10-02,5.00\n2026-10-03,JPY 500\n', {
      currency: 'USD',
    });
    expect(named.lines.map(({ amount_in_cents, currency }) => [amount_in_cents, currency])).toEqual([
      [500, 'EUR'],
      [500, 'USD'],
      [500, 'JPY'],
    ]);
    const stated = await readText('Date,Amount (GBP)\n2026-10-01,€ 5.00\n', { currency: 'USD' });
    expect(stated.lines[0]?.currency).toBe('GBP');
    expect(listProblemSummaries(stated)).toEqual([
      'doubtful 1 line 2: The amount is written in EUR, but the line is in GBP.',
    ]);
    const zero = await readText('Date,Amount,Debit/Credit\n2026-10-01,0.00,Debit\n');
    expect(Object.is(zero.lines[0]?.amount_in_cents, 0)).toBe(true);
  });

  it('reports running balances that do not match', async () => {
    const file = await readText(
      'Date,Amount,Balance\n2026-10-01,5.00,105.00\n2026-10-02,5.00,111.00\n2026-10-03,1.00,112.00\n',
    );
    expect(listProblemSummaries(file)).toContain(
      'balance 2 line 3: The balance 105.00 and 5.00 give 110.00, but the balance after this line is 111.00.',
    );
    const newestFirst = await readText(
      'Date,Amount,Balance\n2026-10-03,1.00,111.00\n2026-10-02,5.00,110.00\n2026-10-01,5.00,105.00\n',
    );
    expect(newestFirst.problems).toEqual([]);
    expect(newestFirst.statements[0]?.opening?.amount_in_cents).toBe(10000);
  });

  it('rejects files without bank lines and gives a reason', async () => {
    for (const text of [
      'hello world\nthis is a letter\n',
      'a,b\n1,2\n',
      '<html><body>Log in</body></html>',
      '{"a":1}',
      '%PDF-1.7',
      '',
    ]) {
      const file = await readText(text);
      expect(file.lines).toEqual([]);
      expect(file.problems.map(({ effect }) => effect)).toContain('refused');
    }
    expect(
      listProblemSummaries(await readFixture('standard.csv', { profile: 'stripe-report' }))[0],
    ).toContain('needs a date and an amount');
    expect(listProblemSummaries(await readFixture('standard.csv', { profile: 'nobody' }))[0]).toContain(
      'no profile named “nobody”',
    );
  });
});

describe('CSV records', () => {
  const cell = fc.string({
    unit: fc.constantFrom('a', 'é', '"', ',', ';', '\n', ' ', '1', '\r\n'),
    maxLength: 8,
  });

  it('equal those of csv-parse for well-formed tables', () => {
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(table, fc.constantFrom('\n', '\r\n'), (rows, end) => {
        const text = rows
          .map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(','))
          .join(end);
        const theirs = parse(text, { relax_column_count: true }) as string[][];
        const ours = [...readCsvRecords(text, ',')];
        expect(ours.map(({ cells }) => cells)).toEqual(theirs);
        expect(ours.every(({ flaw }) => flaw === undefined)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('preserve all text in order', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' '), maxLength: 60 }),
        (text) => {
          const raws = [...readCsvRecords(text, ',')].map(({ raw }) => raw);
          const letters = (each: string) => each.replace(/[\s]/g, '');
          expect(letters(raws.join(''))).toBe(letters(text));
        },
      ),
      { numRuns: 300 },
    );
  });
});

it.each(['Counterparty', 'Payee', 'Payer', 'Name'])('reads the payer from the column %s', async (name) => {
  const { profile, lines } = await readText(
    `Date,Amount,Currency,${name},Description,Reference\n2026-10-02,49.00,EUR,Jonas Feldkamp,SEPA credit,INV 7\n`,
  );
  expect(profile?.name).toBe('standard');
  expect(lines).toMatchObject([
    { counterparty: 'Jonas Feldkamp', description: 'SEPA credit', reference: 'INV 7' },
  ]);
});
