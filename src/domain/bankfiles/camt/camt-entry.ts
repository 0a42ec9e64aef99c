import type { CalendarDate, Cents } from '../../ledger/index.ts';
import type { ForeignAmount } from '../model/bank-file.ts';
import type { LineKind } from '../model/line-kind.ts';
import {
  buildExtra,
  joinTexts,
  type LineCollector,
  type StatementDraft,
} from '../statements/line-collector.ts';
import { type AmountReading, readAmount } from '../values/amount-text.ts';
import { currencyCode, formatInCurrency } from '../values/currency.ts';
import { readDate } from '../values/date-text.ts';
import { findChildren, findElement, firstTextAt, textAt, type XmlElement } from './xml-elements.ts';

/** Totals of the entries read, to compare with the statement's own summary. */
interface EntryTotals {
  count: number;
  credits: Cents;
  debits: Cents;
  /** True if an entry could not be read, so that totals prove nothing. */
  hasUnreadEntry: boolean;
}

/** Returns an amount element in minor units with the sign given by CdtDbtInd. */
export function readSignedAmount(
  amount: XmlElement | undefined,
  indicator: string | null,
  currency: string | null,
): AmountReading {
  if (amount === undefined) return { reason: 'has no amount' };
  if (indicator !== 'CRDT' && indicator !== 'DBIT')
    return { reason: 'is marked neither as credit nor as debit (CdtDbtInd)' };
  const unit = currencyCode(amount.attributes['Ccy'] ?? '') ?? currency;
  const reading = readAmount(amount.text, '.', unit);
  if ('reason' in reading)
    return { reason: `has an invalid amount: “${amount.text.trim().slice(0, 40)}” ${reading.reason}` };
  return { cents: indicator === 'DBIT' ? 0 - reading.cents : reading.cents, currency: unit };
}

/** Returns the date of an element from its Dt, its DtTm or its own text. */
export function readElementDate(element: XmlElement | undefined, name: string): CalendarDate | null {
  const date = findElement(element, name);
  const text = firstTextAt(date, ['Dt'], ['DtTm']) ?? date?.text.trim() ?? '';
  return readDate(text.slice(0, 10), 'ymd');
}

/** Reads the entries of a statement. */
export class CamtEntryReader {
  seen: EntryTotals = { count: 0, credits: 0, debits: 0, hasUnreadEntry: false };
  currency: string | null = null;
  readonly #file: LineCollector;
  #statement = -1;

  constructor(file: LineCollector) {
    this.#file = file;
  }

