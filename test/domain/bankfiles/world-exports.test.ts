import { describe, expect, it } from 'vitest';
import { encodeLegacyText } from './legacy-text.ts';
import { type CompleteFile, readText } from './read-complete-file.ts';

const listAmounts = ({ lines }: CompleteFile) =>
  lines.map(({ booked_on, amount_in_cents }) => `${booked_on} ${amount_in_cents}`);
const listQuestions = ({ questions }: CompleteFile) => questions.map(({ key }) => key);
const listFlaws = ({ problems }: CompleteFile) => problems.filter(({ effect }) => effect !== 'skipped');

/** Reads a file that leaves nothing open and returns its lines. */
async function readSettled(text: string | Uint8Array): Promise<string[]> {
  const file = await readText(text, { today: '2026-11-28' });
  expect(listQuestions(file)).toEqual([]);
  expect(listFlaws(file)).toEqual([]);
  return listAmounts(file);
}

describe('the encoding of an export', () => {
  it.each([
    [
      'shift_jis',
      '年月日,お引出し,お預入れ,お取り扱い内容,残高',
      '2026/4/17,,"84,500",振込　テスト,"90,500"',
    ],
    ['windows-1251', 'Дата операции;Расход;Приход;Назначение;Остаток', '17.04.2026;;845,00;Оплата;905,00'],
    ['windows-1253', 'Ημερομηνία;Χρέωση;Πίστωση;Περιγραφή;Υπόλοιπο', '17.04.2026;;845,00;Πώληση;905,00'],
    ['windows-1250', 'datum zaúčtování;výdaje;příjmy;popis;zůstatek', '17.04.2026;;845,00;Příchozí;905,00'],
    ['gb18030', '交易日期,支出,收入,摘要,余额', '2026-04-17,,845.00,货款,905.00'],
    ['euc-kr', '거래일자,출금액,입금액,적요,잔액', '2026-04-17,,"84,500",입금,"90,500"'],
  ])('is %s if its words make sense in it', async (encoding, header, row) => {
    const last = row
      .replaceAll(/17/g, '20')
      .replace(/;;845,00|,,845\.00|,,"84,500"/, (amount) =>
        amount.startsWith(';') ? ';12,50;' : amount.includes('"') ? ',"1,250",' : ',12.50,',
      );
    const balance = last.replace('905,00', '892,50').replace('905.00', '892.50').replace('90,500', '89,250');
    const bytes = encodeLegacyText(`${header}\r\n${row}\r\n${balance}\r\n`, encoding);
    const file = await readText(bytes);
    expect(file.dialect).toContain(encoding);
    expect(file.lines.map(({ amount_in_cents }) => Math.sign(amount_in_cents))).toEqual([1, -1]);
  });

  it('stays Windows-1252 for the languages of Western Europe', async () => {
    const text =
      'Buchungstag;Verwendungszweck;Betrag;Währung\n17.04.2026;Gebühr für März à Genève;-8,40;EUR\n';
    const file = await readText(encodeLegacyText(text, 'windows-1252'));
    expect(file.dialect).toContain('Windows-1252');
    expect(file.lines[0]?.description).toBe('Gebühr für März à Genève');
  });
});

