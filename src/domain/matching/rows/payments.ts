import { type CalendarDate, dayNumber } from '../../ledger/index.ts';
import type { MatchPayment } from '../model.ts';
import { Ints, type Names, NumberIndex, Numbers, Texts } from './column.ts';
import { codeOf, HASH_SEED, mixed, numberOf, wideHash } from './text.ts';

/** By what a line names a payment, the strongest first. */
export const idKinds = ['gateway', 'transaction', 'payment', 'statement', 'subscription', 'payout'] as const;
export const GATEWAY = 0;
export const TRANSACTION = 1;
const PAYMENT = 2;
export const STATEMENT = 3;
export const SUBSCRIPTION = 4;
export const PAYOUT = 5;

export const OF_PAYMENT = 0;
export const OF_REFUND = 1;
/** A batch of a processor stands among the payments: what it pays out is looked for at the bank as a payment is. */
export const OF_PAYOUT = 2;

/** An id that so many payments share is no id of theirs: test gateways answer all alike. */
const TOO_COMMON = 40;
/** A subscription with more payments than that is not looked through for each line that names it. */
const TOO_MANY = 400;
const BITS = 1 << 22;

/** Days of dates, each text read once. RangeError for what is no date. */
export class Days {
  readonly #known = new Map<CalendarDate, number>();

  of(date: CalendarDate): number {
    const known = this.#known.get(date);
    if (known !== undefined) return known;
    const day = dayNumber(date);
    if (day === null) throw new RangeError(`${date} is not a date`);
    this.#known.set(date, day);
    return day;
  }
}

/** Payments in columns, and what finds them by their ids. */
export class Payments {
  readonly id: Numbers;
  readonly sort: Ints;
  readonly day: Ints;
  readonly currency: Ints;
  /** The whole amount, and what no decision has claimed of it. */
  readonly amount: Numbers;
  readonly open: Numbers;
  readonly statement: Numbers;
  readonly payment: Numbers;
  readonly subscription: Numbers;
  /** The gateway’s id; of a batch, the batch’s own. */
  readonly gateway: Texts;
  /** The customer, by the number that `Payees` gave; -1: none. */
  readonly payer: Ints;

  readonly #numbers: NumberIndex;
  readonly #gateways = new NumberIndex();
  readonly #subscriptions: NumberIndex;
  readonly #codes: NumberIndex;
  readonly #byKind: readonly (readonly [NumberIndex, number])[];
  /** Which hashes codes have: a text is compared only where its hash is among them. */
  readonly #bits = new Uint8Array(BITS >> 3);
  longestCode = 0;
  shortestCode = Number.POSITIVE_INFINITY;

