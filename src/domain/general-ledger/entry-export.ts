import { formatCsvRow } from '../csv/csv-row.ts';
import { type CalendarDate, type Cents, formatMoney } from '../ledger/index.ts';
import { type JournalEntryContent, splitIntoTransfers } from './journal-entry.ts';

/** Accounting systems for which journal entries can be exported. */
export const journalFormats = ['quickbooks', 'xero', 'netsuite', 'datev', 'sage'] as const;
export type JournalFormat = (typeof journalFormats)[number];

/** Settings of a DATEV posting batch that only the merchant knows. */
export interface DatevSettings {
  readonly consultant: number;
  readonly client: number;
  /** Number of digits of the general ledger accounts, from 4 to 9. */
  readonly account_digits: number;
  readonly fiscal_year_start: CalendarDate;
}

/** Default settings of a DATEV posting batch: consultant 1001, client 1 (DATEV's own examples) and the calendar year. */
export const createDatevSettings = (period: string): DatevSettings => ({
  ...{ consultant: 1001, client: 1, account_digits: 4 },
  fiscal_year_start: `${period.slice(0, 4)}-01-01`,
});

const decimal = (cents: Cents): string => formatMoney(cents).replaceAll(',', '');
const germanDecimal = (cents: Cents): string => decimal(cents).replace('.', ',');
const compact = (date: CalendarDate): string => date.replaceAll('-', '');
const slashed = (date: CalendarDate, order: 'mdy' | 'dmy'): string => {
  const [year, month, day] = date.split('-');
  return order === 'mdy' ? `${month}/${day}/${year}` : `${day}/${month}/${year}`;
};
/** Returns the amount, or an empty text for 0. */
const positive = (cents: Cents): string => (cents === 0 ? '' : decimal(cents));

/** Yields journal entries as text in the import format of an accounting system. */
export function* formatJournal(
  format: JournalFormat,
  entries: readonly JournalEntryContent[],
  datev: DatevSettings,
): Generator<string> {
  if (format === 'datev') yield* formatDatev(entries, datev);
  else {
    const { header, rows } = tables[format];
    yield formatCsvRow(header);
    for (const entry of entries) for (const row of rows(entry)) yield formatCsvRow(row);
  }
}

interface JournalTable {
  readonly header: readonly string[];
  readonly rows: (entry: JournalEntryContent) => readonly string[][];
}

const tables: Readonly<Record<Exclude<JournalFormat, 'datev'>, JournalTable>> = {
  quickbooks: {
    header: ['Journal No.', 'Journal Date', 'Account Name', 'Debits', 'Credits', 'Description', 'Currency'],
    rows: ({ number, dated_on, currency, memo, lines }) =>
      lines.map(({ account, debit_in_cents, credit_in_cents }) => [
        ...[number, slashed(dated_on, 'mdy'), account, positive(debit_in_cents), positive(credit_in_cents)],
        ...[`${number} ${memo}`, currency],
      ]),
  },
  xero: {
    header: ['*Narration', '*Date', 'Description', '*AccountCode', '*TaxRate', '*Amount'],
    rows: ({ number, dated_on, memo, lines }) =>
      lines.map(({ account, debit_in_cents, credit_in_cents }) => [
        ...[`${number} ${memo}`, slashed(dated_on, 'dmy'), `${number} ${memo}`, account, 'Tax Exempt'],
        decimal(debit_in_cents - credit_in_cents),
      ]),
  },
  netsuite: {
    header: ['External ID', 'Date', 'Currency', 'Account', 'Debit', 'Credit', 'Memo', 'Line Memo'],
    rows: ({ number, dated_on, currency, memo, lines }) =>
      lines.map(({ account, debit_in_cents, credit_in_cents }) => [
        ...[number, slashed(dated_on, 'mdy'), currency, account],
        ...[positive(debit_in_cents), positive(credit_in_cents), memo, `${number} ${memo}`],
      ]),
  },
  sage: {
    header: [
      'Type',
      'Account Reference',
      'Nominal A/C Ref',
      'Department Code',
      'Date',
      'Reference',
      'Details',
      'Net Amount',
      'Tax Code',
      'Tax Amount',
    ],
    rows: ({ number, dated_on, memo, lines }) =>
      lines.map(({ account, debit_in_cents, credit_in_cents }) => [
        ...[debit_in_cents > 0 ? 'JD' : 'JC', '', account, '0', slashed(dated_on, 'dmy'), number],
        ...[memo, decimal(debit_in_cents + credit_in_cents), 'T9', '0.00'],
      ]),
  },
};

const datevColumns = [
  'Umsatz (ohne Soll/Haben-Kz)',
  'Soll/Haben-Kennzeichen',
  'WKZ Umsatz',
  'Kurs',
  'Basis-Umsatz',
  'WKZ Basis-Umsatz',
  'Konto',
  'Gegenkonto (ohne BU-Schlüssel)',
  'BU-Schlüssel',
  'Belegdatum',
  'Belegfeld 1',
  'Belegfeld 2',
  'Skonto',
  'Buchungstext',
];

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Yields a DATEV posting batch (EXTF, category 21, version 13). Each row posts to an account and a contra account. */
function* formatDatev(entries: readonly JournalEntryContent[], settings: DatevSettings): Generator<string> {
  const dates = entries.map(({ dated_on }) => dated_on).sort();
  const [first = settings.fiscal_year_start, last = first] = [dates[0], dates.at(-1)];
  const { consultant, client, account_digits, fiscal_year_start } = settings;
  const header = [
    ...['"EXTF"', '700', '21', '"Buchungsstapel"', '13', `${compact(last)}000000000`, '', '"TO"', '""', '""'],
    ...[consultant, client, compact(fiscal_year_start), account_digits, compact(first), compact(last)],
    ...[
      '"Tieout"',
      '""',
      '1',
      '0',
      '0',
      quote(entries[0]?.currency ?? 'EUR'),
      '',
      '""',
      '',
      '',
      '""',
      '',
      '',
      '""',
      '""',
    ],
  ];
  yield `${header.join(';')}\r\n`;
  yield `${datevColumns.join(';')}\r\n`;
  for (const { number, dated_on, currency, memo, lines } of entries) {
    for (const { debit_account, credit_account, amount_in_cents } of splitIntoTransfers(lines)) {
      const row = [
        ...[
          germanDecimal(amount_in_cents),
          '"S"',
          quote(currency),
          '',
          '',
          '""',
          debit_account,
          credit_account,
        ],
        ...['""', `${dated_on.slice(8)}${dated_on.slice(5, 7)}`, quote(number), '""', ''],
        quote(`${number} ${memo}`.slice(0, 60)),
      ];
      yield `${row.join(';')}\r\n`;
    }
  }
}
