import { describe, expect, it } from 'vitest';
import { listProblemSummaries, readText } from './read-complete-file.ts';

const amounts = async (text: string, answers: Record<string, string> = {}) => {
  const file = await readText(text, { answers });
  expect(file.questions).toEqual([]);
  return file.lines.map(({ amount_in_cents }) => amount_in_cents);
};
const questionKeys = async (text: string) => (await readText(text)).questions.map(({ key }) => key);

describe('a column that states the direction', () => {
  it.each([
    ['CreditDebet', 'D', 'C'],
    ['Credit/Debit', 'Debit', 'Credit'],
    ['CR/DR', 'DR', 'CR'],
    ['Indicator', 'DBIT', 'CRDT'],
    ['Af Bij', 'Af', 'Bij'],
    ['Af/Bij', 'A', 'B'],
    ['Soll/Haben', 'S', 'H'],
    ['Umsatzart', 'Lastschrift', 'Gutschrift'],
    ['Umsatztyp', 'Ausgang', 'Eingang'],
    ['Debe/Haber', 'D', 'H'],
    ['Tipo', 'Cargo', 'Abono'],
    ['Dare/Avere', 'D', 'A'],
    ['Segno', 'Addebito', 'Accredito'],
    ['Sens', 'Débit', 'Crédit'],
    ['Debet/Kredit', 'Debet', 'Kredit'],
    ['D/K', 'D', 'K'],
    ['Typ', 'Uttag', 'Insättning'],
    ['Type', 'Udbetaling', 'Indbetaling'],
    ['Ut/Inn', 'Ut', 'Inn'],
    ['Laji', 'Otto', 'Pano'],
    ['Strona', 'Obciążenie', 'Uznanie'],
    ['Typ transakcji', 'Wypłata', 'Wpłata'],
    ['Směr', 'Výdej', 'Příjem'],
    ['MD/D', 'MD', 'D'],
    ['Jelleg', 'Terhelés', 'Jóváírás'],
    ['Movimento', 'Saída', 'Entrada'],
    ['Borç/Alacak', 'B', 'A'],
    ['Κίνηση', 'Χρέωση', 'Πίστωση'],
    ['Тип', 'Расход', 'Приход'],
    ['借贷', '借', '贷'],
    ['+/-', '-', '+'],
    ['Sign', '-', '+'],
    ['Kind', 'Withdrawal', 'Deposit'],
    ['W/D', 'W', 'D'],
  ])('is read: %s with %s and %s', async (header, out, into) => {
    const rows = [
      `2026-10-02;Rent;12,50;${out}`,
      `2026-10-03;Sale;7,00;${into}`,
      `2026-10-04;Power;3,25;${out}`,
    ];
    expect(await amounts(`Date;Text;Amount;${header}\n${rows.join('\n')}\n`)).toEqual([-1250, 700, -325]);
    const first = rows.map((row) => row.split(';').toReversed().join(';'));
    expect(await amounts(`${header};Amount;Text;Date\n${first.join('\n')}\n`)).toEqual([-1250, 700, -325]);
  });

  it('confirms amounts that are signed', async () => {
    const rows = '2026-10-02,-12.50,DR\n2026-10-03,7.00,CR\n';
    expect(await amounts(`Date,Amount,Type\n${rows}`)).toEqual([-1250, 700]);
  });

  it('is asked about if it contradicts the signs of the amounts', async () => {
    const rows = '2026-10-02,12.50,DR\n2026-10-03,-7.00,CR\n2026-10-04,-1.00,CR\n';
    expect(await questionKeys(`Date,Amount,Type\n${rows}`)).toEqual(['signs']);
    expect(await amounts(`Date,Amount,Type\n${rows}`, { signs: 'unsigned' })).toEqual([-1250, 700, 100]);
    expect(await amounts(`Date,Amount,Type\n${rows}`, { signs: 'signed' })).toEqual([1250, -700, -100]);
    expect(await amounts(`Date,Amount,Type\n${rows}`, { signs: 'reversal' })).toEqual([-1250, -700, -100]);
  });

  it('is asked about if its letters mean different directions in different languages', async () => {
    expect(await questionKeys('Date,Amount,Type\n2026-10-02,12.50,A\n2026-10-03,7.00,B\n')).toEqual([
      'direction.a',
      'direction.b',
    ]);
  });

  it('is asked about if unsigned amounts have types that say nothing', async () => {
    const text = 'Date,Amount,Transaction Type\n2026-10-02,12.50,Card\n2026-10-03,7.00,Transfer\n';
    expect(await questionKeys(text)).toEqual(['direction.card', 'direction.transfer']);
    expect(await amounts(text, { 'direction.card': 'out', 'direction.transfer': 'in' })).toEqual([
      -1250, 700,
    ]);
  });

  it('is asked about for the texts that are unknown', async () => {
    const text = 'Date,Type,Amount,Details\n2026-10-24,POS,12.50,Bakery\n2026-10-25,Deposit,250.00,Mill\n';
    expect(await questionKeys(text)).toEqual(['direction.pos']);
    expect(await amounts(text, { 'direction.pos': 'out' })).toEqual([-1250, 25000]);
  });

  it('is learned from the running balance', async () => {
    const text =
      'Date,Amount,Type,Balance\n2026-10-02,12.50,Card,87.50\n2026-10-03,7.00,Top-up,94.50\n2026-10-04,1.50,Card,93.00\n';
    expect(await amounts(text)).toEqual([-1250, 700, -150]);
    const [header, ...rows] = text.trim().split('\n');
    expect(await amounts([header, ...rows.toReversed()].join('\n'))).toEqual([-150, 700, -1250]);
  });
});

