import type { CalendarDate, Cents } from '../../ledger/index.ts';
import type { ForeignAmount } from '../model/bank-file.ts';
import type { BankLineKind } from '../model/line-kind.ts';
import {
  buildExtraFields,
  joinTexts,
  type LineCollector,
  type StatementDraft,
} from '../statements/line-collector.ts';
import { type ParsedAmount, parseAmount } from '../values/amount-text.ts';
import { formatAmountInCurrency, parseCurrencyCode } from '../values/currency.ts';
import { parseDateText } from '../values/date-text.ts';
import {
  findFirstXmlText,
  findXmlChildren,
  findXmlElement,
  findXmlText,
  type XmlElement,
} from './xml-elements.ts';

/** Totals of the CAMT entries that were read, for comparison with the statement's own summary. */
const createEntryTotals = () => ({
  count: 0,
  credits: 0,
  debits: 0,
  /** True if an entry could not be read. The totals then cannot be compared. */
  hasUnreadEntry: false,
});

/** Returns a CAMT amount in minor units. CdtDbtInd gives its sign. */
export function readCamtAmount(
  amount: XmlElement | undefined,
  indicator: string | null,
  currency: string | null,
): ParsedAmount {
  if (amount === undefined) return { reason: 'has no amount' };
  if (indicator !== 'CRDT' && indicator !== 'DBIT')
    return { reason: 'is marked neither as credit nor as debit (CdtDbtInd)' };
  const unit = parseCurrencyCode(amount.attributes['Ccy'] ?? '') ?? currency;
  const parsed = parseAmount(amount.text, '.', unit);
  if ('reason' in parsed)
    return { reason: `has an invalid amount: “${amount.text.trim().slice(0, 40)}” ${parsed.reason}` };
  return { cents: indicator === 'DBIT' ? 0 - parsed.cents : parsed.cents, currency: unit };
}

/** Returns the date of a CAMT element, taken from its Dt, its DtTm or its text. */
export function readCamtDate(element: XmlElement | undefined, name: string): CalendarDate | null {
  const date = findXmlElement(element, name);
  const text = findFirstXmlText(date, ['Dt'], ['DtTm']) ?? date?.text.trim() ?? '';
  return parseDateText(text.slice(0, 10), 'ymd');
}

export class CamtEntryReader {
  totals = createEntryTotals();
  currency: string | null = null;
  readonly #file: LineCollector;
  #statement = -1;

  constructor(file: LineCollector) {
    this.#file = file;
  }

  /** Sets the statement's currency once it is known. */
  begin(currency: string | null): void {
    this.currency = currency;
    const statement = this.#file.statements.length;
    if (statement === this.#statement) return;
    this.#statement = statement;
    this.totals = createEntryTotals();
  }

  read(entry: XmlElement, statement: StatementDraft): void {
    this.totals.count++;
    const location = `line ${entry.line}`;
    const raw = formatEntry(entry);
    const amount = readCamtAmount(
      findXmlElement(entry, 'Amt'),
      findXmlText(entry, 'CdtDbtInd'),
      statement.currency ?? this.currency,
    );
    const status = findFirstXmlText(entry, ['Sts', 'Cd'], ['Sts', 'Prtry'], ['Sts']) ?? 'BOOK';
    if (status !== 'BOOK') {
      this.totals.hasUnreadEntry = true;
      const reason = `The entry ${describeStatus(status)}. The bank has not booked it.`;
      this.#file.reportProblem('skipped', location, reason, { raw, row: ++this.#file.rows });
      return;
    }
    const value_on = readCamtDate(entry, 'ValDt');
    const booked_on = readCamtDate(entry, 'BookgDt') ?? value_on ?? findStatementDate(entry, statement);
    if ('reason' in amount || booked_on === null) {
      this.totals.hasUnreadEntry = true;
      const reason =
        'reason' in amount ? `The entry ${amount.reason}.` : 'The entry has no readable booking date.';
      this.#file.reportProblem('failed', location, reason, { raw, row: ++this.#file.rows });
      return;
    }
    if (amount.cents > 0) this.totals.credits += amount.cents;
    else this.totals.debits -= amount.cents;
    this.#addEntry({ ...amount, entry, booked_on, value_on, location, raw });
  }

  #addEntry(booked: BookedEntry): void {
    const { entry, cents, location, raw } = booked;
    const details = findXmlChildren(entry, 'NtryDtls').flatMap((part) => findXmlChildren(part, 'TxDtls'));
    const shares = details.length > 1 ? splitAmount(details, booked) : null;
    if (shares === null) {
      const row = ++this.#file.rows;
      this.#addLine(booked, { row, details, cents, location });
      if (details.length > 1) {
        const total = formatAmountInCurrency(cents, booked.currency);
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

  #addCharges({ entry, booked_on, value_on, currency, location }: BookedEntry, amount_in_cents: Cents): void {
    this.#file.addLine({
      row: ++this.#file.rows,
      location,
      booked_on,
      value_on,
      amount_in_cents,
      currency,
      description: joinTexts(['Charges', findXmlText(entry, 'AddtlNtryInf')]),
      bank_id: findXmlText(entry, 'AcctSvcrRef'),
      kind: 'fee',
    });
  }

