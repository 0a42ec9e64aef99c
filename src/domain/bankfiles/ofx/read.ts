import type { CalendarDate } from '../../ledger/index.ts';
import { readPlainAmount } from '../amount.ts';
import { type FileBytes, headOf } from '../bytes.ts';
import { balance, type Collector, extraOf, joined, type StatementDraft, textOrNull } from '../collector.ts';
import { currencyCode } from '../currency.ts';
import { readDate } from '../date-text.ts';
import { encodingName, textOf } from '../encoding.ts';
import type { ReadOptions } from '../file.ts';
import { MAX_DEPTH } from '../limits.ts';
import type { LineKind } from '../line-kind.ts';
import type { FormatReading } from '../read.ts';
import { DECLARED, lineAt, OfxRefusal, scanOfx, type Tag } from './scan.ts';

const STATEMENTS = new Set(['STMTRS', 'CCSTMTRS', 'INVSTMTRS', 'LOANSTMTRS', 'AMRTSTMTRS']);
const ACCOUNTS = new Set(['BANKACCTFROM', 'CCACCTFROM', 'INVACCTFROM', 'LOANACCTFROM']);
/** Aggregates of a transaction whose fields must not be mistaken for its own. */
const PARTS = new Set(['PAYEE', 'BANKACCTTO', 'CCACCTTO', 'CURRENCY', 'ORIGCURRENCY', 'IMAGEDATA']);

const kinds = new Map<string, LineKind>([
  ['FEE', 'fee'],
  ['SRVCHG', 'fee'],
  ['INT', 'interest'],
  ['XFER', 'transfer'],
]);
const OUTGOING = new Set([
  'DEBIT',
  'FEE',
  'SRVCHG',
  'CHECK',
  'PAYMENT',
  'ATM',
  'POS',
  'DIRECTDEBIT',
  'REPEATPMT',
]);

/** Reads OFX and QFX, 1.x and 2.x. Dates are those written, whatever their zone. */
export function readOfx(bytes: FileBytes, file: Collector, options: ReadOptions): FormatReading {
  const head = new TextDecoder('windows-1252').decode(headOf(bytes, 2000));
  const text = textOf(bytes, undefined, namedEncoding(head));
  const beginning = text.head(100_000);
  const start = /<OFX[\s>]/i.exec(beginning)?.index ?? 0;
  const reader = new OfxReader(file, currencyCode(options.currency ?? ''));
  try {
    const declared = /<!(?!--)/.exec(beginning.slice(0, start));
    if (declared !== null) throw new OfxRefusal(DECLARED, lineAt(beginning, declared.index));
    for (const tag of scanOfx(text, start)) reader.take(tag);
    reader.end();
  } catch (error) {
    if (!(error instanceof OfxRefusal)) throw error;
    file.problem('refused', `line ${error.line}`, error.message);
  }
  return { dialect: `${versionOf(head)}, ${encodingName(text.encoding)}` };
}