describe('columns for money out and money in', () => {
  it.each([
    ['Debit Amount', 'Credit Amount'],
    ['Paid out', 'Paid in'],
    ['Money Out', 'Money In'],
    ['Withdrawals', 'Deposits'],
    ['Debit (GBP)', 'Credit (GBP)'],
    ['Débit euros', 'Crédit euros'],
    ['Montant débit', 'Montant crédit'],
    ['Soll', 'Haben'],
    ['Lastschrift in CHF', 'Gutschrift in CHF'],
    ['Belastung', 'Gutschrift'],
    ['Bedrag af', 'Bedrag bij'],
    ['Cargos', 'Abonos'],
    ['Debe', 'Haber'],
    ['Importe cargo', 'Importe abono'],
    ['Dare', 'Avere'],
    ['Uscite', 'Entrate'],
    ['Addebiti', 'Accrediti'],
    ['Saídas', 'Entradas'],
    ['Ut', 'Inn'],
    ['Ut fra konto', 'Inn på konto'],
    ['Uttag', 'Insättning'],
    ['Hævet', 'Indsat'],
    ['Obciążenia', 'Uznania'],
    ['Výdaje', 'Příjmy'],
    ['Terhelés', 'Jóváírás'],
    ['Borç', 'Alacak'],
    ['Isplata', 'Uplata'],
    ['Χρέωση', 'Πίστωση'],
    ['Дебет', 'Кредит'],
    ['出金', '入金'],
  ])('are read: %s and %s', async (out, into) => {
    const rows = ['2026-10-02;Rent;12,50;', '2026-10-03;Sale;;7,00', '2026-10-04;Power;3,25;'];
    expect(await amounts(`Date;Text;${out};${into}\n${rows.join('\n')}\n`)).toEqual([-1250, 700, -325]);
    const negative = rows.map((row) => row.replace(/;(\d+,\d\d);/, ';-$1;'));
    expect(await amounts(`Date;Text;${out};${into}\n${negative.join('\n')}\n`)).toEqual([-1250, 700, -325]);
    const zeros = rows.map((row) => row.replace(/;$/, ';0,00').replace(/;;/, ';0,00;'));
    expect(await amounts(`Date;Text;${out};${into}\n${zeros.join('\n')}\n`)).toEqual([-1250, 700, -325]);
  });

  it('are asked about if the signs contradict the columns', async () => {
    const head = 'Date,Debit,Credit\n';
    expect(await questionKeys(`${head}2026-10-02,-5.00,\n2026-10-03,6.00,\n2026-10-04,,7.00\n`)).toEqual([
      'signs',
    ]);
    expect(await questionKeys(`${head}2026-10-02,5.00,\n2026-10-03,,-7.00\n`)).toEqual(['signs']);
  });

  it('give the sign of an amount column, and reject a row that contradicts it', async () => {
    const file = await readText(
      'Date,Amount,Debit,Credit\n2026-10-02,5.00,5.00,\n2026-10-03,7.00,,7.00\n2026-10-04,9.00,5.00,\n',
    );
    expect(file.lines.map(({ amount_in_cents }) => amount_in_cents)).toEqual([-500, 700]);
    expect(listProblemSummaries(file)).toEqual([
      'failed 3 line 4: The amount “9.00” differs from the debit or credit of the row.',
    ]);
    expect(
      await questionKeys(
        'Date,Amount,Debit,Credit\n2026-10-02,5.00,5.00,\n2026-10-03,-7.00,7.00,\n2026-10-04,1.00,,1.00\n',
      ),
    ).toEqual(['signs']);
  });
});