  #addLine(
    { entry, booked_on, value_on, currency }: BookedEntry,
    { row, details, cents, location }: LinePart,
  ): void {
    const [detail] = details;
    const endToEnd = ignorePlaceholder(findXmlText(detail, 'Refs', 'EndToEndId'));
    const structured = details.flatMap((each) =>
      findXmlChildren(findXmlElement(each, 'RmtInf'), 'Strd').map((part) =>
        findXmlText(part, 'CdtrRefInf', 'Ref'),
      ),
    );
    const remittance = details.flatMap((each) =>
      findXmlChildren(findXmlElement(each, 'RmtInf'), 'Ustrd').map(({ text }) => text),
    );
    const batch = findXmlElement(entry, 'NtryDtls', 'Btch');
    const description = joinTexts([
      ...remittance,
      ...(endToEnd === null ? [] : structured),
      ...details.map((each) => findXmlText(each, 'AddtlTxInf')),
      findXmlText(entry, 'AddtlNtryInf'),
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
        ignorePlaceholder(
          findFirstXmlText(detail, ['Refs', 'InstrId'], ['Refs', 'MndtId'], ['Refs', 'ChqNb']),
        ) ??
        ignorePlaceholder(findXmlText(entry, 'NtryRef')),
      counterparty: findParty(detail, cents),
      bank_id:
        ignorePlaceholder(findFirstXmlText(detail, ['Refs', 'AcctSvcrRef'], ['Refs', 'TxId'])) ??
        ignorePlaceholder(findXmlText(entry, 'AcctSvcrRef')),
      kind: findKind(entry, detail, cents),
      foreign: findForeignAmount(detail ?? entry, currency, cents),
      extra: buildExtraFields([
        ['bank_code', readBankCode(entry)],
        [
          'batch',
          findFirstXmlText(batch, ['PmtInfId'], ['MsgId']) ?? findFirstXmlText(detail, ['Refs', 'PmtInfId']),
        ],
        ['mandate', findXmlText(detail, 'Refs', 'MndtId')],
        ['transaction', findXmlText(detail, 'Refs', 'TxId')],
        ['return_reason', findFirstXmlText(detail, ['RtrInf', 'Rsn', 'Cd'], ['RtrInf', 'Rsn', 'Prtry'])],
        ['reversal', findXmlText(entry, 'RvslInd')],
        [
          'account',
          findFirstXmlText(detail, ['RltdPties', cents < 0 ? 'CdtrAcct' : 'DbtrAcct', 'Id', 'IBAN']),
        ],
      ]),
    });
  }
}

/** The part of an entry that becomes one line: all of its details or a single one. */
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
 * Returns the amounts of a batch's details; null if they do not add up to the entry, with or without charges. Some
 * banks repeat the total in every detail, and others omit amounts.
 */
function splitAmount(details: readonly XmlElement[], { entry, cents, currency }: BookedEntry) {
  const shares: Cents[] = [];
  for (const detail of details) {
    const indicator = findXmlText(detail, 'CdtDbtInd') ?? (cents < 0 ? 'DBIT' : 'CRDT');
    const amount =
      findXmlElement(detail, 'Amt') ??
      findXmlElement(detail, 'AmtDtls', 'TxAmt', 'Amt') ??
      findXmlElement(detail, 'AmtDtls', 'InstdAmt', 'Amt');
    const reading = readCamtAmount(amount, indicator, currency);
    if ('reason' in reading || reading.currency !== currency) return null;
    shares.push(reading.cents);
  }
  const remainder = cents - shares.reduce((sum, share) => sum + share, 0);
  if (remainder === 0) return shares;
  return Number.isSafeInteger(remainder) && remainder === -sumCharges([entry, ...details], currency)
    ? shares
    : null;
}

