import {
  addDays,
  type CalendarDate,
  type Cents,
  countDaysBetween,
  isCalendarDate,
} from '../../ledger/index.ts';
import type { BankFileOptions, FormatReadResult } from '../model/bank-file.ts';
import type { BankLineKind } from '../model/line-kind.ts';
import {
  buildExtraFields,
  joinTexts,
  type LineCollector,
  type StatementDraft,
} from '../statements/line-collector.ts';
import { decodeText, getEncodingLabel } from '../text/encoding.ts';
import type { BankFileBytes } from '../text/file-bytes.ts';
import { parsePlainAmount } from '../values/amount-text.ts';
import { parseCurrencyCode } from '../values/currency.ts';
import { parseDateText } from '../values/date-text.ts';
import { parseStatementDetails } from './statement-details.ts';
import { readSwiftFields, type SwiftField } from './swift-fields.ts';

const BALANCE = /^([CD])(\d{6})([A-Z]{3})([\d., ]*)$/;
/** Matches bank, account and currency of a :25: field. Bank and currency may be missing. */
const ACCOUNT = /^(?:([^/]{1,34})\/)?([A-Z0-9 -]{0,34}\d)\/?([A-Z]{3})$/;
/** Matches a :61: field: value date, entry date, sign, funds code, amount, type and references. */
const MOVEMENT = /^(\d{6})(\d{4})?(R[CD]|E[CD]|[CD])([A-Z])?(\d[\d., ]*)([A-Z][A-Z0-9]{3})?(.*)$/;

const kinds = new Map<string, BankLineKind>(
  Object.entries({ CHG: 'fee', COM: 'fee', FEE: 'fee', INT: 'interest', RTI: 'chargeback' }),
);

/** Reads MT940 and MT942 files, with or without the SWIFT envelope. */
export function readMt940(
  bytes: BankFileBytes,
  file: LineCollector,
  options: BankFileOptions,
): FormatReadResult {
  const text = decodeText(bytes);
  const reader = new Mt940Reader(file, parseCurrencyCode(options.currency ?? ''));
  for (const field of readSwiftFields(text.chunks())) {
    if (field === null) reader.end();
    else reader.take(field);
  }
  const kind = /^:34F:/m.test(text.head(4000)) ? 'MT942' : 'MT940';
  return { dialect: `${kind}, ${getEncodingLabel(text.encoding)}` };
}

class Mt940Reader {
  readonly #file: LineCollector;
  readonly #currency: string | null;
  #statement: StatementDraft | null = null;
  #unit: string | null;
  /** The :61: field that is waiting for its optional :86: field. */
  #movement: SwiftField | null = null;
  #details: string[] = [];
  #closed = false;

  constructor(file: LineCollector, currency: string | null) {
    this.#file = file;
    this.#currency = currency;
    this.#unit = currency;
  }

  take(field: SwiftField): void {
    const { tag, lines } = field;
    if (tag === '86' && this.#movement !== null) {
      this.#details.push(...lines);
      return;
    }
    this.#addMovement();
    const [first = ''] = lines;
    if (tag === '20') this.#beginStatement(field);
    else if (tag === '25') this.#readAccount(field);
    else if (tag === '28' || tag === '28C') this.#getStatement(field).number ??= first.trim() || null;
    else if (tag === '60F' || tag === '60M') this.#readBalance(field, 'opening');
    else if (tag === '62F' || tag === '62M') this.#readBalance(field, 'closing');
    else if (tag === '61') {
      this.#getStatement(field);
      this.#movement = field;
    } else if (tag === '34F') this.#unit = parseCurrencyCode(first.slice(0, 3)) ?? this.#unit;
  }

  end(): void {
    this.#addMovement();
    const statement = this.#statement;
    if (statement !== null && statement.opening !== null && !this.#closed) {
      const reason = 'The statement has no closing balance. The file may be incomplete.';
      this.#file.reportProblem('doubtful', statement.location, reason);
    }
    this.#statement = null;
  }

  #beginStatement(field: SwiftField): void {
    if (this.#statement !== null) this.end();
    this.#getStatement(field);
  }

