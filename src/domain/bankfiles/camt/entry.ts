import type { CalendarDate, Cents } from '../../ledger/index.ts';
import { type AmountReading, readAmount } from '../amount.ts';
import { type Collector, extraOf, joined, type StatementDraft } from '../collector.ts';
import { currencyCode } from '../currency.ts';
import { readDate } from '../date-text.ts';
import type { ForeignAmount } from '../file.ts';
import { inCurrency } from '../finish.ts';
import type { LineKind } from '../line-kind.ts';
import { all, type Element, find, firstText, textAt } from './tree.ts';

/** Totals of the entries read, to compare with the statement's own summary. */
interface Seen {
  count: number;
  credits: Cents;
  debits: Cents;
  /** True if an entry could not be read, so that totals prove nothing. */
  unread: boolean;
}

/** Returns an amount element in minor units with the sign given by CdtDbtInd. */
export function amountIn(
  amount: Element | undefined,
  indicator: string | null,
  currency: string | null,
): AmountReading {
  if (amount === undefined) return { reason: 'has no amount' };
  if (indicator !== 'CRDT' && indicator !== 'DBIT')
    return { reason: 'says neither credit nor debit (CdtDbtInd)' };
  const unit = currencyCode(amount.attributes['Ccy'] ?? '') ?? currency;
  const reading = readAmount(amount.text, '.', unit);
  if ('reason' in reading)
    return { reason: `has the amount “${amount.text.trim().slice(0, 40)}”, which ${reading.reason}` };
  return { cents: indicator === 'DBIT' ? 0 - reading.cents : reading.cents, currency: unit };
}

/** Returns the date of an element from its Dt, its DtTm or its own text. */
export function dateIn(element: Element | undefined, name: string): CalendarDate | null {
  const date = find(element, name);
  const text = firstText(date, ['Dt'], ['DtTm']) ?? date?.text.trim() ?? '';
  return readDate(text.slice(0, 10), 'ymd');
}

/** Reads the entries of a statement. */
export class EntryReader {
  seen: Seen = { count: 0, credits: 0, debits: 0, unread: false };
  currency: string | null = null;
  readonly #file: Collector;
  #statement = -1;

  constructor(file: Collector) {
    this.#file = file;
  }

  /** Sets the statement's currency as soon as it is known. */
  begin(currency: string | null): void {
    this.currency = currency;
    const statement = this.#file.statements.length;
    if (statement === this.#statement) return;
    this.#statement = statement;
    this.seen = { count: 0, credits: 0, debits: 0, unread: false };
  }

  read(entry: Element, statement: StatementDraft): void {
    this.seen.count++;
    const place = `line ${entry.line}`;
    const raw = rawOf(entry);
    const amount = amountIn(
      find(entry, 'Amt'),
      textAt(entry, 'CdtDbtInd'),
      statement.currency ?? this.currency,
    );
    const status = firstText(entry, ['Sts', 'Cd'], ['Sts', 'Prtry'], ['Sts']) ?? 'BOOK';
    if (status !== 'BOOK') {
      this.seen.unread = true;
      const meaning =
        status === 'PDNG'
          ? 'pending'
          : status === 'INFO'
            ? 'for information'
            : `of status ${status.slice(0, 20)}`;
      this.#file.problem(
        'skipped',
        place,
        `It is ${meaning}; the bank has not booked it.`,
        raw,
        ++this.#file.rows,
      );
      return;
    }
    const value_on = dateIn(entry, 'ValDt');
    const booked_on =
      dateIn(entry, 'BookgDt') ?? value_on ?? (find(entry, 'BookgDt') === undefined ? statement.to : null);
    if ('reason' in amount || booked_on === null) {
      this.seen.unread = true;
      const reason = 'reason' in amount ? `It ${amount.reason}.` : 'It has no booking date that can be read.';
      this.#file.problem('failed', place, reason, raw, ++this.#file.rows);
      return;
    }
    if (amount.cents > 0) this.seen.credits += amount.cents;
    else this.seen.debits -= amount.cents;
    this.#give({ entry, booked_on, value_on, cents: amount.cents, currency: amount.currency, place, raw });
  }

