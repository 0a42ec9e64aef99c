import type { CalendarDate, Cents } from '../../ledger/index.ts';
import type { BankFileOptions, FormatReadResult } from '../model/bank-file.ts';
import { MAX_XML_DEPTH } from '../model/limits.ts';
import type { BankLineKind } from '../model/line-kind.ts';
import {
  buildExtraFields,
  createStatedBalance,
  joinTexts,
  type LineCollector,
  type StatementDraft,
  trimToNull,
} from '../statements/line-collector.ts';
import { decodeText, getEncodingLabel } from '../text/encoding.ts';
import { type BankFileBytes, readFirstBytes } from '../text/file-bytes.ts';
import { parsePlainAmount } from '../values/amount-text.ts';
import { parseCurrencyCode } from '../values/currency.ts';
import { parseDateText } from '../values/date-text.ts';
import { findLineNumber, OFX_DECLARATION_ERROR, OfxReadError, type OfxTag, scanOfxTags } from './ofx-tags.ts';

const STATEMENTS = new Set(['STMTRS', 'CCSTMTRS', 'INVSTMTRS', 'LOANSTMTRS', 'AMRTSTMTRS']);
const ACCOUNTS = new Set(['BANKACCTFROM', 'CCACCTFROM', 'INVACCTFROM', 'LOANACCTFROM']);
/** Aggregates inside a transaction. Their fields must not be mistaken for the transaction's own. */
const NESTED_AGGREGATES = new Set('PAYEE BANKACCTTO CCACCTTO CURRENCY ORIGCURRENCY IMAGEDATA'.split(' '));

const kinds = new Map<string, BankLineKind>(
  Object.entries({ FEE: 'fee', SRVCHG: 'fee', INT: 'interest', XFER: 'transfer' }),
);
const OUTGOING = new Set('DEBIT FEE SRVCHG CHECK PAYMENT ATM POS DIRECTDEBIT REPEATPMT'.split(' '));

/** Reads OFX and QFX files of versions 1.x and 2.x. Dates are used as written, whatever their time zone. */
export function readOfx(
  bytes: BankFileBytes,
  file: LineCollector,
  options: BankFileOptions,
): FormatReadResult {
  const head = new TextDecoder('windows-1252').decode(readFirstBytes(bytes, 2000));
  const text = decodeText(bytes, undefined, findNamedEncoding(head));
  const beginning = text.head(100_000);
  const start = /<OFX[\s>]/i.exec(beginning)?.index ?? 0;
  const reader = new OfxReader(file, parseCurrencyCode(options.currency ?? ''));
  try {
    const declared = /<!(?!--)/.exec(beginning.slice(0, start));
    if (declared !== null)
      throw new OfxReadError(OFX_DECLARATION_ERROR, findLineNumber(beginning, declared.index));
    for (const tag of scanOfxTags(text, start)) reader.take(tag);
    reader.end();
  } catch (error) {
    if (!(error instanceof OfxReadError)) throw error;
    file.reportProblem('refused', `line ${error.line}`, error.message);
  }
  return { dialect: `${describeVersion(head)}, ${getEncodingLabel(text.encoding)}` };
}