function namedEncoding(head: string): string | undefined {
  const xml = /encoding=["']([\w-]{2,40})["']/i.exec(head)?.[1];
  if (xml !== undefined) return xml;
  const charset = /CHARSET:\s*([\w-]{2,40})/i.exec(head)?.[1];
  return charset !== undefined && /^\d+$/.test(charset) ? `windows-${charset}` : charset;
}

function versionOf(head: string): string {
  const found = /VERSION[:=]\s*"?(\d)(\d)(\d)"?/i.exec(head.replace(/<\?xml[^>]*>/i, ''));
  if (found === null) return 'OFX';
  const [, major, minor, patch] = found;
  return `OFX ${major}.${minor}.${patch} (${major === '1' ? 'SGML' : 'XML'})`;
}

/** A transaction while its elements are read. */
interface Open {
  readonly line: number;
  readonly pending: boolean;
  readonly fields: Map<string, string>;
}

class OfxReader {
  readonly #file: Collector;
  readonly #currency: string | null;
  readonly #path: string[] = [];
  #statement: StatementDraft | null = null;
  #unit: string | null = null;
  #transaction: Open | null = null;
  #balance = new Map<string, string>();
  #investments = 0;
  #line = 1;

  constructor(file: Collector, currency: string | null) {
    this.#file = file;
    this.#currency = currency;
    this.#unit = currency;
  }

  take({ type, name, value, line }: Tag): void {
    this.#line = line;
    if (type === 'open') this.#open(name, line);
    else if (type === 'value') this.#value(name, value, line);
    else this.#close(name);
  }

  /** Reports whatever is still open at the end of the text. */
  end(): void {
    if (this.#transaction !== null) this.#give(this.#transaction);
    if (this.#path.length > 0) {
      const [outer = ''] = this.#path.slice(-1);
      this.#file.problem(
        'refused',
        `line ${this.#line}`,
        `The file ends inside <${outer}>, which is never closed: it may be cut off.`,
      );
    }
    if (this.#investments > 0) {
      this.#file.problem(
        'skipped',
        'the file',
        `${this.#investments} investment transactions move no money of this account and were left out.`,
      );
    }
  }

  #open(name: string, line: number): void {
    if (this.#path.length >= MAX_DEPTH) throw new OfxRefusal(`It is nested deeper than ${MAX_DEPTH}.`, line);
    this.#path.push(name);
    if (STATEMENTS.has(name)) {
      this.#statement = this.#file.statement(`line ${line}`);
      this.#unit = this.#currency;
    } else if (name === 'STMTTRN' || name === 'STMTTRNP') {
      if (this.#transaction !== null) this.#give(this.#transaction);
      this.#transaction = { line, pending: name === 'STMTTRNP', fields: new Map() };
    } else if (name === 'LEDGERBAL') this.#balance = new Map();
    else if (name === 'INVTRAN') this.#investments++;
  }

  #close(name: string): void {
    const at = this.#path.lastIndexOf(name);
    if (at < 0) return;
    this.#path.length = at;
    if ((name === 'STMTTRN' || name === 'STMTTRNP') && this.#transaction !== null) {
      this.#give(this.#transaction);
      this.#transaction = null;
    } else if (name === 'LEDGERBAL') this.#closing();
    else if (STATEMENTS.has(name) || name === 'BANKTRANLIST') {
      if (this.#transaction !== null) this.#give(this.#transaction);
      this.#transaction = null;
    }
  }

  #value(name: string, value: string, line: number): void {
    const parent = this.#path.at(-1) ?? '';
    if (this.#transaction !== null) {
      const part = PARTS.has(parent) ? `${parent}.` : '';
      const { fields } = this.#transaction;
      if (value !== '' && !fields.has(part + name)) fields.set(part + name, value);
      return;
    }
    if (this.#path.includes('LEDGERBAL')) this.#balance.set(name, value);
    else if (name === 'CURDEF' && value !== '') this.#curdef(value, line);
    else if (this.#statement !== null && ACCOUNTS.has(parent)) {
      if (name === 'ACCTID') this.#statement.account ??= textOrNull(value);
      if (name === 'BANKID' || name === 'BROKERID') this.#statement.bank ??= textOrNull(value);
    } else if (name === 'SEVERITY' && value.toUpperCase() === 'ERROR') {
      this.#file.problem(
        'doubtful',
        `line ${line}`,
        'The bank’s server says that it could not answer in full.',
        value,
      );
    }
  }

  #curdef(value: string, line: number): void {
    const code = currencyCode(value);
    if (code === null) {
      this.#file.problem(
        'doubtful',
        `line ${line}`,
        `“${value.slice(0, 20)}” is no currency; the account’s own is taken.`,
        value,
      );
      return;
    }
    this.#unit = code;
    if (this.#statement !== null) this.#statement.currency = code;
  }

  #closing(): void {
    const text = this.#balance.get('BALAMT') ?? '';
    if (this.#statement === null || text === '') return;
    const amount = readPlainAmount(text, this.#unit);
    if ('reason' in amount) {
      this.#file.problem(
        'doubtful',
        `line ${this.#line}`,
        `The balance “${text.slice(0, 60)}” ${amount.reason}.`,
        text,
      );
      return;
    }
    this.#statement.closing = balance(amount.cents, ofxDate(this.#balance.get('DTASOF') ?? ''));
  }

  #give({ line, pending, fields }: Open): void {
    const row = ++this.#file.rows;
    const place = `line ${line}`;
    const field = (name: string) => textOrNull(fields.get(name));
    const raw = [...fields].map(([name, value]) => `${name} ${value}`).join(', ');
    if (pending) {
      this.#file.problem('skipped', place, 'It is pending; the bank has not booked it.', raw, row);
      return;
    }
    const dateText = field('DTPOSTED') ?? field('DTTRADE') ?? '';
    const booked_on = ofxDate(dateText);
    const unit = currencyCode(field('CURRENCY.CURSYM') ?? '') ?? this.#unit;
    const amountText = field('TRNAMT');
    const amount = readPlainAmount(amountText ?? '', unit);
    const failure =
      amountText === null
        ? 'It has no amount (TRNAMT).'
        : 'reason' in amount
          ? `The amount “${amountText.slice(0, 60)}” ${amount.reason}.`
          : dateText === ''
            ? 'It has no date (DTPOSTED).'
            : `“${dateText.slice(0, 60)}” is no date.`;
    if ('reason' in amount || booked_on === null || amountText === null) {
      this.#file.problem('failed', place, failure, raw, row);
      return;
    }
    const type = (field('TRNTYPE') ?? '').toUpperCase();
    this.#file.line({
      row,
      place,
      booked_on,
      value_on: ofxDate(field('DTAVAIL') ?? ''),
      amount_in_cents: amount.cents,
      currency: unit,
      description: joined([field('NAME') ?? field('PAYEE.NAME'), field('EXTDNAME'), field('MEMO')]) || type,
      reference: field('REFNUM') ?? field('CHECKNUM'),
      counterparty: field('NAME') ?? field('PAYEE.NAME'),
      bank_id: field('FITID'),
      kind: kinds.get(type) ?? 'entry',
      extra: extraOf([...fields].filter(([name]) => !TAKEN.has(name))),
    });
    this.#doubts(place, row, raw, type, amount.cents, fields);
  }

  #doubts(
    place: string,
    row: number,
    raw: string,
    type: string,
    cents: number,
    fields: Map<string, string>,
  ): void {
    const doubt = (reason: string) => this.#file.problem('doubtful', place, reason, raw, row);
    if (cents > 0 && OUTGOING.has(type))
      doubt(`It is a ${type} with money coming in; the sign was left as it is.`);
    if (!fields.has('FITID')) doubt('It has no FITID, the bank’s own id.');
    const action = fields.get('CORRECTACTION');
    if (action !== undefined) {
      const former = fields.get('CORRECTFITID') ?? 'another line';
      doubt(`The bank says that it ${action === 'DELETE' ? 'deletes' : 'replaces'} ${former}.`);
    }
  }
}

const TAKEN = new Set(['DTPOSTED', 'TRNAMT', 'FITID', 'NAME', 'MEMO', 'DTAVAIL', 'REFNUM']);

/** Returns the written date of an OFX date and time, `20261003120000.000[-5:EST]`. */
function ofxDate(text: string): CalendarDate | null {
  const digits = /^\d{8}/.exec(text.trim())?.[0];
  return digits === undefined ? readDate(text, 'ymd') : readDate(digits, 'ymd');
}
