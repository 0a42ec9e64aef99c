import { describe, expect, it } from 'vitest';
import { listProblemSummaries, readText } from './read-complete-file.ts';

describe('the currency of a file', () => {
  it.each([
    'Posted Currency',
    'Ccy',
    'Devise',
    'Währung',
    'Waehrung',
    'Valuta',
    'Moneda',
    'Divisa',
    'Munt',
    'Muntsoort',
    'Waluta',
    'Moeda',
    'Měna',
    'Valuutta',
    'Pénznem',
    'Para Birimi',
    'Валюта',
    'Account currency',
    'Valutacode',
    'Currency Code',
    'Devise du compte',
    'Kontowährung',
    'Monnaie',
  ])('is read from the column %s', async (header) => {
    const rows = '2026-10-02;Rent;-12,50;SEK\n2026-10-03;Sale;7,00;SEK\n';
    const { lines, columns } = await readText(`Date;Text;Amount;${header}\n${rows}`, { currency: 'USD' });
    expect(lines.map(({ currency, amount_in_cents }) => [currency, amount_in_cents])).toEqual([
      ['SEK', -1250],
      ['SEK', 700],
    ]);
    expect(columns.at(-1)).toEqual({ name: header, role: 'currency' });
  });

  it.each([
    'Original Currency',
    'Orig currency',
    'Currency (original)',
    'Oorspr munt',
    'Währung Ursprung',
    "Devise d'origine",
    'Transaction Currency',
    'Merchant currency',
    'Local Currency',
  ])('is told from the currency before the conversion: %s', async (original) => {
    const { lines } = await readText(
      `Date,Text,${original},Amount,Account currency\n2026-10-02,Rent,USD,-12.50,EUR\n2026-10-03,Sale,GBP,7.00,EUR\n`,
    );
    expect(lines.map(({ currency }) => currency)).toEqual(['EUR', 'EUR']);
    const plain = await readText(
      `Date,Text,Currency,Amount,${original}\n2026-10-02,Rent,EUR,-12.50,USD\n2026-10-03,Sale,EUR,7.00,GBP\n`,
    );
    expect(plain.lines.map(({ currency }) => currency)).toEqual(['EUR', 'EUR']);
  });

  it('is never the original currency alone', async () => {
    const { lines } = await readText('Date,Text,Amount,Original Currency\n2026-10-02,Rent,-12.50,USD\n');
    expect(lines[0]?.currency).toBe(null);
  });

  it('is the one of the side that has an amount', async () => {
    const { lines, problems } = await readText(
      'DATE;ACTIVITY NAME;DEBIT;DEBIT CURRENCY;CREDIT;CREDIT CURRENCY;RECIPIENT\n13/10/2026;Shop;-12.50;CHF;;;Kiosk\n14/10/2026;Salary;;;700.00;CHF;\n15/10/2026;Change;-10.00;CHF;10.50;EUR;\n',
    );
    expect(lines.map(({ currency, amount_in_cents }) => [currency, amount_in_cents])).toEqual([
      ['CHF', -1250],
      ['CHF', 70000],
    ]);
    expect(problems.map(({ reason }) => reason)).toEqual([
      'The debit and the credit of the row are in different currencies.',
    ]);
  });

  it.each(['Amount (EUR)', 'Betrag in EUR', 'Bedrag (€)', 'Montant en euros', 'Importe EUR', 'Amount EUR'])(
    'is read from the header %s',
    async (header) => {
      const { lines } = await readText(`Date;Text;${header}\n2026-10-02;Rent;-12,50\n`, { currency: 'USD' });
      expect(lines[0]?.currency).toBe('EUR');
    },
  );

  it.each([
    ['NL91ABNA0417164300', 'EUR'],
    ['DE89 3704 0044 0532 0130 00', 'EUR'],
    ['GB29NWBK60161331926819', 'GBP'],
    ['SE4550000000058398257466', 'SEK'],
    ['PL61109010140000071219812874', 'PLN'],
    ['CH9300762011623852957', null],
    ['12345678', null],
  ])('follows from the country of the account %s unless the caller knows it', async (account, currency) => {
    const column = `Date,Amount,Account,Counterparty,Name\n2026-10-02,-12.50,${account},US64SVBKUS6S3300958879,Rent\n2026-10-03,7.00,${account},,Sale\n`;
    const file = await readText(column);
    expect(file.lines.map((line) => [line.currency, line.counterparty])).toEqual([
      [currency, 'Rent'],
      [currency, 'Sale'],
    ]);
    expect((await readText(column, { currency: 'USD' })).lines[0]?.currency).toBe('USD');
    const label = `Account;${account}\nDate;Text;Amount\n2026-10-02;Rent;-12,50\n`;
    expect((await readText(label)).lines[0]?.currency).toBe(currency);
  });

  it('follows from the account of a file without header', async () => {
    const file = await readText(
      '"20261002","ACME BV","NL91ABNA0417164300","NL02INGB0000000001","GT","Af","12,50","Online bankieren","Rent"\n"20261013","Client","NL91ABNA0417164300","NL03INGB0000000002","OV","Bij","7,00","Overschrijving","Sale of goods"\n',
    );
    expect(file.questions).toEqual([]);
    expect(file.lines.map(({ currency, amount_in_cents }) => [currency, amount_in_cents])).toEqual([
      ['EUR', -1250],
      ['EUR', 700],
    ]);
    expect(file.statements[0]?.account).toBe('NL91ABNA0417164300');
  });
});