  constructor(expected?: number) {
    const numbers = () => new Numbers(expected);
    const ints = () => new Ints(expected);
    [this.id, this.amount, this.open] = [numbers(), numbers(), numbers()];
    [this.statement, this.payment, this.subscription] = [numbers(), numbers(), numbers()];
    [this.sort, this.day, this.currency, this.payer] = [ints(), ints(), ints(), ints()];
    this.gateway = new Texts(expected);
    this.#numbers = new NumberIndex(expected === undefined ? undefined : expected * 2);
    this.#subscriptions = new NumberIndex();
    this.#codes = new NumberIndex(expected);
    this.#byKind = [
      [this.#gateways, TOO_COMMON],
      [this.#numbers, TOO_COMMON],
      [this.#subscriptions, TOO_MANY],
    ];
  }

  add(
    payment: MatchPayment,
    { day, currency, payer }: { day: number; currency: number; payer: number },
    claimed: number,
  ): number {
    if (this.rowOf(payment.id) !== -1) throw new RangeError(`payment ${payment.id} is there twice`);
    const row = this.#row(payment.id, payment.kind === 'refund' ? OF_REFUND : OF_PAYMENT, day, currency);
    this.amount.push(payment.amount_in_cents);
    this.open.push(payment.amount_in_cents - claimed);
    this.statement.push(payment.statement_id);
    this.payment.push(payment.payment_id ?? -1);
    this.subscription.push(payment.subscription_id ?? -1);
    this.gateway.push(payment.gateway_transaction_id);
    this.payer.push(payer);
    add(this.#numbers, payment.id, row, TRANSACTION);
    if (payment.payment_id !== payment.id) add(this.#numbers, payment.payment_id, row, PAYMENT);
    add(this.#numbers, payment.statement_id, row, STATEMENT);
    add(this.#subscriptions, payment.subscription_id, row, SUBSCRIPTION);
    this.#code(payment.gateway_transaction_id ?? '', row);
    return row;
  }

  addPayout(code: string, day: number, currency: number, amount: number, open: number): number {
    const row = this.#row(-1, OF_PAYOUT, day, currency);
    this.amount.push(amount);
    this.open.push(open);
    for (const column of [this.statement, this.payment, this.subscription]) column.push(-1);
    this.gateway.push(code);
    this.payer.push(-1);
    return row;
  }

  /** The row of a payment; -1 where there is none. */
  rowOf(id: number): number {
    for (let link = this.#numbers.first(id); link !== -1; link = this.#numbers.next(link)) {
      const entry = this.#numbers.row(link);
      if ((entry & 7) === TRANSACTION) return entry >>> 3;
    }
    return -1;
  }

  get length(): number {
    return this.id.length;
  }

  /** Calls for each payment with that number, as what it has it; false where there is none, or so many that it names none. */
  byNumber(number: number, found: (row: number, kind: number) => void): boolean {
    let any = false;
    for (const [index, most] of this.#byKind) {
      let links = 0;
      const first = index.first(number);
      for (let link = first; link !== -1 && links <= most; link = index.next(link)) links++;
      if (links === 0 || links > most) continue;
      any = true;
      for (let link = first; link !== -1; link = index.next(link)) {
        const entry = index.row(link);
        found(entry >>> 3, entry & 7);
      }
    }
    return any;
  }

  /** Whether a code could be there, by its hash. */
  mayHave(hash: number): boolean {
    const bit = (hash ^ (hash >>> 13)) & (BITS - 1);
    return ((this.#bits[bit >> 3] as number) & (1 << (bit & 7))) !== 0;
  }

  /** Calls for each payment with that gateway’s code; false where there is none, or so many that it names none. */
  byCode(code: string, found: (row: number) => void): boolean {
    const first = this.#codes.first(wideHash(code));
    let links = 0;
    for (let link = first; link !== -1 && links <= TOO_COMMON; link = this.#codes.next(link)) links++;
    if (links > TOO_COMMON) return false;
    let any = false;
    for (let link = first; link !== -1; link = this.#codes.next(link)) {
      const row = this.#codes.row(link);
      if (codeOf(this.gateway.at(row)) !== code) continue;
      any = true;
      found(row);
    }
    return any;
  }

  #row(id: number, sort: number, day: number, currency: number): number {
    this.sort.push(sort);
    this.day.push(day);
    this.currency.push(currency);
    return this.id.push(id);
  }

  #code(text: string, row: number): void {
    const code = codeOf(text);
    if (!/[a-z]/.test(code)) add(this.#gateways, numberOf(text), row, GATEWAY);
    if (code.length < 4) return;
    this.#codes.add(wideHash(code), row);
    let hash = HASH_SEED;
    for (let at = 0; at < code.length; at++) hash = mixed(hash, code.charCodeAt(at));
    const bit = (hash ^ (hash >>> 13)) & (BITS - 1);
    this.#bits[bit >> 3] = (this.#bits[bit >> 3] as number) | (1 << (bit & 7));
    this.longestCode = Math.max(this.longestCode, code.length);
    this.shortestCode = Math.min(this.shortestCode, code.length);
  }
}

function add(index: NumberIndex, number: number | null, row: number, kind: number): void {
  if (number !== null && number > 0) index.add(number, row * 8 + kind);
}

/** Currencies, words and the like, shared by all columns. */
export const currencyOf = (names: Names, code: string): number => names.number(code.toUpperCase());
