import { addDays, type CalendarDate, daysBetween, isCalendarDate } from '../../ledger/index.ts';
import { readPlainAmount } from '../amount.ts';
import type { FileBytes } from '../bytes.ts';
import { type Collector, extraOf, joined, type StatementDraft } from '../collector.ts';
import { currencyCode } from '../currency.ts';
import { readDate } from '../date-text.ts';
import { encodingName, textOf } from '../encoding.ts';
import type { ReadOptions } from '../file.ts';
import type { LineKind } from '../line-kind.ts';
import type { FormatReading } from '../read.ts';
import { detailsOf } from './details.ts';
import { type Field, fieldsOf } from './fields.ts';

const BALANCE = /^([CD])(\d{6})([A-Z]{3})([\d., ]*)$/;
/** Bank, account, currency. The first and the last may be missing. */
const ACCOUNT = /^(?:([^/]{1,34})\/)?([A-Z0-9 -]{0,34}\d)\/?([A-Z]{3})$/;
/** Value date, entry date, sign, funds code, amount, type, references. */
const MOVEMENT = /^(\d{6})(\d{4})?(R[CD]|E[CD]|[CD])([A-Z])?(\d[\d., ]*)([A-Z][A-Z0-9]{3})?(.*)$/;

const kinds = new Map<string, LineKind>([
  ['CHG', 'fee'],
  ['COM', 'fee'],
  ['FEE', 'fee'],
  ['INT', 'interest'],
  ['RTI', 'chargeback'],
]);

/** Reads MT940 and MT942, with or without their SWIFT envelope. */
export function readMt940(bytes: FileBytes, file: Collector, options: ReadOptions): FormatReading {
  const text = textOf(bytes);
  const reader = new Mt940Reader(file, currencyCode(options.currency ?? ''));
  for (const field of fieldsOf(text.pieces())) {
    if (field === null) reader.end();
    else reader.take(field);
  }
  const kind = /^:34F:/m.test(text.head(4000)) ? 'MT942' : 'MT940';
  return { dialect: `${kind}, ${encodingName(text.encoding)}` };
}

class Mt940Reader {
  readonly #file: Collector;
  readonly #currency: string | null;
  #statement: StatementDraft | null = null;
  #unit: string | null;
  /** The :61: field whose :86: field may still follow. */
  #movement: Field | null = null;
  #details: string[] = [];
  #closed = false;

  constructor(file: Collector, currency: string | null) {
    this.#file = file;
    this.#currency = currency;
    this.#unit = currency;
  }

  take(field: Field): void {
    const { tag, lines } = field;
    if (tag === '86' && this.#movement !== null) {
      this.#details.push(...lines);
      return;
    }
    this.#flush();
    const [first = ''] = lines;
    if (tag === '20') this.#begin(field);
    else if (tag === '25') this.#account(field);
    else if (tag === '28' || tag === '28C') this.#open(field).number ??= first.trim() || null;
    else if (tag === '60F' || tag === '60M') this.#balance(field, 'opening');
    else if (tag === '62F' || tag === '62M') this.#balance(field, 'closing');
    else if (tag === '61') {
      this.#open(field);
      this.#movement = field;
    } else if (tag === '34F') this.#unit = currencyCode(first.slice(0, 3)) ?? this.#unit;
  }