describe('a line that states a balance', () => {
  const names: [string, 'opening' | 'closing'][] = [
    ['Saldo anterior', 'opening'],
    ['Opening balance', 'opening'],
    ['OPENING BALANCE', 'opening'],
    ['Balance brought forward', 'opening'],
    ['Balance b/f', 'opening'],
    ['Saldo iniziale', 'opening'],
    ['Anfangssaldo', 'opening'],
    ['Beginsaldo', 'opening'],
    ['Solde initial', 'opening'],
    ['Solde précédent', 'opening'],
    ['Saldo inicial', 'opening'],
    ['Saldo początkowe', 'opening'],
    ['Ingående saldo', 'opening'],
    ['Počáteční zůstatek', 'opening'],
    ['Nyitó egyenleg', 'opening'],
    ['Opening balance on 1 Oct 2026', 'opening'],
    ['Closing balance', 'closing'],
    ['Endsaldo', 'closing'],
    ['Solde final', 'closing'],
    ['Saldo finale', 'closing'],
    ['Eindsaldo', 'closing'],
    ['Saldo al cierre', 'closing'],
  ];
  it.each(names.filter(([name]) => name !== 'Saldo al cierre'))(
    'is not a transaction: %s',
    async (name, balance) => {
      const own = `2026-10-${balance === 'opening' ? '01' : '31'}`;
      const lines = ['2026-10-02,Rent,-12.50', '2026-10-03,Sale,7.00'];
      const place = (line: string) =>
        (balance === 'opening' ? [line, ...lines] : [...lines, line]).join('\n');
      const file = await readText(`Date,Description,Amount\n${place(`${own},${name},500.00`)}\n`);
      expect(file.lines.map(({ amount_in_cents }) => amount_in_cents)).toEqual([-1250, 700]);
      expect(file.statements[0]?.[balance]).toEqual({ amount_in_cents: 50000, date: own });
      expect(file.problems.map(({ effect }) => effect)).toEqual(['skipped']);
      const running = ['2026-10-02,Rent,-12.50,487.50', '2026-10-03,Sale,7.00,494.50'];
      const stated = balance === 'opening' ? '500.00' : '494.50';
      for (const amount of ['', stated]) {
        const row = `${own},${name},${amount},${stated}`;
        const rows = balance === 'opening' ? [row, ...running] : [...running, row];
        const withBalance = await readText(`Date,Description,Amount,Balance\n${rows.join('\n')}\n`);
        expect(withBalance.lines.map(({ amount_in_cents }) => amount_in_cents)).toEqual([-1250, 700]);
        expect(withBalance.statements[0]).toMatchObject({
          opening: { amount_in_cents: 50000 },
          closing: { amount_in_cents: 49450 },
        });
        expect(withBalance.problems.filter(({ effect }) => effect !== 'skipped')).toEqual([]);
        const upward = await readText(`Date,Description,Amount,Balance\n${rows.toReversed().join('\n')}\n`);
        expect(upward.lines.map(({ amount_in_cents }) => amount_in_cents)).toEqual([700, -1250]);
      }
    },
  );

  it('is a transaction if it moves the running balance or says more', async () => {
    const file = await readText(
      'Date,Description,Amount,Balance\n2026-10-01,Sale,10.00,110.00\n2026-10-02,Opening balance,50.00,160.00\n2026-10-03,Opening balance transfer from savings,5.00,165.00\n',
    );
    expect(file.lines.map(({ amount_in_cents }) => amount_in_cents)).toEqual([1000, 5000, 500]);
    expect(file.problems).toEqual([]);
  });

  it('is rejected if its balance agrees with nothing', async () => {
    const file = await readText(
      'Date,Description,Amount,Balance\n2026-10-01,Sale,10.00,110.00\n2026-10-02,Opening balance,50.00,999.00\n',
    );
    expect(listProblemSummaries(file)).toEqual([
      'failed 2 line 3: The row is named as a balance, but its amount and its balance disagree.',
    ]);
  });

  it.each(['Total', 'Totals', 'Summe', 'Totaal', 'Totale', 'Suma', 'Razem', 'Total général'])(
    'is a total, not a transaction: %s',
    async (name) => {
      const file = await readText(
        `Date;Description;Debit;Credit\n2026-10-02;Rent;12,50;\n2026-10-03;Sale;;7,00\n2026-10-03;${name};12,50;7,00\n`,
      );
      expect(file.lines.map(({ amount_in_cents }) => amount_in_cents)).toEqual([-1250, 700]);
      const payee = await readText(
        `Date;Description;Debit;Credit\n2026-10-02;Rent;12,50;\n2026-10-03;${name};45,00;\n`,
      );
      expect(payee.lines.map(({ amount_in_cents }) => amount_in_cents)).toEqual([-1250, -4500]);
    },
  );
});

