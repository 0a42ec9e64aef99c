import { type CalendarDate, toDayNumber } from '../../ledger/index.ts';
import type { MatchPayment } from '../model/match-types.ts';
import { IntColumn, NumberColumn, NumberIndex, TextColumn, type TextNumbering } from './columns.ts';
import { HASH_SEED, hashText52, mixHash, normalizeCode, parseNumber } from './text-runs.ts';

/** Kinds of ids by which a bank line may name a payment, strongest evidence first. */
export const idKinds = ['gateway', 'transaction', 'payment', 'statement', 'subscription', 'payout'] as const;
export const GATEWAY_ID = 0;
export const TRANSACTION_ID = 1;
export const PAYMENT_ID = 2;
export const STATEMENT_ID = 3;
export const SUBSCRIPTION_ID = 4;
export const PAYOUT_ID = 5;

export const PAYMENT_ROW = 0;
export const REFUND_ROW = 1;
/** Row type of a payout. Payouts are stored among the payments, so that their deposits are matched like payments. */
export const PAYOUT_ROW = 2;

/** Maximum number of payments per id. Test gateways use one id for all payments. Chosen by judgment. */
const MAX_PAYMENTS_PER_ID = 40;
/** Maximum number of payments searched for a line that names a subscription. Chosen by judgment. */
const MAX_PAYMENTS_PER_SUBSCRIPTION = 400;
const BLOOM_FILTER_BITS = 1 << 22;

/** Converts date texts to day numbers and parses each one only once. Throws RangeError for an invalid date. */
export class DayNumberCache {
  readonly #dayNumbers = new Map<CalendarDate, number>();

  toDayNumber(date: CalendarDate): number {
    const knownDay = this.#dayNumbers.get(date);
    if (knownDay !== undefined) return knownDay;
    const day = toDayNumber(date);
    if (day === null) throw new RangeError(`${date} is not a date`);
    this.#dayNumbers.set(date, day);
    return day;
  }
}

/** Payments stored in columns, with indexes by their ids. */
export class PaymentTable {
  readonly id: NumberColumn;
  readonly rowType: IntColumn;
  readonly day: IntColumn;
  readonly currency: IntColumn;
  readonly amountCents: NumberColumn;
  readonly openCents: NumberColumn;
  readonly statementId: NumberColumn;
  readonly paymentId: NumberColumn;
  readonly subscriptionId: NumberColumn;
  /** Per payment: the gateway's id, or a payout's own id. */
  readonly gatewayId: TextColumn;
  /** Per payment: customer number from `CustomerNames`, or -1 if there is none. */
  readonly customer: IntColumn;

  readonly #recordIds: NumberIndex;
  readonly #gatewayNumbers = new NumberIndex();
  readonly #subscriptions: NumberIndex;
  readonly #gatewayCodes: NumberIndex;
  readonly #numberIndexes: readonly (readonly [NumberIndex, number])[];
  /** Bloom filter of code hashes. A text is compared only if its hash may be present. */
  readonly #codeBloomFilter = new Uint8Array(BLOOM_FILTER_BITS >> 3);
  longestCode = 0;
  shortestCode = Number.POSITIVE_INFINITY;

