import { catalogComponents, computeTax } from './catalog.ts';
import type { BillingPeriod, ProrationSchemes, SimulatedSubscriber } from './site-parameters.ts';
import type { SubscriptionLedger, Transaction, TransactionSubject } from './subscription-ledger.ts';

/** A requested quantity. `component` is an index in the catalog. */
export interface QuantityChange {
  readonly component: number;
  readonly quantity: number;
  readonly memo: string | null;
}

type TransactionDetails = Pick<Transaction, 'amount'> &
  Partial<Pick<Transaction, 'component' | 'quantity' | 'previous' | 'from' | 'to' | 'success'>>;

/** Records charges, payments and refunds of a subscription in its ledger. */
export class SubscriptionBilling {
  readonly #subscriber: SimulatedSubscriber;
  readonly #ledger: SubscriptionLedger;

  constructor(subscriber: SimulatedSubscriber, ledger: SubscriptionLedger) {
    this.#subscriber = subscriber;
    this.#ledger = ledger;
  }

  /** Charges a billing period in advance: product, components, coupon and tax. */
  bill(at: number, { start: from, end: to }: BillingPeriod, quantities: readonly number[]): void {
    const { product, coupon, region } = this.#subscriber;
    const period = { from, to };
    let taxable = product.price;
    this.charge(at, 'baseline', 'product', { amount: product.price, ...period });
    for (const [component, quantity] of quantities.entries()) {
      const item = catalogComponents[component];
      if (!item || quantity * item.price === 0) continue;
      taxable += quantity * item.price;
      const amount = quantity * item.price;
      this.charge(at, item.kind, 'component', { amount, component, quantity, ...period });
    }
    if (coupon) {
      const discount = Math.round((product.price * coupon.percent) / 100);
      taxable -= discount;
      this.#post(at, { type: 'adjustment', kind: 'coupon', subject: 'coupon', amount: -discount, ...period });
    }
    const tax = computeTax(taxable, region);
    if (tax > 0) this.charge(at, 'tax', 'tax', { amount: tax, ...period });
  }

  /** Adds the prorated charge or credit that the scheme requires for a quantity change. Returns the charges. */
  prorate(
    at: number,
    change: QuantityChange & { previous: number },
    period: BillingPeriod,
    schemes: ProrationSchemes,
  ): Transaction[] {
    const item = catalogComponents[change.component];
    if (!item) return [];
    const difference = (change.quantity - change.previous) * item.price;
    const scheme = difference > 0 ? schemes.upgrade : schemes.downgrade;
    const left = Math.min(Math.max(period.end - at, 0), period.end - period.start);
    const amount = Math.round((Math.abs(difference) * left) / (period.end - period.start));
    if (scheme === 'no-prorate' || amount === 0) return [];
    const { component, quantity, previous } = change;
    const details = { component, quantity, previous, from: at, to: period.end };
    const tax = computeTax(amount, this.#subscriber.region);
    if (difference < 0) {
      this.#post(at, { type: 'credit', kind: item.kind, subject: 'prorated', amount: -amount, ...details });
      if (tax > 0) this.#post(at, { type: 'credit', kind: 'tax', subject: 'tax', amount: -tax, ...details });
      return [];
    }
    const charges = [this.charge(at, item.kind, 'prorated', { amount, ...details })];
    if (tax > 0) charges.push(this.charge(at, 'tax', 'tax', { amount: tax, ...details }));
    return charges;
  }

  charge(at: number, kind: string, subject: TransactionSubject, details: TransactionDetails): Transaction {
    return this.#post(at, { type: 'charge', kind, subject, ...details });
  }

  /** Records an attempt to charge the card. A failed attempt does not affect the balance. */
  pay(at: number, amount: number, success: boolean, subject: TransactionSubject): Transaction {
    const kind = subject === 'capture' ? 'component_proration' : null;
    return this.#post(at, { type: 'payment', kind, subject, amount, success });
  }

  /** Refunds the last payment, up to the price of a month. Returns null if nothing can be refunded. */
  refund(at: number): Transaction | null {
    const payment = this.#ledger.statements
      .flatMap((statement) => statement.transactions)
      .findLast((transaction) => transaction.type === 'payment' && transaction.success);
    if (!payment || payment.refund) return null;
    const amount = Math.min(payment.amount, this.#subscriber.product.price);
    const refund = this.#post(at, { type: 'refund', kind: 'manual', subject: 'refund', amount });
    refund.payment = payment;
    payment.refund = refund;
    return refund;
  }

  #post(
    at: number,
    transaction: TransactionDetails & Pick<Transaction, 'type' | 'kind' | 'subject'>,
  ): Transaction {
    return this.#ledger.post({ ...DEFAULT_DETAILS, at, ...transaction });
  }
}

const DEFAULT_DETAILS = { component: -1, quantity: 0, previous: 0, from: 0, to: 0, success: true };