  #getStatement({ line }: SwiftField): StatementDraft {
    if (this.#statement === null) {
      this.#statement = this.#file.beginStatement(`line ${line}`);
      this.#unit = this.#currency;
      this.#closed = false;
    }
    return this.#statement;
  }

  /** Reads an account field, for example `37040044/0532013000` or `NL91ABNA0417164300EUR`. */
  #readAccount(field: SwiftField): void {
    const statement = this.#getStatement(field);
    const text = (field.lines[0] ?? '').trim();
    const match = ACCOUNT.exec(text);
    const namedCurrency = parseCurrencyCode(match?.[3] ?? '');
    if (namedCurrency !== null) this.#unit = statement.currency = namedCurrency;
    const [bank, number] = namedCurrency === null ? splitAccount(text) : [match?.[1], match?.[2]];
    statement.bank = bank ?? null;
    statement.account = number?.trim() || null;
  }

  #readBalance(field: SwiftField, kind: 'opening' | 'closing'): void {
    const statement = this.#getStatement(field);
    const text = (field.lines[0] ?? '').trim();
    const match = BALANCE.exec(text);
    const currency = parseCurrencyCode(match?.[3] ?? '') ?? this.#unit;
    const amount = parsePlainAmount(match?.[4] ?? '', currency);
    if (kind === 'opening' || this.#unit === null) this.#unit = currency;
    if (match === null || 'reason' in amount) {
      this.#file.reportProblem('doubtful', `line ${field.line}`, `The ${kind} balance is invalid.`, {
        raw: text,
      });
      return;
    }
    statement.currency ??= currency;
    if (currency !== statement.currency) {
      const reason = `The ${kind} balance is in ${currency}, but the statement is in ${statement.currency}.`;
      this.#file.reportProblem('doubtful', `line ${field.line}`, reason, { raw: text });
      return;
    }
    const stated = {
      amount_in_cents: match[1] === 'D' ? 0 - amount.cents : amount.cents,
      date: parseDateText(match[2] ?? '', 'ymd'),
    };
    if (kind === 'closing') this.#closed = true;
    statement[kind] ??= stated;
  }

  #addMovement(): void {
    const movement = this.#movement;
    if (movement === null) return;
    const details = this.#details;
    this.#movement = null;
    this.#details = [];
    const row = ++this.#file.rows;
    const location = `line ${movement.line}`;
    const raw = [...movement.lines, ...details].join(' ');
    const parsed = parseMovement(movement, this.#unit);
    if (typeof parsed === 'string') {
      this.#file.reportProblem('failed', location, parsed, { raw, row });
      return;
    }
    const { value_on, entryText, type, supplement, customerReference } = parsed;
    const entryOn = entryText === undefined ? value_on : findEntryDate(entryText, value_on);
    if (entryOn === null) {
      const reason = `The entry date “${entryText}” is invalid. The value date was used.`;
      this.#file.reportProblem('doubtful', location, reason, { raw, row });
    }
    const { description, reference, counterparty, extra } = parseStatementDetails(details);
    this.#file.addLine({
      row,
      location,
      booked_on: entryOn ?? value_on,
      value_on,
      amount_in_cents: parsed.cents,
      currency: this.#unit,
      description: description || joinTexts(supplement) || type,
      reference: reference ?? customerReference,
      counterparty,
      bank_id: parsed.bankReference || null,
      kind: kinds.get(type.slice(1)) ?? 'entry',
      extra: buildExtraFields([
        ['type', type],
        ['side', parsed.side.length > 1 ? parsed.side : null],
        ['customer_reference', reference === null ? null : customerReference],
        ['supplement', joinTexts(supplement)],
        ...extra,
      ]),
    });
  }
}

interface Movement {
  readonly value_on: CalendarDate;
  /** Entry date as month and day, without a year. */
  readonly entryText: string | undefined;
  readonly side: string;
  readonly cents: Cents;
  readonly type: string;
  readonly customerReference: string | null;
  readonly bankReference: string;
  readonly supplement: readonly string[];
}

/** Parses a :61: field. Returns the reason if it is invalid. */
function parseMovement({ lines }: SwiftField, currency: string | null): Movement | string {
  const [first = '', ...supplement] = lines;
  const groups = MOVEMENT.exec(first.trim());
  if (groups === null) return 'The :61: field is not in MT940 format.';
  const [, valueText = '', entryText, side = '', , amountText = '', type = '', references = ''] = groups;
  const value_on = parseDateText(valueText, 'ymd');
  if (value_on === null) return `“${valueText}” is not a date.`;
  const amount = parsePlainAmount(amountText.trim(), currency);
  if ('reason' in amount) return `The amount “${amountText}” ${amount.reason}.`;
  const isOutgoing = side === 'D' || side === 'RC' || side === 'ED';
  const [customer = '', bankReference = ''] = splitReferences(references);
  return {
    value_on,
    entryText,
    side,
    cents: isOutgoing ? 0 - amount.cents : amount.cents,
    type,
    customerReference: customer === '' || /^NONREF$/i.test(customer) ? null : customer,
    bankReference,
    supplement,
  };
}

/** Splits `bank/account` into bank and account. The bank is undefined if the text has no slash. */
function splitAccount(text: string): [string | undefined, string] {
  const at = text.indexOf('/');
  return at > 0 ? [text.slice(0, at), text.slice(at + 1)] : [undefined, text.slice(at + 1)];
}

/** Splits `REF//BANKREF` into the customer's reference, which may contain single slashes, and the bank's. */
function splitReferences(text: string): [string, string] {
  const at = text.indexOf('//');
  return at < 0 ? [text.trim(), ''] : [text.slice(0, at).trim(), text.slice(at + 2).trim()];
}

/** Returns the entry date, whose missing year is chosen so that it is nearest to the value date. */
function findEntryDate(monthDay: string, value: CalendarDate): CalendarDate | null {
  const year = Number(value.slice(0, 4));
  const dates = [year - 1, year, year + 1]
    .map((each) => `${each}-${monthDay.slice(0, 2)}-${monthDay.slice(2)}`)
    .filter(isCalendarDate);
  const nearest = dates.find((date) => Math.abs(countDaysBetween(value, date)) <= 182);
  return nearest ?? (dates.length > 0 && isCalendarDate(addDays(value, 0)) ? (dates[0] ?? null) : null);
}