describe('balances', () => {
  it('prove that positive amounts are money paid', async () => {
    const text =
      'Date,Amount,Balance\n2026-10-02,12.50,87.50\n2026-10-03,-7.00,94.50\n2026-10-04,1.50,93.00\n';
    expect(await amounts(text)).toEqual([-1250, 700, -150]);
  });

  it('decide between contradicting signs and columns', async () => {
    const text =
      'Date,Amount,D/C,Balance\n2026-10-02,12.50,D,87.50\n2026-10-03,-7.00,D,94.50\n2026-10-04,1.50,C,96.00\n';
    expect(await amounts(text)).toEqual([-1250, 700, 150]);
  });

  it('are used if only the last line of a day states one', async () => {
    const text =
      'Date,Amount,D/C,Balance\n2026-10-02,10.00,C,110.00\n2026-10-03,-7.00,D,\n2026-10-03,2.00,C,119.00\n2026-10-04,1.00,D,118.00\n';
    expect(await amounts(text)).toEqual([1000, 700, 200, -100]);
  });

  it('at the top and bottom of a file decide as well', async () => {
    const text =
      'Opening balance;100,00\nDate;Amount;D/C\n22.10.2026;12,50;D\n23.10.2026;-7,00;D\nClosing balance;94,50\n';
    expect(await amounts(text)).toEqual([-1250, 700]);
  });

  it('that no sign explains block the import', async () => {
    const text =
      'Date,Amount,Balance\n2026-10-02,5.00,50.00\n2026-10-03,7.00,43.00\n2026-10-04,6.00,49.00\n2026-10-05,9.00,40.00\n';
    expect(await questionKeys(text)).toEqual(['signs']);
  });
});

describe('a fee column', () => {
  const lines = (fee: string, ...rows: string[]) =>
    `Date,Description,Amount,${fee},Currency,Balance\n${rows.join('\n')}\n`;
  it('is deducted if the balances prove it', async () => {
    const revolut = lines(
      'Fee',
      '2026-10-02,Exchange,-100.00,2.00,EUR,898.00',
      '2026-10-03,Card,-10.00,0.00,EUR,888.00',
      '2026-10-04,Transfer,-20.00,0.50,EUR,867.50',
    );
    expect(await amounts(revolut)).toEqual([-10200, -1000, -2050]);
    const negative = lines(
      'Commission',
      '2026-10-02,a,50.00,-1.00,EUR,149.00',
      '2026-10-03,b,-10.00,-0.25,EUR,138.75',
    );
    expect(await amounts(negative)).toEqual([4900, -1025]);
  });

  it('is ignored if the balances prove that the amounts include it', async () => {
    const text = lines(
      'Gebühr',
      '2026-10-02,a,-100.00,0.00,EUR,900.00',
      '2026-10-03,b,-10.00,0.25,EUR,890.00',
    );
    expect(await amounts(text)).toEqual([-10000, -1000]);
  });

  it('is asked about if nothing proves it', async () => {
    const text = 'Date,Description,Amount,Frais\n2026-10-02,a,-100.00,2.00\n';
    expect(await questionKeys(text)).toEqual(['fees']);
    expect(await amounts(text, { fees: 'separate' })).toEqual([-10200]);
    expect(await amounts(text, { fees: 'included' })).toEqual([-10000]);
    expect(await amounts('Date,Description,Amount,Fee\n2026-10-02,a,-100.00,0.00\n')).toEqual([-10000]);
  });
});