  /** Sets the statement's currency as soon as it is known. */
  begin(currency: string | null): void {
    this.currency = currency;
    const statement = this.#file.statements.length;
    if (statement === this.#statement) return;
    this.#statement = statement;
    this.seen = { count: 0, credits: 0, debits: 0, hasUnreadEntry: false };
  }

  read(entry: XmlElement, statement: StatementDraft): void {
    this.seen.count++;
    const location = `line ${entry.line}`;
    const raw = rawOf(entry);
    const amount = readSignedAmount(
      findElement(entry, 'Amt'),
      textAt(entry, 'CdtDbtInd'),
      statement.currency ?? this.currency,
    );
    const status = firstTextAt(entry, ['Sts', 'Cd'], ['Sts', 'Prtry'], ['Sts']) ?? 'BOOK';
    if (status !== 'BOOK') {
      this.seen.hasUnreadEntry = true;
      const reason = `The entry ${statusMeaning(status)}. The bank has not booked it.`;
      this.#file.reportProblem('skipped', location, reason, { raw, row: ++this.#file.rows });
      return;
    }
    const value_on = readElementDate(entry, 'ValDt');
    const booked_on = readElementDate(entry, 'BookgDt') ?? value_on ?? statementDate(entry, statement);
    if ('reason' in amount || booked_on === null) {
      this.seen.hasUnreadEntry = true;
      const reason =
        'reason' in amount ? `The entry ${amount.reason}.` : 'The entry has no readable booking date.';
      this.#file.reportProblem('failed', location, reason, { raw, row: ++this.#file.rows });
      return;
    }
    if (amount.cents > 0) this.seen.credits += amount.cents;
    else this.seen.debits -= amount.cents;
    this.#addEntry({
      entry,
      booked_on,
      value_on,
      cents: amount.cents,
      currency: amount.currency,
      location,
      raw,
    });
  }

  #addEntry(booked: BookedEntry): void {
    const { entry, cents, location, raw } = booked;
    const details = findChildren(entry, 'NtryDtls').flatMap((part) => findChildren(part, 'TxDtls'));
    const shares = details.length > 1 ? splitAmount(details, booked) : null;
    if (shares === null) {
      const row = ++this.#file.rows;
      this.#addLine(booked, { row, details, cents, location });
      if (details.length > 1) {
        const total = formatInCurrency(cents, booked.currency);
        const reason = `The amounts of the ${details.length} details do not add up to ${total}. The entry was read as one line.`;
        this.#file.reportProblem('doubtful', location, reason, { raw, row });
      }
      return;
    }
    details.forEach((detail, at) => {
      this.#addLine(booked, {
        row: ++this.#file.rows,
        details: [detail],
        cents: shares[at] as Cents,
        location: `line ${detail.line}`,
      });
    });
    const charges = cents - shares.reduce((sum, share) => sum + share, 0);
    if (charges !== 0) this.#addCharges(booked, charges);
  }

  /** Adds the bank's charges of a batch as a line of its own. */
  #addCharges({ entry, booked_on, value_on, currency, location }: BookedEntry, amount_in_cents: Cents): void {
    this.#file.addLine({
      row: ++this.#file.rows,
      location,
      booked_on,
      value_on,
      amount_in_cents,
      currency,
      description: joinTexts(['Charges', textAt(entry, 'AddtlNtryInf')]),
      bank_id: textAt(entry, 'AcctSvcrRef'),
      kind: 'fee',
    });
  }

  #addLine(
    { entry, booked_on, value_on, currency }: BookedEntry,
    { row, details, cents, location }: LinePart,
  ): void {
    const [detail] = details;
    const endToEnd = ignorePlaceholder(textAt(detail, 'Refs', 'EndToEndId'));
    const structured = details.flatMap((each) =>
      findChildren(findElement(each, 'RmtInf'), 'Strd').map((part) => textAt(part, 'CdtrRefInf', 'Ref')),
    );
    const remittance = details.flatMap((each) =>
      findChildren(findElement(each, 'RmtInf'), 'Ustrd').map(({ text }) => text),
    );
    const batch = findElement(entry, 'NtryDtls', 'Btch');
    const description = joinTexts([
      ...remittance,
      ...(endToEnd === null ? [] : structured),
      ...details.map((each) => textAt(each, 'AddtlTxInf')),
      textAt(entry, 'AddtlNtryInf'),
    ]);
    this.#file.addLine({
      row,
      location,
      booked_on,
      value_on,
      amount_in_cents: cents,
      currency,
      description: details.length > 1 ? description.slice(0, 2000) : description,
      reference:
        endToEnd ??
        structured.find((text) => text !== null) ??
        ignorePlaceholder(firstTextAt(detail, ['Refs', 'InstrId'], ['Refs', 'MndtId'], ['Refs', 'ChqNb'])) ??
        ignorePlaceholder(textAt(entry, 'NtryRef')),
      counterparty: partyOf(detail, cents),
      bank_id:
        ignorePlaceholder(firstTextAt(detail, ['Refs', 'AcctSvcrRef'], ['Refs', 'TxId'])) ??
        ignorePlaceholder(textAt(entry, 'AcctSvcrRef')),
      kind: kindOf(entry, detail, cents),
      foreign: foreignOf(detail ?? entry, currency, cents),
      extra: buildExtra([
        ['bank_code', bankCode(entry)],
        ['batch', firstTextAt(batch, ['PmtInfId'], ['MsgId']) ?? firstTextAt(detail, ['Refs', 'PmtInfId'])],
        ['mandate', textAt(detail, 'Refs', 'MndtId')],
        ['transaction', textAt(detail, 'Refs', 'TxId')],
        ['return_reason', firstTextAt(detail, ['RtrInf', 'Rsn', 'Cd'], ['RtrInf', 'Rsn', 'Prtry'])],
        ['reversal', textAt(entry, 'RvslInd')],
        ['account', firstTextAt(detail, ['RltdPties', cents < 0 ? 'CdtrAcct' : 'DbtrAcct', 'Id', 'IBAN'])],
      ]),
    });
  }
}

/** One line of an entry: all details of it, or a single one. */
interface LinePart {
  readonly row: number;
  readonly details: readonly XmlElement[];
  readonly cents: Cents;
  readonly location: string;
}

interface BookedEntry {
  readonly entry: XmlElement;
  readonly booked_on: CalendarDate;
  readonly value_on: CalendarDate | null;
  readonly cents: Cents;
  readonly currency: string | null;
  readonly location: string;
  readonly raw: string;
}

/**
 * Returns the amounts of a batch's details if they add up to the entry, or to the entry and its charges. Returns null
 * otherwise: some banks repeat the total in every detail, others leave amounts out.
 */
function splitAmount(
  details: readonly XmlElement[],
  { entry, cents, currency }: BookedEntry,
): Cents[] | null {
  const shares: Cents[] = [];
  for (const detail of details) {
    const indicator = textAt(detail, 'CdtDbtInd') ?? (cents < 0 ? 'DBIT' : 'CRDT');
    const amount =
      findElement(detail, 'Amt') ??
      findElement(detail, 'AmtDtls', 'TxAmt', 'Amt') ??
      findElement(detail, 'AmtDtls', 'InstdAmt', 'Amt');
    const reading = readSignedAmount(amount, indicator, currency);
    if ('reason' in reading || reading.currency !== currency) return null;
    shares.push(reading.cents);
  }
  const remainder = cents - shares.reduce((sum, share) => sum + share, 0);
  if (remainder === 0) return shares;
  return Number.isSafeInteger(remainder) && remainder === -sumCharges([entry, ...details], currency)
    ? shares
    : null;
}