describe('rows that are no lines', () => {
  it.each([
    'Venter',
    'Reserverad',
    'Väntar',
    'Reservert',
    'In behandeling',
    'Geweigerd',
    'In sospeso',
    'Autorizzato',
    'Pendente',
    'Agendado',
    'Rechazada',
    'À venir',
    'En cours',
    'Oczekująca',
    'Čekající',
    'Függőben',
    'Odottaa',
    'Provizyon',
    'Ausstehend',
    'Ожидает',
  ])('are left out while their status is %s', async (status) => {
    const rows = `2026-04-17;Sale;31,20;OK\n2026-04-20;Card;-6,05;${status}\n`;
    expect(await readSettled(`Date;Text;Amount;Status\n${rows}`)).toEqual(['2026-04-17 3120']);
  });

  it.each([
    'Saldo do dia',
    'S A L D O',
    'Tagessaldo',
    'Dagens saldo',
    'Solde du jour',
    'Daily balance',
    'Saldo giornaliero',
    'Gün sonu bakiyesi',
    'Zůstatek',
    'Υπόλοιπο',
    '残高',
  ])('are left out if they state the balance of a day: %s', async (label) => {
    const rows = `2026-04-17;Sale;31,20\n2026-04-17;${label};31,20\n2026-04-20;Card;-6,05\n2026-04-20;${label};25,15\n`;
    expect(await readSettled(`Date;Text;Amount\n${rows}`)).toEqual(['2026-04-17 3120', '2026-04-20 -605']);
  });

  it('state an opening balance as “Übertrag”, and balances inside one cell above the header', async () => {
    const rows = '16.04.2026;Übertrag;700,00\n17.04.2026;Verkauf;31,20\n20.04.2026;Endsaldo;731,20\n';
    const carried = await readText(`Datum;Text;Betrag\n${rows}`);
    expect(listAmounts(carried)).toEqual(['2026-04-17 3120']);
    expect(carried.statements[0]?.opening?.amount_in_cents).toBe(70_000);
    const inside = await readText(
      'Saldo Iniziale: 700,00\nSaldo Finale: 731,20\n\nData;Importo;Causale\n17/04/2026;31,20;Vendita\n',
    );
    expect(inside.statements[0]).toMatchObject({
      opening: { amount_in_cents: 70_000 },
      closing: { amount_in_cents: 73_120 },
    });
  });

  it('are never rows that move the balance', async () => {
    const text =
      'Date,Text,Amount,Balance\n2026-04-17,a,,900.00\n2026-04-18,b,,850.00\n2026-04-20,c,5.00,855.00\n';
    const file = await readText(text);
    expect(listFlaws(file).map(({ row, reason }) => [row, reason])).toEqual([[2, 'The row has no amount.']]);
  });
});

describe('columns of an export', () => {
  it('are not amounts if they contain dates: “Valør” and “Valor”', async () => {
    const danish =
      'Dato;Valør;Tekst;Udbetaling;Indbetaling;Saldo\n17-04-2026;17-04-2026;Salg;;31,20;731,20\n20-04-2026;20-04-2026;El;6,05;;725,15\n';
    expect(await readSettled(danish)).toEqual(['2026-04-17 3120', '2026-04-20 -605']);
    const portuguese = 'Data;Valor;Descrição\n17/04/2026;31,20;Venda\n20/04/2026;-6,05;Tarifa\n';
    expect(await readSettled(portuguese)).toEqual(['2026-04-17 3120', '2026-04-20 -605']);
  });

  it('are amounts if they are filled in most rows, not if they are blocked amounts of a few', async () => {
    const header =
      'Data transakcji;Data księgowania;Kontrahent;Kwota transakcji (waluta rachunku);Waluta;Kwota blokady;Saldo po transakcji';
    const rows = '2026-04-16;2026-04-17;A;31,20;PLN;;731,20\n2026-04-18;2026-04-20;B;-6,05;PLN;;725,15\n';
    const file = await readText(`${header}\n${rows}2026-04-21;2026-04-21;C;;PLN;-9,00;725,15\n`);
    expect(listAmounts(file)).toEqual(['2026-04-17 3120', '2026-04-20 -605']);
  });

  it('are dates of booking before dates of the transaction, in every language', async () => {
    for (const [operation, booking] of [
      ['Data operacji', 'Data księgowania'],
      ['Fecha operación', 'Fecha contable'],
      ['Data operazione', 'Data contabile'],
      ['Date operation', 'Date comptable'],
      ['Datum provedení', 'Datum zaúčtování'],
    ]) {
      const text = `${operation};${booking};Text;Amount\n2026-04-15;2026-04-17;a;31,20\n`;
      expect(await readSettled(text)).toEqual(['2026-04-17 3120']);
    }
  });

  it('have no amount in cells with dashes', async () => {
    const text =
      'Date,Text,Withdrawals,Deposits\n2026-04-17,a,-,31.20\n2026-04-18,b,--,7.00\n2026-04-20,c,6.05,\u2013\n';
    expect(await readSettled(text)).toEqual(['2026-04-17 3120', '2026-04-18 700', '2026-04-20 -605']);
  });

  it('are numbers of movements if they never agree with debits and credits', async () => {
    const text =
      'FECHA,DESCRIPCIÓN,DEPÓSITOS,RETIROS,SALDO,MOVIMIENTO\n17/04/2026,a,"$1,031.20",-,"$1,731.20",1\n20/04/2026,b,-,$6.05,"$1,725.15",2\n';
    expect(await readSettled(text)).toEqual(['2026-04-17 103120', '2026-04-20 -605']);
  });

  it('name their currency in any notation', async () => {
    for (const [unit, currency, factor] of [
      ['(INR )', 'INR', 100],
      ['(円)', 'JPY', 1],
      ['(TRY)', 'TRY', 100],
    ] as const) {
      const file = await readText(`Date,Text,Amount ${unit}\n2026-04-17,a,3120\n`);
      expect(file.lines.map((line) => [line.currency, line.amount_in_cents])).toEqual([
        [currency, 3120 * factor],
      ]);
    }
    const lira = await readText('Tarih;Açıklama;Tutar\n17.04.2026-10:20:11;a;"-1.031,20 TL"\n');
    expect(lira.lines.map((line) => [line.booked_on, line.currency, line.amount_in_cents])).toEqual([
      ['2026-04-17', 'TRY', -103_120],
    ]);
  });

  it('have the letters of a Greek or Russian bank', async () => {
    const greek = 'Ημερομηνία;Ποσό;Πρόσημο ποσού\n17/04/2026;31,20;Π\n20/04/2026;6,05;Χ\n';
    expect(await readSettled(greek)).toEqual(['2026-04-17 3120', '2026-04-20 -605']);
    const russian = 'Дата;Сумма;Д/К\n17.04.2026;31,20;К\n20.04.2026;6,05;Д\n';
    expect(await readSettled(russian)).toEqual(['2026-04-17 3120', '2026-04-20 -605']);
  });
});

