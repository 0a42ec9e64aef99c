import type { Cents } from '../../ledger/index.ts';
import type { BankFileOptions, FormatReadResult, ImportQuestion } from '../model/bank-file.ts';
import { type DateOrder, type DecimalMark, dateOrders, decimalMarks } from '../model/profile.ts';
import {
  buildExtraFields,
  createStatedBalance,
  joinTexts,
  type LineCollector,
  type StatementDraft,
  trimToNull,
} from '../statements/line-collector.ts';
import { type DecodedFileText, decodeText, getEncodingLabel } from '../text/encoding.ts';
import type { BankFileBytes } from '../text/file-bytes.ts';
import { parseAmount } from '../values/amount-text.ts';
import { formatAmountInCurrency, parseCurrencyCode } from '../values/currency.ts';
import { parseDateText } from '../values/date-text.ts';
import {
  detectDateOrder,
  detectDecimalMark,
  resolveSetting,
  type TextSample,
} from '../values/value-format-detection.ts';
import { normalizeQifDate, type QifRecord, type QifSection, readQifSections } from './qif-records.ts';

/** Matches QIF sections whose records have a date and an amount. */
const REGISTERS = /^(?:bank|cash|ccard|oth a|oth l|invoice)/i;

/** Reads QIF files. Date order and decimal mark are detected. If they are ambiguous, the user is asked. */
export function readQif(
  bytes: BankFileBytes,
  file: LineCollector,
  options: BankFileOptions,
): FormatReadResult {
  const text = decodeText(bytes);
  const answers = new Map(Object.entries(options.answers ?? {}));
  const currency = parseCurrencyCode(options.currency ?? '');

  const answeredOrder = dateOrders.find((order) => order === answers.get('date_order'));
  const order = resolveSetting(answeredOrder, () =>
    detectDateOrder(collectSamples(text, 'D', normalizeQifDate), options.today),
  );
  const answeredMark = decimalMarks.find((mark) => mark === answers.get('decimal_mark'));
  const mark = resolveSetting(answeredMark, () => detectDecimalMark(collectSamples(text, 'T'), currency));
  const questions: ImportQuestion[] = [order.question, mark.question].filter((question) => question !== null);
  const reader = new QifReader(file, { currency, order: order.value, mark: mark.value });
  for (const part of readQifSections(text.chunks())) {
    if ('section' in part) reader.begin(part.section);
    else reader.take(part.record);
  }
  reader.end();
  return { dialect: `QIF, ${getEncodingLabel(text.encoding)}`, questions };
}

/** Yields the texts of one field from all records of the supported sections. */
function* collectSamples(
  text: DecodedFileText,
  letter: string,
  normalize = (value: string): string => value,
): Generator<TextSample> {
  let isRead = false;
  for (const part of readQifSections(text.chunks())) {
    if ('section' in part) isRead = REGISTERS.test(part.section.name);
    else if (isRead) {
      for (const [name, value] of part.record.fields)
        if (name === letter && value !== '')
          yield { location: `line ${part.record.line}`, text: normalize(value) };
    }
  }
}

class QifReader {
  readonly #file: LineCollector;
  readonly #conventions: QifConventions;
  #statement: StatementDraft | null = null;
  /** The unsupported section that is being skipped, with the number of its records so far. */
  #skippedSection: { readonly section: QifSection; records: number } | null = null;

  constructor(file: LineCollector, conventions: QifConventions) {
    this.#file = file;
    this.#conventions = conventions;
  }