/** Returns the sum of the charges in a currency, a cost being negative. */
function sumCharges(elements: readonly XmlElement[], currency: string | null): Cents {
  const charges = elements.flatMap((element) => findChildren(element, 'Chrgs'));
  const records = charges.flatMap((charge) => {
    const own = findChildren(charge, 'Rcrd');
    return own.length === 0 ? [charge] : own;
  });
  let sum = 0;
  for (const record of records) {
    const amount = findElement(record, 'Amt') ?? findElement(record, 'TtlChrgsAndTaxAmt');
    const reading = readSignedAmount(amount, textAt(record, 'CdtDbtInd') ?? 'DBIT', currency);
    if ('cents' in reading && reading.currency === currency) sum -= reading.cents;
  }
  return sum;
}

function statusMeaning(status: string): string {
  if (status === 'PDNG') return 'is pending';
  return status === 'INFO' ? 'is for information only' : `has the status ${status.slice(0, 20)}`;
}

/** Returns the statement's last day for an entry without a booking date, or null. */
function statementDate(entry: XmlElement, statement: StatementDraft): CalendarDate | null {
  return findElement(entry, 'BookgDt') === undefined ? statement.to : null;
}

/** Texts that mean "no reference". */
const PLACEHOLDER = /^(?:not ?provided|nonref|none|n\/a)$/i;
const ignorePlaceholder = (text: string | null): string | null =>
  text === null || PLACEHOLDER.test(text) ? null : text;

function partyOf(detail: XmlElement | undefined, cents: Cents): string | null {
  const parties = findElement(detail, 'RltdPties');
  const sides = cents < 0 ? ['Cdtr', 'UltmtCdtr'] : ['Dbtr', 'UltmtDbtr'];
  return firstTextAt(
    parties,
    ...sides.flatMap((side) => [
      [side, 'Nm'],
      [side, 'Pty', 'Nm'],
    ]),
  );
}

const bankCode = (entry: XmlElement): string | null => {
  const code = findElement(entry, 'BkTxCd');
  const parts = [
    ['Domn', 'Cd'],
    ['Domn', 'Fmly', 'Cd'],
    ['Domn', 'Fmly', 'SubFmlyCd'],
  ];
  const iso = parts.map((path) => textAt(code, ...path)).filter((part) => part !== null);
  return iso.length > 0 ? iso.join('/') : textAt(code, 'Prtry', 'Cd');
};

function kindOf(entry: XmlElement, detail: XmlElement | undefined, cents: Cents): LineKind {
  const [domain, family, sub] = (bankCode(entry) ?? '').split('/');
  if (sub === 'CHRG' || sub === 'COMM' || sub === 'FEES') return 'fee';
  if (sub === 'INTR') return 'interest';
  const returned =
    findElement(detail, 'RtrInf') !== undefined ||
    sub === 'RRTN' ||
    sub === 'UPDD' ||
    sub === 'PRDD' ||
    sub === 'RPCR';
  if (returned && cents < 0) return 'chargeback';
  return domain === 'PMNT' && (family === 'CCRD' || family === 'MCRD') && sub === 'CHBK'
    ? 'chargeback'
    : 'entry';
}

function foreignOf(element: XmlElement, currency: string | null, cents: Cents): ForeignAmount | null {
  const details = findElement(element, 'AmtDtls') ?? findElement(element, 'NtryDtls', 'TxDtls', 'AmtDtls');
  for (const path of [['InstdAmt'], ['TxAmt'], ['CntrValAmt']] as const) {
    const amount = findElement(details, ...path, 'Amt');
    const unit = currencyCode(amount?.attributes['Ccy'] ?? '');
    if (amount === undefined || unit === null || unit === currency) continue;
    const reading = readSignedAmount(amount, cents < 0 ? 'DBIT' : 'CRDT', unit);
    if ('reason' in reading) continue;
    const rate = firstTextAt(
      details,
      [...path, 'CcyXchg', 'XchgRate'],
      ['InstdAmt', 'CcyXchg', 'XchgRate'],
      ['TxAmt', 'CcyXchg', 'XchgRate'],
    );
    return { amount_in_cents: reading.cents, currency: unit, rate };
  }
  return null;
}

/** Returns the texts of an entry, to show with a problem. */
function rawOf(element: XmlElement): string {
  const texts: string[] = [];
  const walk = ({ name, text, children }: XmlElement) => {
    if (texts.length > 60) return;
    if (children.length === 0) texts.push(`${name} ${text.trim()}`);
    for (const child of children) walk(child);
  };
  walk(element);
  return texts.join(', ');
}
