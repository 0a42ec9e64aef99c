import fc from 'fast-check';

/** A movement of an account, as the bank booked it. */
export interface TrueLine {
  /** Days after the first day of the file. */
  readonly day: number;
  /** Amount without the fee, positive for money received, in cents. */
  readonly cents: number;
  readonly fee: number;
  readonly text: string;
}

type SignStyle =
  | 'signed'
  | 'trailing'
  | 'parentheses'
  | 'sides'
  | 'negative-sides'
  | 'direction'
  | 'signed-direction'
  | 'inverted';

/** How a bank writes its export. */
export interface Dialect {
  readonly delimiter: ',' | ';' | '\t' | '|';
  readonly mark: '.' | ',';
  readonly grouped: boolean;
  readonly date: 'ymd' | 'dmy' | 'mdy' | 'dotted' | 'compact';
  readonly signs: SignStyle;
  readonly language: Language;
  readonly order: readonly number[];
  readonly balance: boolean;
  readonly newestFirst: boolean;
  readonly fee: 'none' | 'separate' | 'negative' | 'included';
  readonly currency: 'column' | 'header' | 'iban' | 'none' | 'two-columns';
  readonly balanceLines: boolean;
  readonly statedTotals: boolean;
  /** True if only the last line of a day states its balance. */
  readonly dailyBalance: boolean;
  /** Columns that say nothing about the amount. */
  readonly noise: readonly ('reference' | 'counterparty' | 'category' | 'value date' | 'status')[];
  readonly preamble: boolean;
  /** True if amounts name their currency. */
  readonly unit: boolean;
  /** True if the last row has the totals of the columns for money out and in. */
  readonly totalRow: boolean;
}

export interface Language {
  readonly names: Readonly<
    Record<
      | 'date'
      | 'text'
      | 'amount'
      | 'out'
      | 'in'
      | 'direction'
      | 'balance'
      | 'fee'
      | 'currency'
      | 'original'
      | 'account',
      string
    >
  >;
  readonly directions: readonly (readonly [out: string, into: string])[];
  readonly labels: readonly [opening: string, closing: string];
}

const language = (names: string, directions: string, labels: readonly [string, string]): Language => {
  const [
    date = '',
    text = '',
    amount = '',
    out = '',
    into = '',
    direction = '',
    balance = '',
    fee = '',
    currency = '',
    original = '',
    account = '',
  ] = names.split('|');
  return {
    names: { date, text, amount, out, in: into, direction, balance, fee, currency, original, account },
    directions: directions.split('|').map((pair) => pair.split('/') as [string, string]),
    labels,
  };
};

export const languages: readonly Language[] = [
  language(
    'Date|Description|Amount|Paid out|Paid in|Debit/Credit|Balance|Fee|Currency|Original currency|Account',
    'Debit/Credit|DR/CR|D/C|-/+',
    ['Opening balance', 'Closing balance'],
  ),
  language(
    'Posting date|Narrative|Transaction amount|Withdrawals|Deposits|CR/DR|Running balance|Charges|Account currency|Transaction currency|Account number',
    'DBIT/CRDT|Withdrawal/Deposit',
    ['Balance brought forward', 'Balance carried forward'],
  ),
  language(
    'Buchungstag|Verwendungszweck|Betrag|Soll|Haben|Soll/Haben|Saldo|Gebühr|Währung|Währung Ursprung|Auftragskonto',
    'S/H|Soll/Haben',
    ['Anfangssaldo', 'Endsaldo'],
  ),
  language(
    'Datum|Omschrijving|Bedrag|Bedrag af|Bedrag bij|Af Bij|Saldo na boeking|Kosten|Munt|Oorspr munt|Rekening',
    'Af/Bij|A/B',
    ['Beginsaldo', 'Eindsaldo'],
  ),
  language(
    'Date opération|Libellé|Montant|Débit|Crédit|Sens|Solde|Frais|Devise|Devise d’origine|Compte',
    'Débit/Crédit|D/C',
    ['Solde initial', 'Solde final'],
  ),
  language(
    'Fecha|Concepto|Importe|Cargo|Abono|Debe/Haber|Saldo|Comisión|Divisa|Divisa original|Cuenta',
    'Cargo/Abono|D/H|Debe/Haber',
    ['Saldo anterior', 'Saldo final'],
  ),
  language(
    'Data contabile|Descrizione|Importo|Dare|Avere|Dare/Avere|Saldo contabile|Commissioni|Divisa|Divisa originale|Conto',
    'Dare/Avere|D/A',
    ['Saldo iniziale', 'Saldo finale'],
  ),
  language(
    'Bokföringsdag|Text|Belopp|Uttag|Insättning|Debet/Kredit|Saldo|Avgift|Valuta|Ursprunglig valuta original|Konto',
    'Debet/Kredit|D/K',
    ['Ingående saldo', 'Utgående saldo'],
  ),
  language(
    'Data operacji|Opis|Kwota|Obciążenia|Uznania|Strona|Saldo po operacji|Prowizja|Waluta|Waluta original|Rachunek',
    'Obciążenie/Uznanie|Wn/Ma',
    ['Saldo początkowe', 'Saldo końcowe'],
  ),
  language(
    'Data|Descrição|Valor|Débito|Crédito|Tipo|Saldo|Comissão fee|Moeda|Moeda original|Conta',
    'Débito/Crédito|Saída/Entrada',
    ['Saldo anterior', 'Saldo final'],
  ),
];