  begin(section: QifSection): void {
    this.end();
    const { name, line, account } = section;
    if (REGISTERS.test(name)) {
      this.#statement = this.#file.beginStatement(`line ${line}`, {
        account: trimToNull(account === null ? null : readField(account, 'N')),
        closing: account === null ? null : readStatedBalance(account, this.#conventions),
      });
    } else if (!/^account/i.test(name)) this.#skippedSection = { section, records: 0 };
  }

  take(record: QifRecord): void {
    if (this.#statement !== null) readRecord(record, this.#file, this.#statement, this.#conventions);
    else if (this.#skippedSection !== null) this.#skippedSection.records++;
  }

  end(): void {
    const skipped = this.#skippedSection;
    this.#statement = null;
    this.#skippedSection = null;
    if (skipped === null || skipped.records === 0) return;
    const { name, line } = skipped.section;
    const reason = `${skipped.records} records of the list “${name.slice(0, 40)}” are not account lines.`;
    this.#file.reportProblem('skipped', `line ${line}`, reason, { raw: `!Type:${name}` });
  }
}

/** Returns the balance stated in the QIF account record: amount in `$`, date in `/`. */
function readStatedBalance(account: QifRecord, { order, mark, currency }: QifConventions) {
  const amount = parseAmount(readField(account, '$'), mark, currency);
  if ('reason' in amount) return null;
  return createStatedBalance(amount.cents, parseDateText(normalizeQifDate(readField(account, '/')), order));
}

interface QifConventions {
  readonly currency: string | null;
  readonly order: DateOrder;
  readonly mark: DecimalMark;
}

function readRecord(
  record: QifRecord,
  file: LineCollector,
  statement: StatementDraft,
  conventions: QifConventions,
): void {
  const row = ++file.rows;
  const location = `line ${record.line}`;
  const { fields } = record;
  const raw = fields.map(([letter, value]) => letter + value).join(' ');
  const entry = readDateAndAmount(record, conventions);
  if (typeof entry === 'string') {
    file.reportProblem('failed', location, entry, { raw, row });
    return;
  }
  const { booked_on, cents } = entry;
  const payee = readField(record, 'P');
  if (isOpeningBalance(record) && statement.opening === null) {
    statement.opening = { amount_in_cents: cents, date: booked_on };
    file.reportProblem('skipped', location, 'The row contains only the opening balance.', { raw, row });
    return;
  }
  file.addLine({
    row,
    location,
    booked_on,
    amount_in_cents: cents,
    currency: conventions.currency,
    description: joinTexts([payee, readField(record, 'M')]),
    reference: trimToNull(readField(record, 'N')),
    counterparty: trimToNull(payee),
    extra: buildExtraFields([
      ['category', readField(record, 'L')],
      ['cleared', readField(record, 'C')],
      ['address', joinTexts(fields.filter(([letter]) => letter === 'A').map(([, value]) => value))],
      ['splits', formatSplits(fields)],
    ]),
  });
  const sum = sumSplits(record, conventions);
  if (sum !== null && sum !== cents) {
    const [parts, total] = [
      formatAmountInCurrency(sum, conventions.currency),
      formatAmountInCurrency(cents, conventions.currency),
    ];
    file.reportProblem('doubtful', location, `The splits add up to ${parts}, not ${total}.`, { raw, row });
  }
}

const readField = ({ fields }: QifRecord, letter: string): string =>
  fields.find(([name]) => name === letter)?.[1] ?? '';

const isOpeningBalance = (record: QifRecord): boolean =>
  /^opening balance$/i.test(readField(record, 'P')) && /^\[.*\]$/.test(readField(record, 'L'));

/** Returns date and amount of a record, or the reason why they cannot be read. */
function readDateAndAmount(record: QifRecord, { order, mark, currency }: QifConventions) {
  const dateText = readField(record, 'D');
  const amountText = readField(record, 'T') || readField(record, 'U');
  if (dateText === '') return 'The record has no date (D).';
  if (amountText === '') return 'The record has no amount (T).';
  const booked_on = parseDateText(normalizeQifDate(dateText), order);
  if (booked_on === null) return `“${dateText.slice(0, 60)}” is not a date.`;
  const amount = parseAmount(amountText, mark, currency);
  if ('reason' in amount) return `The amount “${amountText.slice(0, 60)}” ${amount.reason}.`;
  return { booked_on, cents: amount.cents };
}

/** Returns the sum of the splits of a record; null if there are none or one cannot be read. */
function sumSplits({ fields }: QifRecord, { mark, currency }: QifConventions): Cents | null {
  const parts = fields
    .filter(([letter]) => letter === '$')
    .map(([, value]) => parseAmount(value, mark, currency));
  if (parts.length === 0) return null;
  const sum = parts.reduce((total, part) => total + ('cents' in part ? part.cents : Number.NaN), 0);
  return Number.isSafeInteger(sum) ? sum : null;
}

const formatSplits = (fields: QifRecord['fields']): string =>
  fields
    .filter(([letter]) => letter === 'S' || letter === 'E' || letter === '$')
    .map(([letter, value]) => (letter === '$' ? `${value};` : value))
    .join(' ');