/** Returns the sum of the charges in one currency. Costs are negative. */
function sumCharges(elements: readonly XmlElement[], currency: string | null): Cents {
  const charges = elements.flatMap((element) => findXmlChildren(element, 'Chrgs'));
  const records = charges.flatMap((charge) => {
    const chargeRecords = findXmlChildren(charge, 'Rcrd');
    return chargeRecords.length === 0 ? [charge] : chargeRecords;
  });
  let sum = 0;
  for (const record of records) {
    const amount = findXmlElement(record, 'Amt') ?? findXmlElement(record, 'TtlChrgsAndTaxAmt');
    const parsed = readCamtAmount(amount, findXmlText(record, 'CdtDbtInd') ?? 'DBIT', currency);
    if ('cents' in parsed && parsed.currency === currency) sum -= parsed.cents;
  }
  return sum;
}

function describeStatus(status: string): string {
  if (status === 'PDNG') return 'is pending';
  return status === 'INFO' ? 'is for information only' : `has the status ${status.slice(0, 20)}`;
}

/** Returns the last day of the statement, which is the date of an entry without a booking date; null if unknown. */
const findStatementDate = (entry: XmlElement, statement: StatementDraft): CalendarDate | null =>
  findXmlElement(entry, 'BookgDt') === undefined ? statement.to : null;

/** Matches texts that banks use for "no reference". */
const PLACEHOLDER = /^(?:not ?provided|nonref|none|n\/a)$/i;
const ignorePlaceholder = (text: string | null): string | null =>
  text === null || PLACEHOLDER.test(text) ? null : text;

function findParty(detail: XmlElement | undefined, cents: Cents): string | null {
  const parties = findXmlElement(detail, 'RltdPties');
  const sides = cents < 0 ? ['Cdtr', 'UltmtCdtr'] : ['Dbtr', 'UltmtDbtr'];
  return findFirstXmlText(
    parties,
    ...sides.flatMap((side) => [
      [side, 'Nm'],
      [side, 'Pty', 'Nm'],
    ]),
  );
}

const readBankCode = (entry: XmlElement): string | null => {
  const code = findXmlElement(entry, 'BkTxCd');
  const parts = [
    ['Domn', 'Cd'],
    ['Domn', 'Fmly', 'Cd'],
    ['Domn', 'Fmly', 'SubFmlyCd'],
  ];
  const iso = parts.map((path) => findXmlText(code, ...path)).filter((part) => part !== null);
  return iso.length > 0 ? iso.join('/') : findXmlText(code, 'Prtry', 'Cd');
};

function findKind(entry: XmlElement, detail: XmlElement | undefined, cents: Cents): BankLineKind {
  const [domain, family, sub] = (readBankCode(entry) ?? '').split('/');
  if (sub === 'CHRG' || sub === 'COMM' || sub === 'FEES') return 'fee';
  if (sub === 'INTR') return 'interest';
  const returned =
    findXmlElement(detail, 'RtrInf') !== undefined ||
    sub === 'RRTN' ||
    sub === 'UPDD' ||
    sub === 'PRDD' ||
    sub === 'RPCR';
  if (returned && cents < 0) return 'chargeback';
  return domain === 'PMNT' && (family === 'CCRD' || family === 'MCRD') && sub === 'CHBK'
    ? 'chargeback'
    : 'entry';
}

function findForeignAmount(element: XmlElement, currency: string | null, cents: Cents): ForeignAmount | null {
  const details =
    findXmlElement(element, 'AmtDtls') ?? findXmlElement(element, 'NtryDtls', 'TxDtls', 'AmtDtls');
  for (const path of [['InstdAmt'], ['TxAmt'], ['CntrValAmt']] as const) {
    const amount = findXmlElement(details, ...path, 'Amt');
    const unit = parseCurrencyCode(amount?.attributes['Ccy'] ?? '');
    if (amount === undefined || unit === null || unit === currency) continue;
    const parsed = readCamtAmount(amount, cents < 0 ? 'DBIT' : 'CRDT', unit);
    if ('reason' in parsed) continue;
    const rate = findFirstXmlText(
      details,
      [...path, 'CcyXchg', 'XchgRate'],
      ['InstdAmt', 'CcyXchg', 'XchgRate'],
      ['TxAmt', 'CcyXchg', 'XchgRate'],
    );
    return { amount_in_cents: parsed.cents, currency: unit, rate };
  }
  return null;
}

/** Returns the text of a CAMT entry for display with a problem. */
function formatEntry(element: XmlElement): string {
  const texts: string[] = [];
  const walk = ({ name, text, children }: XmlElement) => {
    if (texts.length > 60) return;
    if (children.length === 0) texts.push(`${name} ${text.trim()}`);
    for (const child of children) walk(child);
  };
  walk(element);
  return texts.join(', ');
}