const IBANS = [
  ['NL91ABNA0417164300', 'EUR'],
  ['GB29NWBK60161331926819', 'GBP'],
  ['SE4550000000058398257466', 'SEK'],
] as const;

export const dialect: fc.Arbitrary<Dialect> = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  mark: fc.constantFrom('.', ','),
  grouped: fc.boolean(),
  date: fc.constantFrom('ymd', 'dmy', 'mdy', 'dotted', 'compact'),
  signs: fc.constantFrom(
    'signed',
    'trailing',
    'parentheses',
    'sides',
    'negative-sides',
    'direction',
    'signed-direction',
    'inverted',
  ),
  language: fc.constantFrom(...languages),
  order: fc.array(fc.nat(1000), { minLength: 10, maxLength: 10 }),
  balance: fc.boolean(),
  newestFirst: fc.boolean(),
  fee: fc.constantFrom('none', 'none', 'separate', 'negative', 'included'),
  currency: fc.constantFrom('column', 'header', 'iban', 'none', 'two-columns'),
  balanceLines: fc.boolean(),
  statedTotals: fc.boolean(),
  dailyBalance: fc.boolean(),
  noise: fc.uniqueArray(fc.constantFrom('reference', 'counterparty', 'category', 'value date', 'status')),
  preamble: fc.boolean(),
  unit: fc.boolean(),
  totalRow: fc.boolean(),
});

export const trueLines: fc.Arbitrary<TrueLine[]> = fc.array(
  fc.record({
    day: fc.nat(40),
    cents: fc
      .oneof(fc.integer({ min: -500_000, max: 500_000 }), fc.integer({ min: -2000, max: 2000 }))
      .filter((cents) => cents !== 0),
    fee: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 900 })),
    text: fc.constantFrom(
      'Rent October',
      'Invoice 4711',
      'Coffee house',
      'Salary',
      'TOTAL station 12',
      'Müller, Söhne & Co',
      'Balance transfer savings',
      'A "quoted" text; and more',
    ),
  }),
  { minLength: 1, maxLength: 12 },
);

/** What the reader must return, unless it asks. */
export interface WrittenFile {
  readonly text: string;
  readonly amounts: readonly number[];
  readonly dates: readonly string[];
  /** Currency of the account; null if the file does not state it. */
  readonly currency: string | null;
  readonly opening: number;
}

