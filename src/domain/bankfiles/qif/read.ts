import type { CalendarDate, Cents } from '../../ledger/index.ts';
import { readAmount } from '../amount.ts';
import type { FileBytes } from '../bytes.ts';
import { balance, type Collector, extraOf, joined, type StatementDraft, textOrNull } from '../collector.ts';
import { currencyCode } from '../currency.ts';
import { readDate } from '../date-text.ts';
import { encodingName, type FileText, textOf } from '../encoding.ts';
import type { Balance, Question, ReadOptions } from '../file.ts';
import { inCurrency } from '../finish.ts';
import { type DateOrder, type DecimalMark, dateOrders, decimalMarks } from '../profile.ts';
import type { FormatReading } from '../read.ts';
import { dateOrderOf, decimalMarkOf, type Sample } from '../readings.ts';
import { partsOf, plainDate, type QifRecord, type Section } from './sections.ts';

/** Lists whose records have a date and an amount. */
const REGISTERS = /^(?:bank|cash|ccard|oth a|oth l|invoice)/i;

/** Reads QIF. The date order and the decimal mark are detected from all records together, or asked. */
export function readQif(bytes: FileBytes, file: Collector, options: ReadOptions): FormatReading {
  const text = textOf(bytes);
  const answers = new Map(Object.entries(options.answers ?? {}));
  const currency = currencyCode(options.currency ?? '');

  const givenOrder = dateOrders.find((each) => each === answers.get('date_order'));
  const order =
    givenOrder === undefined
      ? dateOrderOf(samples(text, 'D', plainDate), options.today)
      : { value: givenOrder, question: null };
  const givenMark = decimalMarks.find((each) => each === answers.get('decimal_mark'));
  const mark =
    givenMark === undefined
      ? decimalMarkOf(
          samples(text, 'T', (value) => value),
          currency,
        )
      : { value: givenMark, question: null };

  const questions: Question[] = [order.question, mark.question].filter((question) => question !== null);
  const reader = new QifReader(file, { currency, order: order.value, mark: mark.value });
  for (const part of partsOf(text.pieces())) {
    if ('section' in part) reader.begin(part.section);
    else reader.take(part.record);
  }
  reader.end();
  return { dialect: `QIF, ${encodingName(text.encoding)}`, questions };
}

/** Yields the texts of a field in all records of the supported lists. */
function* samples(text: FileText, letter: string, read: (text: string) => string): Generator<Sample> {
  let isRead = false;
  for (const part of partsOf(text.pieces())) {
    if ('section' in part) isRead = REGISTERS.test(part.section.name);
    else if (isRead) {
      for (const [name, value] of part.record.fields) {
        if (name === letter && value !== '') yield { place: `line ${part.record.line}`, text: read(value) };
      }
    }
  }
}

class QifReader {
  readonly #file: Collector;
  readonly #manner: Manner;
  #statement: StatementDraft | null = null;
  /** The current unsupported list, with its number of records so far. */
  #other: { readonly section: Section; records: number } | null = null;

  constructor(file: Collector, manner: Manner) {
    this.#file = file;
    this.#manner = manner;
  }