describe('a table without a header', () => {
  it('has the debits, credits and balances that prove each other', async () => {
    const newestFirst =
      '04/20/2026,CARD,6.05,,725.15\n04/17/2026,SALE,,31.20,731.20\n04/16/2026,CARD,2.00,,700.00\n';
    expect(await readSettled(newestFirst)).toEqual(['2026-04-20 -605', '2026-04-17 3120', '2026-04-16 -200']);
  });

  it('has one amount column if only one agrees with the balances', async () => {
    const text =
      '2026-04-16\tSEK\t702,00\t700,00\t-2,00\tA\n2026-04-17\tSEK\t700,00\t731,20\t31,20\tB\n2026-04-20\tSEK\t731,20\t725,15\t-6,05\tC\n';
    expect(await readSettled(text)).toEqual(['2026-04-16 -200', '2026-04-17 3120', '2026-04-20 -605']);
    expect((await readText(text)).lines.map(({ currency }) => currency)).toEqual(['SEK', 'SEK', 'SEK']);
  });

  it('asks if two readings agree or none does', async () => {
    const text = '2026-04-16,A,2.00,700.00\n2026-04-17,B,31.20,600.00\n2026-04-20,C,6.05,500.00\n';
    expect(listQuestions(await readText(text))).toEqual(['column.amount']);
  });
});

it.each([
  'ONLINE PAYMENT - THANK YOU',
  'Zahlung erhalten, besten Dank',
  'PAIEMENT REÇU - MERCI',
  'AUTOPAY 0412',
])('asks for the signs of a credit card whose negative line is a payment of the bill: %s', async (text) => {
  const rows = `2026-04-17,SHOP,31.20\n2026-04-18,${text.replace(',', '')},-500.00\n2026-04-20,OTHER SHOP,6.05\n`;
  const file = await readText(`Date,Description,Amount\n${rows}`);
  expect(listQuestions(file)).toEqual(['signs']);
  const charges = await readText(`Date,Description,Amount\n${rows}`, { answers: { signs: 'inverted' } });
  expect(listAmounts(charges)).toEqual(['2026-04-17 -3120', '2026-04-18 50000', '2026-04-20 -605']);
});