/** Writes an export in a dialect. The movements are sorted by date. */
export function writeExport(dialect: Dialect, lines: readonly TrueLine[], seed: number): WrittenFile {
  const { language, currency: place } = dialect;
  const [account, national] = IBANS[seed % IBANS.length]!;
  const currency = place === 'iban' ? national : ['CHF', 'EUR', 'DKK'][seed % 3]!;
  const pair = language.directions[seed % language.directions.length]!;
  const opening = (seed % 100_000) - 20_000;
  const sorted = lines.toSorted((a, b) => a.day - b.day);
  let balance = opening;
  const booked = sorted
    .map((line) => {
      const fee = dialect.fee === 'none' ? 0 : line.fee;
      const effect = dialect.fee === 'none' || dialect.fee === 'included' ? line.cents : line.cents - fee;
      balance += effect;
      return { ...line, fee, effect, balance, date: toDate(line.day) };
    })
    .map((line, at, all) => ({ ...line, isLastOfDay: all[at + 1]?.day !== line.day }));
  const columns = listColumns(dialect, { account, currency, pair }).toSorted((a, b) => a.at - b.at);
  const rows = booked.map((line) => columns.map(({ cell }) => cell(line)));
  const closing = booked.at(-1)?.balance ?? opening;
  const balanceRow = (label: string, date: string, cents: number) =>
    columns.map(({ name }) =>
      name === language.names.date
        ? writeDate(date, dialect.date)
        : name === language.names.text
          ? label
          : name === language.names.balance
            ? writeNumber(cents, dialect)
            : '',
    );
  if (dialect.balanceLines && dialect.balance) {
    rows.unshift(balanceRow(language.labels[0], toDate(0), opening));
    rows.push(balanceRow(language.labels[1], toDate(41), closing));
  }
  const ordered = dialect.newestFirst ? rows.toReversed() : rows;
  const width = columns.length;
  const stated = (label: string, cents: number) => [
    label,
    writeNumber(cents, dialect),
    ...Array(Math.max(0, width - 2)).fill(''),
  ];
  const table = [columns.map(({ name }) => name), ...ordered];
  if (dialect.totalRow && dialect.signs.endsWith('sides'))
    table.push(columns.map((column) => writeTotal(column, booked, dialect)));
  if (dialect.preamble)
    table.unshift(
      ['My Bank Ltd', ...Array(width - 1).fill('')],
      ['Customer', 'A Ltd', ...Array(Math.max(0, width - 2)).fill('')],
    );
  if (dialect.statedTotals) {
    table.unshift(stated(language.labels[0], opening));
    table.push(stated(language.labels[1], closing));
  }
  const written = dialect.newestFirst ? booked.toReversed() : booked;
  return {
    text: `${table.map((cells) => cells.map((cell) => quote(cell, dialect.delimiter)).join(dialect.delimiter)).join('\n')}\n`,
    amounts: written.map(({ effect }) => effect),
    dates: written.map(({ date }) => date),
    currency: place === 'none' ? null : currency,
    opening,
  };
}

function writeTotal({ name }: Column, lines: readonly BookedLine[], dialect: Dialect): string {
  const { names } = dialect.language;
  const sum = (sign: number) =>
    lines.reduce((total, { cents }) => total + (cents * sign > 0 ? Math.abs(cents) : 0), 0);
  if (name === names.text) return 'Total';
  if (name.startsWith(names.out))
    return writeNumber(dialect.signs === 'negative-sides' ? 0 - sum(-1) : sum(-1), dialect);
  return name.startsWith(names.in) ? writeNumber(sum(1), dialect) : '';
}

type BookedLine = TrueLine & {
  readonly effect: number;
  readonly balance: number;
  readonly date: string;
  readonly isLastOfDay: boolean;
};
interface Column {
  readonly at: number;
  readonly name: string;
  readonly cell: (line: BookedLine) => string;
}