  begin(section: Section): void {
    this.end();
    const { name, line, account } = section;
    if (REGISTERS.test(name)) {
      this.#statement = this.#file.statement(`line ${line}`, {
        account: textOrNull(account === null ? null : fieldOf(account, 'N')),
        closing: account === null ? null : statedBalance(account, this.#manner),
      });
    } else if (!/^account/i.test(name)) this.#other = { section, records: 0 };
  }

  take(record: QifRecord): void {
    if (this.#statement !== null) readRecord(record, this.#file, this.#statement, this.#manner);
    else if (this.#other !== null) this.#other.records++;
  }

  /** Ends the current list. */
  end(): void {
    const other = this.#other;
    this.#statement = null;
    this.#other = null;
    if (other === null || other.records === 0) return;
    const { name, line } = other.section;
    const reason = `${other.records} records of the list “${name.slice(0, 40)}” are no lines of an account.`;
    this.#file.problem('skipped', `line ${line}`, reason, `!Type:${name}`);
  }
}

/** Returns the balance stated in the account's own record: `$` with its date in `/`. */
function statedBalance(account: QifRecord, { order, mark, currency }: Manner): Balance | null {
  const amount = readAmount(fieldOf(account, '$'), mark, currency);
  if ('reason' in amount) return null;
  return balance(amount.cents, readDate(plainDate(fieldOf(account, '/')), order));
}

interface Manner {
  readonly currency: string | null;
  readonly order: DateOrder;
  readonly mark: DecimalMark;
}

function readRecord(record: QifRecord, file: Collector, statement: StatementDraft, manner: Manner): void {
  const row = ++file.rows;
  const place = `line ${record.line}`;
  const { fields } = record;
  const raw = fields.map(([letter, value]) => letter + value).join(' ');
  const entry = dayAndAmount(record, manner);
  if (typeof entry === 'string') {
    file.problem('failed', place, entry, raw, row);
    return;
  }
  const { booked_on, cents } = entry;
  const payee = fieldOf(record, 'P');
  if (isOpening(record) && statement.opening === null) {
    statement.opening = { amount_in_cents: cents, date: booked_on };
    file.problem('skipped', place, 'It states the opening balance.', raw, row);
    return;
  }
  file.line({
    row,
    place,
    booked_on,
    amount_in_cents: cents,
    currency: manner.currency,
    description: joined([payee, fieldOf(record, 'M')]),
    reference: textOrNull(fieldOf(record, 'N')),
    counterparty: textOrNull(payee),
    extra: extraOf([
      ['category', fieldOf(record, 'L')],
      ['cleared', fieldOf(record, 'C')],
      ['address', joined(fields.filter(([letter]) => letter === 'A').map(([, value]) => value))],
      ['splits', splitsOf(fields)],
    ]),
  });
  const sum = sumOfSplits(record, manner);
  if (sum !== null && sum !== cents) {
    const [parts, whole] = [inCurrency(sum, manner.currency), inCurrency(cents, manner.currency)];
    file.problem('doubtful', place, `Its splits add up to ${parts}, not to ${whole}.`, raw, row);
  }
}

const fieldOf = ({ fields }: QifRecord, letter: string): string =>
  fields.find(([name]) => name === letter)?.[1] ?? '';

const isOpening = (record: QifRecord): boolean =>
  /^opening balance$/i.test(fieldOf(record, 'P')) && /^\[.*\]$/.test(fieldOf(record, 'L'));

/** Returns date and amount, or why they cannot be read. */
function dayAndAmount(
  record: QifRecord,
  { order, mark, currency }: Manner,
): { booked_on: CalendarDate; cents: Cents } | string {
  const dateText = fieldOf(record, 'D');
  const amountText = fieldOf(record, 'T') || fieldOf(record, 'U');
  if (dateText === '') return 'It has no date (D).';
  if (amountText === '') return 'It has no amount (T).';
  const booked_on = readDate(plainDate(dateText), order);
  if (booked_on === null) return `“${dateText.slice(0, 60)}” is no date.`;
  const amount = readAmount(amountText, mark, currency);
  if ('reason' in amount) return `The amount “${amountText.slice(0, 60)}” ${amount.reason}.`;
  return { booked_on, cents: amount.cents };
}

/** Returns null if there are no splits or one cannot be read. */
function sumOfSplits({ fields }: QifRecord, { mark, currency }: Manner): Cents | null {
  const parts = fields
    .filter(([letter]) => letter === '$')
    .map(([, value]) => readAmount(value, mark, currency));
  if (parts.length === 0) return null;
  const sum = parts.reduce((total, part) => total + ('cents' in part ? part.cents : Number.NaN), 0);
  return Number.isSafeInteger(sum) ? sum : null;
}

const splitsOf = (fields: QifRecord['fields']): string =>
  fields
    .filter(([letter]) => letter === 'S' || letter === 'E' || letter === '$')
    .map(([letter, value]) => (letter === '$' ? `${value};` : value))
    .join(' ');