  constructor(expected?: number) {
    const numbers = () => new NumberColumn(expected);
    const ints = () => new IntColumn(expected);
    [this.id, this.amountCents, this.openCents] = [numbers(), numbers(), numbers()];
    [this.statementId, this.paymentId, this.subscriptionId] = [numbers(), numbers(), numbers()];
    [this.rowType, this.day, this.currency, this.customer] = [ints(), ints(), ints(), ints()];
    this.gatewayId = new TextColumn(expected);
    this.#recordIds = new NumberIndex(expected === undefined ? undefined : expected * 2);
    this.#subscriptions = new NumberIndex();
    this.#gatewayCodes = new NumberIndex(expected);
    this.#numberIndexes = [
      [this.#gatewayNumbers, MAX_PAYMENTS_PER_ID],
      [this.#recordIds, MAX_PAYMENTS_PER_ID],
      [this.#subscriptions, MAX_PAYMENTS_PER_SUBSCRIPTION],
    ];
  }

  add(
    payment: MatchPayment,
    { day, currency, customer }: { day: number; currency: number; customer: number },
    claimed: number,
  ): number {
    if (this.findRow(payment.id) !== -1) throw new RangeError(`payment ${payment.id} occurs twice`);
    const row = this.#addRow(payment.id, payment.kind === 'refund' ? REFUND_ROW : PAYMENT_ROW, day, currency);
    this.amountCents.push(payment.amount_in_cents);
    this.openCents.push(payment.amount_in_cents - claimed);
    this.statementId.push(payment.statement_id);
    this.paymentId.push(payment.payment_id ?? -1);
    this.subscriptionId.push(payment.subscription_id ?? -1);
    this.gatewayId.push(payment.gateway_transaction_id);
    this.customer.push(customer);
    addToIndex(this.#recordIds, payment.id, row, TRANSACTION_ID);
    if (payment.payment_id !== payment.id) addToIndex(this.#recordIds, payment.payment_id, row, PAYMENT_ID);
    addToIndex(this.#recordIds, payment.statement_id, row, STATEMENT_ID);
    addToIndex(this.#subscriptions, payment.subscription_id, row, SUBSCRIPTION_ID);
    this.#addCode(payment.gateway_transaction_id ?? '', row);
    return row;
  }

  addPayout(id: string, payout: Record<'day' | 'currency' | 'amountCents' | 'openCents', number>): number {
    const row = this.#addRow(-1, PAYOUT_ROW, payout.day, payout.currency);
    this.amountCents.push(payout.amountCents);
    this.openCents.push(payout.openCents);
    for (const column of [this.statementId, this.paymentId, this.subscriptionId]) column.push(-1);
    this.gatewayId.push(id);
    this.customer.push(-1);
    return row;
  }

  /** Returns the row of a payment; -1 if the id is unknown. */
  findRow(id: number): number {
    for (
      let link = this.#recordIds.findFirstLink(id);
      link !== -1;
      link = this.#recordIds.getNextLink(link)
    ) {
      const entry = this.#recordIds.getRow(link);
      if ((entry & 7) === TRANSACTION_ID) return entry >>> 3;
    }
    return -1;
  }

  get length(): number {
    return this.id.length;
  }

  /** Calls `onPayment` for each payment with the number as an id. Returns false if there are none or too many. */
  forEachWithNumber(number: number, onPayment: (row: number, kind: number) => void): boolean {
    let hasPayment = false;
    for (const [index, maxPayments] of this.#numberIndexes) {
      let links = 0;
      const first = index.findFirstLink(number);
      for (let link = first; link !== -1 && links <= maxPayments; link = index.getNextLink(link)) links++;
      if (links === 0 || links > maxPayments) continue;
      hasPayment = true;
      for (let link = first; link !== -1; link = index.getNextLink(link)) {
        const entry = index.getRow(link);
        onPayment(entry >>> 3, entry & 7);
      }
    }
    return hasPayment;
  }

  mayContainCode(hash: number): boolean {
    const bit = (hash ^ (hash >>> 13)) & (BLOOM_FILTER_BITS - 1);
    return ((this.#codeBloomFilter[bit >> 3] as number) & (1 << (bit & 7))) !== 0;
  }

  /** Calls `onPayment` for each payment with the gateway code. Returns false if there are none or too many. */
  forEachWithCode(code: string, onPayment: (row: number) => void): boolean {
    const first = this.#gatewayCodes.findFirstLink(hashText52(code));
    let links = 0;
    for (
      let link = first;
      link !== -1 && links <= MAX_PAYMENTS_PER_ID;
      link = this.#gatewayCodes.getNextLink(link)
    )
      links++;
    if (links > MAX_PAYMENTS_PER_ID) return false;
    let hasPayment = false;
    for (let link = first; link !== -1; link = this.#gatewayCodes.getNextLink(link)) {
      const row = this.#gatewayCodes.getRow(link);
      if (normalizeCode(this.gatewayId.at(row)) !== code) continue;
      hasPayment = true;
      onPayment(row);
    }
    return hasPayment;
  }

  #addRow(id: number, rowType: number, day: number, currency: number): number {
    this.rowType.push(rowType);
    this.day.push(day);
    this.currency.push(currency);
    return this.id.push(id);
  }

  #addCode(text: string, row: number): void {
    const code = normalizeCode(text);
    if (!/[a-z]/.test(code)) addToIndex(this.#gatewayNumbers, parseNumber(text), row, GATEWAY_ID);
    if (code.length < 4) return;
    this.#gatewayCodes.add(hashText52(code), row);
    let hash = HASH_SEED;
    for (let at = 0; at < code.length; at++) hash = mixHash(hash, code.charCodeAt(at));
    const bit = (hash ^ (hash >>> 13)) & (BLOOM_FILTER_BITS - 1);
    this.#codeBloomFilter[bit >> 3] = (this.#codeBloomFilter[bit >> 3] as number) | (1 << (bit & 7));
    this.longestCode = Math.max(this.longestCode, code.length);
    this.shortestCode = Math.min(this.shortestCode, code.length);
  }
}

function addToIndex(index: NumberIndex, number: number | null, row: number, kind: number): void {
  if (number !== null && number > 0) index.add(number, row * 8 + kind);
}

/** Returns the number of a currency. All columns share these numbers. */
export const toCurrencyIndex = (names: TextNumbering, code: string): number =>
  names.assignNumber(code.toUpperCase());