  end(): void {
    this.#flush();
    const statement = this.#statement;
    if (statement !== null && statement.opening !== null && !this.#closed) {
      this.#file.problem(
        'doubtful',
        statement.place,
        'The statement has no closing balance: the file may be cut off.',
      );
    }
    this.#statement = null;
  }

  #begin(field: Field): void {
    if (this.#statement !== null) this.end();
    this.#open(field);
  }

  #open({ line }: Field): StatementDraft {
    if (this.#statement === null) {
      this.#statement = this.#file.statement(`line ${line}`);
      this.#unit = this.#currency;
      this.#closed = false;
    }
    return this.#statement;
  }

  /** Reads `37040044/0532013000`, `20041111/369300900EUR`, `NL91ABNA0417164300EUR`, `DE89370400440532013000/EUR`. */
  #account(field: Field): void {
    const statement = this.#open(field);
    const text = (field.lines[0] ?? '').trim();
    const found = ACCOUNT.exec(text);
    const named = currencyCode(found?.[3] ?? '');
    if (named !== null) this.#unit = statement.currency = named;
    const [bank, number] = named === null ? partsOf(text) : [found?.[1], found?.[2]];
    statement.bank = bank ?? null;
    statement.account = number?.trim() || null;
  }

  #balance(field: Field, which: 'opening' | 'closing'): void {
    const statement = this.#open(field);
    const text = (field.lines[0] ?? '').trim();
    const found = BALANCE.exec(text);
    const unit = currencyCode(found?.[3] ?? '') ?? this.#unit;
    const amount = readPlainAmount(found?.[4] ?? '', unit);
    if (which === 'opening' || this.#unit === null) this.#unit = unit;
    if (found === null || 'reason' in amount) {
      this.#file.problem('doubtful', `line ${field.line}`, `The ${which} balance cannot be read.`, text);
      return;
    }
    statement.currency ??= unit;
    if (unit !== statement.currency) {
      const reason = `The ${which} balance is in ${unit}, but the statement in ${statement.currency}.`;
      this.#file.problem('doubtful', `line ${field.line}`, reason, text);
      return;
    }
    const stated = {
      amount_in_cents: found[1] === 'D' ? 0 - amount.cents : amount.cents,
      date: readDate(found[2] ?? '', 'ymd'),
    };
    if (which === 'closing') this.#closed = true;
    statement[which] ??= stated;
  }

  /** Adds the pending movement after its details are complete. */
  #flush(): void {
    const movement = this.#movement;
    if (movement === null) return;
    const details = this.#details;
    this.#movement = null;
    this.#details = [];
    const [first = '', ...supplement] = movement.lines;
    const row = ++this.#file.rows;
    const place = `line ${movement.line}`;
    const raw = [first, ...supplement, ...details].join(' ');
    const found = MOVEMENT.exec(first.trim());
    if (found === null) {
      this.#file.problem('failed', place, 'The :61: is not made as MT940 has it.', raw, row);
      return;
    }
    const [, valueText = '', entryText, side = '', , amountText = '', type = '', references = ''] = found;
    const value_on = readDate(valueText, 'ymd');
    const amount = readPlainAmount(amountText.trim(), this.#unit);
    if (value_on === null || 'reason' in amount) {
      const reason =
        value_on === null
          ? `“${valueText}” is no date.`
          : `The amount “${amountText}” ${'reason' in amount ? amount.reason : ''}.`;
      this.#file.problem('failed', place, reason, raw, row);
      return;
    }
    const entry = entryText === undefined ? value_on : entryDate(entryText, value_on);
    if (entry === null)
      this.#file.problem(
        'doubtful',
        place,
        `The entry date “${entryText}” is none; the value date was taken.`,
        raw,
        row,
      );
    const out = side === 'D' || side === 'RC' || side === 'ED';
    const [customer = '', bankReference = ''] = splitReferences(references);
    const said = detailsOf(details);
    const own = customer === '' || /^NONREF$/i.test(customer) ? null : customer;
    this.#file.line({
      row,
      place,
      booked_on: entry ?? value_on,
      value_on,
      amount_in_cents: out ? 0 - amount.cents : amount.cents,
      currency: this.#unit,
      description: said.description || joined(supplement) || type,
      reference: said.reference ?? own,
      counterparty: said.counterparty,
      bank_id: bankReference || null,
      kind: kinds.get(type.slice(1)) ?? 'entry',
      extra: extraOf([
        ['type', type],
        ['side', side.length > 1 ? side : null],
        ['customer_reference', said.reference === null ? null : own],
        ['supplement', joined(supplement)],
        ...said.extra,
      ]),
    });
  }
}

/** Splits `bank/account`, or returns the account alone. */
function partsOf(text: string): [string | undefined, string] {
  const at = text.indexOf('/');
  return at > 0 ? [text.slice(0, at), text.slice(at + 1)] : [undefined, text.slice(at + 1)];
}

/** Splits `REF//BANKREF`. The customer's reference may contain single slashes. */
function splitReferences(text: string): [string, string] {
  const at = text.indexOf('//');
  return at < 0 ? [text.trim(), ''] : [text.slice(0, at).trim(), text.slice(at + 2).trim()];
}

/** Returns the entry date, which has no year: the one nearest to the value date. */
function entryDate(monthDay: string, value: CalendarDate): CalendarDate | null {
  const year = Number(value.slice(0, 4));
  const dates = [year - 1, year, year + 1]
    .map((each) => `${each}-${monthDay.slice(0, 2)}-${monthDay.slice(2)}`)
    .filter(isCalendarDate);
  const near = dates.find((date) => Math.abs(daysBetween(value, date)) <= 182);
  return near ?? (dates.length > 0 && isCalendarDate(addDays(value, 0)) ? (dates[0] ?? null) : null);
}