function listColumns(
  dialect: Dialect,
  { account, currency, pair }: { account: string; currency: string; pair: readonly [string, string] },
): Column[] {
  const { names } = dialect.language;
  const unit = dialect.currency === 'header' ? ` (${currency})` : '';
  const number = (cents: number) => writeNumber(cents, dialect);
  const noise = {
    reference: ({ day, cents }: BookedLine) => `R${day}-${Math.abs(cents)}`,
    counterparty: ({ text }: BookedLine) => `${text.split(' ')[0]} Ltd`,
    category: ({ day }: BookedLine) => ['Travel', 'Office', 'Sales', 'Tax'][day % 4] ?? '',
    'value date': ({ date }: BookedLine) => writeDate(date, dialect.date),
    status: () => 'Booked',
  };
  const column = (name: string, cell: Column['cell']) => ({ name, cell });
  const list = [
    column(names.date, ({ date }) => writeDate(date, dialect.date)),
    column(names.text, ({ text }) => text),
    ...listAmountColumns(dialect, pair, currency).map(({ name, cell }) => ({
      name: name === names.direction ? name : `${name}${unit}`,
      cell,
    })),
    ...(dialect.balance
      ? [
          column(names.balance, ({ balance, isLastOfDay }) =>
            dialect.dailyBalance && !isLastOfDay ? '' : number(balance),
          ),
        ]
      : []),
    ...(dialect.fee === 'none'
      ? []
      : [column(names.fee, ({ fee }) => number(dialect.fee === 'negative' ? 0 - fee : fee))]),
    ...(dialect.currency === 'column' || dialect.currency === 'two-columns'
      ? [column(names.currency, () => currency)]
      : []),
    ...(dialect.currency === 'two-columns'
      ? [column(names.original, ({ cents }) => (cents % 2 === 0 ? 'USD' : 'JPY'))]
      : []),
    ...dialect.noise.map((name) => column(name, noise[name])),
    ...(dialect.currency === 'iban' ? [column(names.account, () => account)] : []),
  ];
  return list.map((each, index) => ({
    ...each,
    at: dialect.order[index % dialect.order.length]! * 20 + index,
  }));
}

function listAmountColumns(dialect: Dialect, [outWord, inWord]: readonly [string, string], currency: string) {
  const { names } = dialect.language;
  const isNamed = dialect.unit && dialect.currency !== 'none';
  const number = (cents: number) => `${writeNumber(cents, dialect)}${isNamed ? ` ${currency}` : ''}`;
  const side = (name: string, isSide: (cents: number) => boolean, sign: number) => ({
    name,
    cell: ({ cents }: BookedLine) => (isSide(cents) ? number(sign * Math.abs(cents)) : ''),
  });
  const isOut = (cents: number) => cents < 0;
  const isIn = (cents: number) => cents > 0;
  const direction = {
    name: names.direction,
    cell: ({ cents }: BookedLine) => (cents < 0 ? outWord : inWord),
  };
  const amount = (write: (cents: number) => string) => ({
    name: names.amount,
    cell: ({ cents }: BookedLine) => write(cents),
  });
  switch (dialect.signs) {
    case 'sides':
      return [side(names.out, isOut, 1), side(names.in, isIn, 1)];
    case 'negative-sides':
      return [side(names.out, isOut, -1), side(names.in, isIn, 1)];
    case 'direction':
      return [amount((cents) => number(Math.abs(cents))), direction];
    case 'signed-direction':
      return [amount(number), direction];
    case 'trailing':
      return [amount((cents) => (cents < 0 ? `${number(-cents)}-` : number(cents)))];
    case 'parentheses':
      return [amount((cents) => (cents < 0 ? `(${number(-cents)})` : number(cents)))];
    case 'inverted':
      return [amount((cents) => number(0 - cents))];
    default:
      return [amount(number)];
  }
}

const toDate = (day: number): string =>
  new Date(Date.UTC(2026, 8, 20) + day * 86_400_000).toISOString().slice(0, 10);

function writeDate(date: string, style: Dialect['date']): string {
  const [year = '', month = '', day = ''] = date.split('-');
  return {
    ymd: date,
    dmy: `${day}/${month}/${year}`,
    mdy: `${month}/${day}/${year}`,
    dotted: `${day}.${month}.${year}`,
    compact: `${year}${month}${day}`,
  }[style];
}

function writeNumber(cents: number, { mark, grouped }: Pick<Dialect, 'mark' | 'grouped'>): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  const whole = digits.slice(0, -2);
  const separated = grouped ? whole.replace(/\B(?=(\d{3})+$)/g, mark === '.' ? ',' : '.') : whole;
  return `${cents < 0 ? '-' : ''}${separated}${mark}${digits.slice(-2)}`;
}

const quote = (cell: string, delimiter: string): string =>
  cell.includes(delimiter) || cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell;