  #give(one: Booked): void {
    const { entry, cents, place, raw } = one;
    const details = all(entry, 'NtryDtls').flatMap((part) => all(part, 'TxDtls'));
    const shares = details.length > 1 ? sharesOf(details, one) : null;
    if (shares === null) {
      const row = ++this.#file.rows;
      this.#line(row, one, details, cents, place);
      if (details.length > 1) {
        const sum = `The amounts of its ${details.length} details do not add up to ${inCurrency(cents, one.currency)}`;
        this.#file.problem('doubtful', place, `${sum}: it was kept as one line.`, raw, row);
      }
      return;
    }
    details.forEach((detail, at) => {
      this.#line(++this.#file.rows, one, [detail], shares[at] as Cents, `line ${detail.line}`);
    });
    const rest = cents - shares.reduce((sum, share) => sum + share, 0);
    if (rest !== 0) this.#charges(one, rest);
  }

  /** Adds the bank's charges of a batch as a line of its own. */
  #charges({ entry, booked_on, value_on, currency, place }: Booked, amount_in_cents: Cents): void {
    this.#file.line({
      row: ++this.#file.rows,
      place,
      booked_on,
      value_on,
      amount_in_cents,
      currency,
      description: joined(['Charges', textAt(entry, 'AddtlNtryInf')]),
      bank_id: textAt(entry, 'AcctSvcrRef'),
      kind: 'fee',
    });
  }

  #line(row: number, one: Booked, details: readonly Element[], cents: Cents, place: string): void {
    const { entry, booked_on, value_on, currency } = one;
    const [detail] = details;
    const endToEnd = given(textAt(detail, 'Refs', 'EndToEndId'));
    const structured = details.flatMap((each) =>
      all(find(each, 'RmtInf'), 'Strd').map((part) => textAt(part, 'CdtrRefInf', 'Ref')),
    );
    const remittance = details.flatMap((each) => all(find(each, 'RmtInf'), 'Ustrd').map(({ text }) => text));
    const batch = find(entry, 'NtryDtls', 'Btch');
    const description = joined([
      ...remittance,
      ...(endToEnd === null ? [] : structured),
      ...details.map((each) => textAt(each, 'AddtlTxInf')),
      textAt(entry, 'AddtlNtryInf'),
    ]);
    this.#file.line({
      row,
      place,
      booked_on,
      value_on,
      amount_in_cents: cents,
      currency,
      description: details.length > 1 ? description.slice(0, 2000) : description,
      reference:
        endToEnd ??
        structured.find((text) => text !== null) ??
        given(firstText(detail, ['Refs', 'InstrId'], ['Refs', 'MndtId'], ['Refs', 'ChqNb'])) ??
        given(textAt(entry, 'NtryRef')),
      counterparty: partyOf(detail, cents),
      bank_id:
        given(firstText(detail, ['Refs', 'AcctSvcrRef'], ['Refs', 'TxId'])) ??
        given(textAt(entry, 'AcctSvcrRef')),
      kind: kindOf(entry, detail, cents),
      foreign: foreignOf(detail ?? entry, currency, cents),
      extra: extraOf([
        ['bank_code', bankCode(entry)],
        ['batch', firstText(batch, ['PmtInfId'], ['MsgId']) ?? firstText(detail, ['Refs', 'PmtInfId'])],
        ['mandate', textAt(detail, 'Refs', 'MndtId')],
        ['transaction', textAt(detail, 'Refs', 'TxId')],
        ['return_reason', firstText(detail, ['RtrInf', 'Rsn', 'Cd'], ['RtrInf', 'Rsn', 'Prtry'])],
        ['reversal', textAt(entry, 'RvslInd')],
        ['account', firstText(detail, ['RltdPties', cents < 0 ? 'CdtrAcct' : 'DbtrAcct', 'Id', 'IBAN'])],
      ]),
    });
  }
}

interface Booked {
  readonly entry: Element;
  readonly booked_on: CalendarDate;
  readonly value_on: CalendarDate | null;
  readonly cents: Cents;
  readonly currency: string | null;
  readonly place: string;
  readonly raw: string;
}

/**
 * Returns the amounts of a batch's details if they add up to the entry, or to the entry and its charges. Returns null
 * otherwise: some banks repeat the total in every detail, others leave amounts out.
 */
