import { components, taxOn } from './catalog.ts';
import type { Ledger, Subject, Transaction } from './ledger.ts';
import type { Period, Schemes, Subscriber } from './plan.ts';

/** A quantity that is to be put into effect. `component` is its place in the catalog. */
export interface Change {
  readonly component: number;
  readonly quantity: number;
  readonly memo: string | null;
}

type About = Partial<Pick<Transaction, 'component' | 'quantity' | 'previous' | 'from' | 'to' | 'success'>>;

/** Writes the money of a subscription into its ledger: what each thing costs, and what is paid. */
export class Billing {
  readonly #subscriber: Subscriber;
  readonly #ledger: Ledger;

  constructor(subscriber: Subscriber, ledger: Ledger) {
    this.#subscriber = subscriber;
    this.#ledger = ledger;
  }

  /** The charges of a period, in advance: product, components, coupon, tax. */
  bill(at: number, { start: from, end: to }: Period, quantities: readonly number[]): void {
    const { product, coupon, region } = this.#subscriber;
    const span = { from, to };
    let taxable = product.price;
    this.charge(at, 'baseline', 'product', product.price, span);
    for (const [component, quantity] of quantities.entries()) {
      const sold = components[component];
      if (!sold || quantity * sold.price === 0) continue;
      taxable += quantity * sold.price;
      this.charge(at, sold.kind, 'component', quantity * sold.price, { component, quantity, ...span });
    }
    if (coupon) {
      const off = Math.round((product.price * coupon.percent) / 100);
      taxable -= off;
      this.#post(at, 'adjustment', 'coupon', 'coupon', -off, span);
    }
    const tax = taxOn(taxable, region);
    if (tax > 0) this.charge(at, 'tax', 'tax', tax, span);
  }

  /** Adds the charge or credit of one change for what is left of the period, if its scheme says so; returns the charges. */
  prorate(at: number, change: Change, previous: number, period: Period, schemes: Schemes): Transaction[] {
    const sold = components[change.component];
    if (!sold) return [];
    const difference = (change.quantity - previous) * sold.price;
    const scheme = difference > 0 ? schemes.upgrade : schemes.downgrade;
    const left = Math.min(Math.max(period.end - at, 0), period.end - period.start);
    const amount = Math.round((Math.abs(difference) * left) / (period.end - period.start));
    if (scheme === 'no-prorate' || amount === 0) return [];
    const { component, quantity } = change;
    const about = { component, quantity, previous, from: at, to: period.end };
    const tax = taxOn(amount, this.#subscriber.region);
    if (difference < 0) {
      this.#post(at, 'credit', sold.kind, 'prorated', -amount, about);
      if (tax > 0) this.#post(at, 'credit', 'tax', 'tax', -tax, about);
      return [];
    }
    const charges = [this.charge(at, sold.kind, 'prorated', amount, about)];
    if (tax > 0) charges.push(this.charge(at, 'tax', 'tax', tax, about));
    return charges;
  }

  charge(at: number, kind: string, subject: Subject, amount: number, about: About = {}): Transaction {
    return this.#post(at, 'charge', kind, subject, amount, about);
  }

  /** An attempt to take money from the card; one that fails moves no balance. */
  pay(at: number, amount: number, success: boolean, subject: Subject): Transaction {
    return this.#post(at, 'payment', subject === 'capture' ? 'component_proration' : null, subject, amount, {
      success,
    });
  }

  /** Gives back up to a month's price of the last payment; null where there is none to give back. */
  refund(at: number): Transaction | null {
    const payment = this.#ledger.statements
      .flatMap((statement) => statement.transactions)
      .findLast((transaction) => transaction.type === 'payment' && transaction.success);
    if (!payment || payment.refund) return null;
    const amount = Math.min(payment.amount, this.#subscriber.product.price);
    const refund = this.#post(at, 'refund', 'manual', 'refund', amount, {});
    refund.payment = payment;
    payment.refund = refund;
    return refund;
  }

  #post(
    at: number,
    type: Transaction['type'],
    kind: string | null,
    subject: Subject,
    amount: number,
    about: About,
  ): Transaction {
    const { component = -1, quantity = 0, previous = 0, from = 0, to = 0, success = true } = about;
    const entry = { at, type, kind, subject, amount, success, component, quantity, previous, from, to };
    return this.#ledger.post(entry);
  }
}