describe('the columns of a table', () => {
  it('all have a role', async () => {
    const standard = await readText(
      'date,amount,currency,description,reference,Counterparty,Till\n2026-10-02,5.00,USD,a,b,Acme,7\n',
    );
    expect(standard.columns.map(({ role }) => role)).toEqual([
      'booked_on',
      'amount',
      'currency',
      'description',
      'reference',
      'counterparty',
      'not_used',
    ]);
    const detected = await readText('Datum;Betrag;Zweck;Filiale\n2026-10-02;5,00;a;7\n');
    expect(detected.columns).toEqual([
      { name: 'Datum', role: 'booked_on' },
      { name: 'Betrag', role: 'amount' },
      { name: 'Zweck', role: 'description' },
      { name: 'Filiale', role: 'not_used' },
    ]);
  });

  it.each([
    'Counterparty',
    'Counterparty Name',
    'Beneficiary',
    'Payee',
    'Merchant',
    'Customer name',
    'Tegenpartij',
    'Begünstigter',
    'Bénéficiaire',
    'Kontrahent',
    'Received from',
  ])('include the counterparty under the standard profile: %s', async (name) => {
    const { lines } = await readText(
      `date,amount,currency,description,reference,${name}\n2026-10-02,5.00,USD,a,b,Acme\n`,
    );
    expect(lines[0]?.counterparty).toBe('Acme');
  });

  it('of a bank’s own file are not read with the standard profile if it ignores a sign or a fee', async () => {
    const { lines, questions } = await readText(
      'Date,Description,Reference,Amount,Debit/Credit,Currency\n2026-10-02,Rent,1,12.50,Debit,EUR\n2026-10-13,Sale,2,7.00,Credit,EUR\n',
    );
    expect(questions).toEqual([]);
    expect(lines.map(({ amount_in_cents }) => amount_in_cents)).toEqual([-1250, 700]);
    const days = await readText(
      'Date,Description,Reference,Amount,Currency\n02/10/2026,Rent,1,-12.50,EUR\n13/10/2026,Sale,2,7.00,EUR\n',
    );
    expect(days.lines.map(({ booked_on }) => booked_on)).toEqual(['2026-10-02', '2026-10-13']);
  });
});