function sharesOf(details: readonly Element[], { entry, cents, currency }: Booked): Cents[] | null {
  const shares: Cents[] = [];
  for (const detail of details) {
    const indicator = textAt(detail, 'CdtDbtInd') ?? (cents < 0 ? 'DBIT' : 'CRDT');
    const amount =
      find(detail, 'Amt') ??
      find(detail, 'AmtDtls', 'TxAmt', 'Amt') ??
      find(detail, 'AmtDtls', 'InstdAmt', 'Amt');
    const reading = amountIn(amount, indicator, currency);
    if ('reason' in reading || reading.currency !== currency) return null;
    shares.push(reading.cents);
  }
  const rest = cents - shares.reduce((sum, share) => sum + share, 0);
  if (rest === 0) return shares;
  return Number.isSafeInteger(rest) && rest === -chargesOf([entry, ...details], currency) ? shares : null;
}

function chargesOf(elements: readonly Element[], currency: string | null): Cents {
  let sum = 0;
  for (const element of elements) {
    for (const charges of all(element, 'Chrgs')) {
      const records = all(charges, 'Rcrd');
      for (const record of records.length === 0 ? [charges] : records) {
        const amount = find(record, 'Amt') ?? find(record, 'TtlChrgsAndTaxAmt');
        const reading = amountIn(amount, textAt(record, 'CdtDbtInd') ?? 'DBIT', currency);
        if ('cents' in reading && reading.currency === currency) sum -= reading.cents;
      }
    }
  }
  return sum;
}

/** Texts that mean "no reference". */
const NONE = /^(?:not ?provided|nonref|none|n\/a)$/i;
const given = (text: string | null): string | null => (text === null || NONE.test(text) ? null : text);

function partyOf(detail: Element | undefined, cents: Cents): string | null {
  const parties = find(detail, 'RltdPties');
  const sides = cents < 0 ? ['Cdtr', 'UltmtCdtr'] : ['Dbtr', 'UltmtDbtr'];
  return firstText(
    parties,
    ...sides.flatMap((side) => [
      [side, 'Nm'],
      [side, 'Pty', 'Nm'],
    ]),
  );
}

const bankCode = (entry: Element): string | null => {
  const code = find(entry, 'BkTxCd');
  const parts = [
    ['Domn', 'Cd'],
    ['Domn', 'Fmly', 'Cd'],
    ['Domn', 'Fmly', 'SubFmlyCd'],
  ];
  const iso = parts.map((path) => textAt(code, ...path)).filter((part) => part !== null);
  return iso.length > 0 ? iso.join('/') : textAt(code, 'Prtry', 'Cd');
};

function kindOf(entry: Element, detail: Element | undefined, cents: Cents): LineKind {
  const [domain, family, sub] = (bankCode(entry) ?? '').split('/');
  if (sub === 'CHRG' || sub === 'COMM' || sub === 'FEES') return 'fee';
  if (sub === 'INTR') return 'interest';
  const returned =
    find(detail, 'RtrInf') !== undefined ||
    sub === 'RRTN' ||
    sub === 'UPDD' ||
    sub === 'PRDD' ||
    sub === 'RPCR';
  if (returned && cents < 0) return 'chargeback';
  return domain === 'PMNT' && (family === 'CCRD' || family === 'MCRD') && sub === 'CHBK'
    ? 'chargeback'
    : 'entry';
}

function foreignOf(element: Element, currency: string | null, cents: Cents): ForeignAmount | null {
  const details = find(element, 'AmtDtls') ?? find(element, 'NtryDtls', 'TxDtls', 'AmtDtls');
  for (const path of [['InstdAmt'], ['TxAmt'], ['CntrValAmt']] as const) {
    const amount = find(details, ...path, 'Amt');
    const unit = currencyCode(amount?.attributes['Ccy'] ?? '');
    if (amount === undefined || unit === null || unit === currency) continue;
    const reading = amountIn(amount, cents < 0 ? 'DBIT' : 'CRDT', unit);
    if ('reason' in reading) continue;
    const rate = firstText(
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
function rawOf(element: Element): string {
  const texts: string[] = [];
  const walk = ({ name, text, children }: Element) => {
    if (texts.length > 60) return;
    if (children.length === 0) texts.push(`${name} ${text.trim()}`);
    for (const child of children) walk(child);
  };
  walk(element);
  return texts.join(', ');
}