function findNamedEncoding(head: string): string | undefined {
  const xml = /encoding=["']([\w-]{2,40})["']/i.exec(head)?.[1];
  if (xml !== undefined) return xml;
  const charset = /CHARSET:\s*([\w-]{2,40})/i.exec(head)?.[1];
  return charset !== undefined && /^\d+$/.test(charset) ? `windows-${charset}` : charset;
}

function describeVersion(head: string): string {
  const version = /VERSION[:=]\s*"?(\d)(\d)(\d)"?/i.exec(head.replace(/<\?xml[^>]*>/i, ''));
  if (version === null) return 'OFX';
  const [, major, minor, patch] = version;
  return `OFX ${major}.${minor}.${patch} (${major === '1' ? 'SGML' : 'XML'})`;
}

interface OpenTransaction {
  readonly line: number;
  readonly pending: boolean;
  readonly fields: Map<string, string>;
}

class OfxReader {
  readonly #file: LineCollector;
  readonly #currency: string | null;
  readonly #path: string[] = [];
  #statement: StatementDraft | null = null;
  #unit: string | null = null;
  #transaction: OpenTransaction | null = null;
  #balance = new Map<string, string>();
  #investments = 0;
  #line = 1;

  constructor(file: LineCollector, currency: string | null) {
    this.#file = file;
    this.#currency = currency;
    this.#unit = currency;
  }

  take({ type, name, value, line }: OfxTag): void {
    this.#line = line;
    if (type === 'open') this.#openElement(name, line);
    else if (type === 'value') this.#readValue(name, value, line);
    else this.#closeElement(name);
  }

  /** Reports the elements that are still open at the end of the text. */
  end(): void {
    if (this.#transaction !== null) this.#addTransaction(this.#transaction);
    if (this.#path.length > 0) {
      const [outer = ''] = this.#path.slice(-1);
      const reason = `The file ends inside <${outer}>. It may be incomplete.`;
      this.#file.reportProblem('refused', `line ${this.#line}`, reason);
    }
    if (this.#investments > 0) {
      const reason = `${this.#investments} investment transactions were skipped because they move no money of this account.`;
      this.#file.reportProblem('skipped', 'the file', reason);
    }
  }

  #openElement(name: string, line: number): void {
    if (this.#path.length >= MAX_XML_DEPTH)
      throw new OfxReadError(`The file has more than ${MAX_XML_DEPTH} levels of nested elements.`, line);
    this.#path.push(name);
    if (STATEMENTS.has(name)) {
      this.#statement = this.#file.beginStatement(`line ${line}`);
      this.#unit = this.#currency;
    } else if (name === 'STMTTRN' || name === 'STMTTRNP') {
      if (this.#transaction !== null) this.#addTransaction(this.#transaction);
      this.#transaction = { line, pending: name === 'STMTTRNP', fields: new Map() };
    } else if (name === 'LEDGERBAL') this.#balance = new Map();
    else if (name === 'INVTRAN') this.#investments++;
  }

  #closeElement(name: string): void {
    const at = this.#path.lastIndexOf(name);
    if (at < 0) return;
    this.#path.length = at;
    if ((name === 'STMTTRN' || name === 'STMTTRNP') && this.#transaction !== null) {
      this.#addTransaction(this.#transaction);
      this.#transaction = null;
    } else if (name === 'LEDGERBAL') this.#setClosingBalance();
    else if (STATEMENTS.has(name) || name === 'BANKTRANLIST') {
      if (this.#transaction !== null) this.#addTransaction(this.#transaction);
      this.#transaction = null;
    }
  }

  #readValue(name: string, value: string, line: number): void {
    if (this.#transaction !== null) this.#addField(this.#transaction, name, value);
    else if (this.#path.includes('LEDGERBAL')) this.#balance.set(name, value);
    else if (name === 'CURDEF' && value !== '') this.#setCurrency(value, line);
    else if (name === 'SEVERITY' && value.toUpperCase() === 'ERROR') {
      const reason = 'The bank’s server reported an error. The file may be incomplete.';
      this.#file.reportProblem('doubtful', `line ${line}`, reason, { raw: value });
    } else if (ACCOUNTS.has(this.#path.at(-1) ?? '')) this.#setAccount(name, value);
  }

  #addField({ fields }: OpenTransaction, name: string, value: string): void {
    const parent = this.#path.at(-1) ?? '';
    const key = NESTED_AGGREGATES.has(parent) ? `${parent}.${name}` : name;
    if (value !== '' && !fields.has(key)) fields.set(key, value);
  }

  #setAccount(name: string, value: string): void {
    if (this.#statement === null) return;
    if (name === 'ACCTID') this.#statement.account ??= trimToNull(value);
    if (name === 'BANKID' || name === 'BROKERID') this.#statement.bank ??= trimToNull(value);
  }

  #setCurrency(value: string, line: number): void {
    const code = parseCurrencyCode(value);
    if (code === null) {
      const reason = `“${value.slice(0, 20)}” is not a currency. The account’s currency was used.`;
      this.#file.reportProblem('doubtful', `line ${line}`, reason, { raw: value });
      return;
    }
    this.#unit = code;
    if (this.#statement !== null) this.#statement.currency = code;
  }

  #setClosingBalance(): void {
    const text = this.#balance.get('BALAMT') ?? '';
    if (this.#statement === null || text === '') return;
    const amount = parsePlainAmount(text, this.#unit);
    if ('reason' in amount) {
      const reason = `The balance “${text.slice(0, 60)}” ${amount.reason}.`;
      this.#file.reportProblem('doubtful', `line ${this.#line}`, reason, { raw: text });
      return;
    }
    this.#statement.closing = createStatedBalance(
      amount.cents,
      parseOfxDate(this.#balance.get('DTASOF') ?? ''),
    );
  }

  #addTransaction({ line, pending, fields }: OpenTransaction): void {
    const row = ++this.#file.rows;
    const location = `line ${line}`;
    const field = (name: string) => trimToNull(fields.get(name));
    const source = { raw: [...fields].map(([name, value]) => `${name} ${value}`).join(', '), row };
    if (pending) {
      const reason = 'The transaction is pending. The bank has not booked it.';
      this.#file.reportProblem('skipped', location, reason, source);
      return;
    }
    const entry = this.#readDateAndAmount(field);
    if (typeof entry === 'string') {
      this.#file.reportProblem('failed', location, entry, source);
      return;
    }
    const type = (field('TRNTYPE') ?? '').toUpperCase();
    const counterparty = field('NAME') ?? field('PAYEE.NAME');
    this.#file.addLine({
      row,
      location,
      ...entry,
      value_on: parseOfxDate(field('DTAVAIL') ?? ''),
      description: joinTexts([counterparty, field('EXTDNAME'), field('MEMO')]) || type,
      reference: field('REFNUM') ?? field('CHECKNUM'),
      counterparty,
      bank_id: field('FITID'),
      kind: kinds.get(type) ?? 'entry',
      extra: buildExtraFields([...fields].filter(([name]) => !MAPPED_FIELDS.has(name))),
    });
    for (const reason of findDoubts(fields, type, entry.amount_in_cents))
      this.#file.reportProblem('doubtful', location, reason, source);
  }

  /** Returns date, amount and currency of a transaction, or the reason why they are invalid. */
  #readDateAndAmount(field: (name: string) => string | null) {
    const amountText = field('TRNAMT');
    if (amountText === null) return 'The transaction has no amount (TRNAMT).';
    const currency = parseCurrencyCode(field('CURRENCY.CURSYM') ?? '') ?? this.#unit;
    const amount = parsePlainAmount(amountText, currency);
    if ('reason' in amount) return `The amount “${amountText.slice(0, 60)}” ${amount.reason}.`;
    const dateText = field('DTPOSTED') ?? field('DTTRADE');
    if (dateText === null) return 'The transaction has no date (DTPOSTED).';
    const booked_on = parseOfxDate(dateText);
    if (booked_on === null) return `“${dateText.slice(0, 60)}” is not a date.`;
    return { booked_on, amount_in_cents: amount.cents, currency };
  }
}

/** Returns one sentence per unusual property of a transaction. */
function findDoubts(fields: ReadonlyMap<string, string>, type: string, cents: Cents): string[] {
  const doubts: string[] = [];
  if (cents > 0 && OUTGOING.has(type))
    doubts.push(`The transaction type is ${type}, but the amount is positive. The sign was not changed.`);
  if (!fields.has('FITID')) doubts.push('The transaction has no FITID, the bank’s own id.');
  const action = fields.get('CORRECTACTION');
  if (action !== undefined) {
    const corrected = fields.get('CORRECTFITID') ?? 'another line';
    doubts.push(`The bank marks it as ${action === 'DELETE' ? 'deleting' : 'replacing'} ${corrected}.`);
  }
  return doubts;
}

/** OFX fields that are mapped to fields of a line. All others go to `extra`. */
const MAPPED_FIELDS = new Set(['DTPOSTED', 'TRNAMT', 'FITID', 'NAME', 'MEMO', 'DTAVAIL', 'REFNUM']);

/** Returns the date part, as written, of an OFX date and time, for example `20261003120000.000[-5:EST]`. */
function parseOfxDate(text: string): CalendarDate | null {
  const digits = /^\d{8}/.exec(text.trim())?.[0];
  return digits === undefined ? parseDateText(text, 'ymd') : parseDateText(digits, 'ymd');
}
