import { addMonths, DAY } from '../zone.ts';
import { components, taxOn } from './catalog.ts';
import {
  type Allocation,
  Ledger,
  type Notice,
  type Snapshot,
  type State,
  type Statement,
  type StatementEvent,
  type Subject,
  type Transaction,
} from './ledger.ts';
import {
  type DowngradeScheme,
  endAfterDays,
  type Happening,
  happenings,
  renewalDeclined,
  retryDays,
  retryDeclined,
  type Shape,
  type Subscriber,
  subscriberOf,
  type UpgradeScheme,
} from './plan.ts';

export interface Change {
  readonly component: number;
  readonly quantity: number;
  readonly memo: string | null;
}

const NEVER = Number.POSITIVE_INFINITY;

/** One subscription from signup on: time moves it, and so do allocations made from outside. Everything it does is settled by the seed. */
export class Account {
  readonly subscriber: Subscriber;
  readonly ledger = new Ledger();
  readonly allocations: Allocation[] = [];
  readonly notices: Notice[] = [];
  readonly quantities: number[];
  state: State = 'active';
  periodStart: number;
  periodEnd: number;
  readonly #shape: Shape;
  #previousState: State = 'active';
  #period = 0;
  #agenda: Happening[] = [];
  #retryAt = NEVER;
  #retry = 0;
  /** Nothing is written at an earlier instant than this. */
  #time: number;

  constructor(shape: Shape, index: number) {
    this.#shape = shape;
    this.subscriber = subscriberOf(shape, index);
    this.quantities = [...this.subscriber.quantities];
    this.#time = this.subscriber.signup;
    this.periodStart = this.subscriber.signup;
    this.periodEnd = addMonths(this.subscriber.signup, 1);
    this.#signUp();
  }

  /** When it next does something of itself, or Infinity. */
  get due(): number {
    if (this.state === 'canceled') return NEVER;
    return Math.min(this.periodEnd, this.#retryAt, this.#agenda[0]?.at ?? NEVER);
  }

  /** Lets everything due by `to` happen, late work no earlier than `from`. */
  run(to: number, from = 0): void {
    for (let due = this.due; due <= to; due = this.due) {
      const at = Math.max(due, from, this.#time);
      this.#time = at;
      if (this.#agenda[0]?.at === due) this.#happen(this.#agenda.shift() as Happening, at);
      else if (this.#retryAt === due) this.#retryPayment(at);
      else this.#renew(at);
    }
  }

  /** Puts quantities into effect now, with the money their schemes ask for: all charges together are one payment. */
  allocate(
    at: number,
    changes: readonly Change[],
    upgrade: UpgradeScheme,
    downgrade: DowngradeScheme,
    declined: boolean,
  ): Allocation[] {
    this.#time = Math.max(at, this.#time);
    const now = this.#time;
    const within = this.state !== 'canceled';
    const charges: Transaction[] = [];
    const made = changes.map((change): Allocation => {
      const previous = this.quantities[change.component] as number;
      this.quantities[change.component] = change.quantity;
      if (within) charges.push(...this.#prorate(now, change, previous, upgrade, downgrade));
      return { ...change, previous, at: now, schemes: within ? { upgrade, downgrade } : null, payment: null };
    });
    this.allocations.push(...made);
    const total = charges.reduce((sum, charge) => sum + charge.amount, 0);
    const payable = Math.min(total, Math.max(this.ledger.balance, 0));
    const payment =
      upgrade === 'prorate-attempt-capture' && payable > 0
        ? this.#pay(now, payable, !declined, 'capture', 'component_proration')
        : null;
    if (payment?.success) this.ledger.paid(payment, charges);
    for (const allocation of made) allocation.payment = payment;
    const snapshot = this.#snapshot();
    for (const allocation of made) this.#tell(now, 'component_allocation_change', snapshot, { allocation });
    if (payment) this.#tellPayment(now, payment, snapshot);
    this.#announceSettled(now, snapshot);
    return made;
  }

  #signUp(): void {
    const at = this.#time;
    this.ledger.open(at);
    this.#bill(at, this.periodStart, this.periodEnd);
    this.quantities.forEach((quantity, component) => {
      if (quantity > 0)
        this.allocations.push({
          component,
          quantity,
          previous: 0,
          memo: null,
          at,
          schemes: null,
          payment: null,
        });
    });
    const payment = this.#pay(at + 1, this.ledger.balance, true, 'signup', null);
    this.ledger.paid(payment, 'everything');
    const statement = this.ledger.current;
    const snapshot = this.#snapshot();
    this.#tell(at + 2, 'signup_success', snapshot, {});
    this.#tellPayment(at + 2, payment, snapshot);
    this.#turnStatement(at + 3, snapshot, statement);
    this.#agenda = happenings(
      this.#shape,
      this.subscriber.index,
      this.#period,
      this.periodStart,
      this.periodEnd,
    );
  }

  #renew(at: number): void {
    this.#period++;
    if (this.#period >= this.subscriber.periods) {
      this.#end(at);
      return;
    }
    this.periodStart = this.periodEnd;
    this.periodEnd = addMonths(this.subscriber.signup, this.#period + 1);
    this.#bill(at, this.periodStart, this.periodEnd);
    const owed = this.ledger.balance;
    const accepted = owed <= 0 || !renewalDeclined(this.#shape, this.subscriber.index, this.#period);
    const payment = owed > 0 ? this.#pay(at + 2, owed, accepted, 'renewal', null) : null;
    if (payment?.success) this.ledger.paid(payment, 'everything');
    const before = this.state;
    if (before !== (accepted ? 'active' : 'past_due')) this.#become(accepted ? 'active' : 'past_due');
    this.#retryAt = accepted ? NEVER : at + retryDays[0] * DAY;
    this.#retry = 0;
    const snapshot = this.#snapshot();
    const statement = this.ledger.current;
    this.#tell(at + 3, accepted ? 'renewal_success' : 'renewal_failure', snapshot, {});
    if (payment) this.#tellPayment(at + 3, payment, snapshot);
    if (before !== this.state) {
      this.#tell(at + 3, 'subscription_state_change', snapshot, { states: [before, this.state] });
    }
    this.#turnStatement(at + 4, snapshot, statement);
    this.#agenda = happenings(
      this.#shape,
      this.subscriber.index,
      this.#period,
      this.periodStart,
      this.periodEnd,
    );
  }

  #retryPayment(at: number): void {
    if (this.ledger.due === 0) {
      this.#recover(at, null);
      return;
    }
    if (this.#retry >= retryDays.length) {
      this.#end(at);
      return;
    }
    const declined = retryDeclined(this.#shape, this.subscriber.index, this.#period, this.#retry);
    const payment = this.#pay(at, this.ledger.due, !declined, 'retry', null);
    if (!declined) {
      this.ledger.paid(payment, 'due');
      this.#recover(at, payment);
      return;
    }
    this.#tellPayment(at + 1, payment, this.#snapshot());
    this.#retry++;
    const wait = (retryDays[this.#retry] ?? endAfterDays) - (retryDays[this.#retry - 1] as number);
    this.#retryAt = at + wait * DAY;
  }

  #recover(at: number, payment: Transaction | null): void {
    this.#retryAt = NEVER;
    this.#become('active');
    const snapshot = this.#snapshot();
    if (payment) this.#tellPayment(at + 1, payment, snapshot);
    this.#tell(at + 1, 'subscription_state_change', snapshot, { states: ['past_due', 'active'] });
    this.#announceSettled(at + 2, snapshot);
    this.#time = at + 2;
  }

  /** The subscription is over: its last statement closes as it stands. */
  #end(at: number): void {
    const before = this.state;
    this.#become('canceled');
    this.#retryAt = NEVER;
    const snapshot = this.#snapshot();
    this.#tell(at, 'subscription_state_change', snapshot, { states: [before, 'canceled'] });
    this.ledger.close(at + 1);
    this.#announceClosed(at + 2, snapshot, this.ledger.current);
    this.#time = at + 2;
  }

  #happen(happening: Happening, at: number): void {
    if (this.state === 'past_due') return;
    if (happening.does === 'charge') {
      this.#charge(at, 'one_time', 'one_time', happening.amount, {});
    } else if (happening.does === 'change') {
      const previous = this.quantities[happening.component] as number;
      const onOff = components[happening.component]?.kind === 'on_off_component';
      const quantity = onOff ? 1 - previous : Math.max(previous + happening.by, previous === 0 ? 1 : 0);
      const change = {
        component: happening.component,
        quantity,
        memo: happening.by % 2 ? 'Requested by the customer' : null,
      };
      this.allocate(at, [change], happening.upgrade, happening.downgrade, happening.declined);
    } else {
      this.#refund(at);
    }
  }

  #refund(at: number): void {
    const payment = this.ledger.statements
      .flatMap((statement) => statement.transactions)
      .findLast((transaction) => transaction.type === 'payment' && transaction.success);
    if (!payment || payment.refund) return;
    const amount = Math.min(payment.amount, this.subscriber.product.price);
    const refund = this.#post(at, 'refund', 'manual', 'refund', amount, {});
    refund.payment = payment;
    payment.refund = refund;
    this.#tell(at + 1, 'refund_success', this.#snapshot(), { transaction: refund });
  }

  /** The charges of a period, in advance: product, components, coupon, tax. */
  #bill(at: number, from: number, to: number): void {
    const { product, coupon, region } = this.subscriber;
    const span = { from, to };
    let taxable = product.price;
    this.#charge(at, 'baseline', 'product', product.price, span);
    this.quantities.forEach((quantity, component) => {
      const sold = components[component];
      if (!sold || quantity * sold.price === 0) return;
      taxable += quantity * sold.price;
      this.#charge(at, sold.kind, 'component', quantity * sold.price, { component, quantity, ...span });
    });
    if (coupon) {
      const off = Math.round((product.price * coupon.percent) / 100);
      taxable -= off;
      this.#post(at, 'adjustment', 'coupon', 'coupon', -off, span);
    }
    const tax = taxOn(taxable, region);
    if (tax > 0) this.#charge(at, 'tax', 'tax', tax, span);
  }

  /** Adds the charge or credit of one change for what is left of the period; returns the charges. */
  #prorate(
    at: number,
    change: Change,
    previous: number,
    upgrade: UpgradeScheme,
    downgrade: DowngradeScheme,
  ): Transaction[] {
    const sold = components[change.component];
    if (!sold) return [];
    const difference = (change.quantity - previous) * sold.price;
    const scheme = difference > 0 ? upgrade : downgrade;
    const left = Math.max(this.periodEnd - at, 0) / (this.periodEnd - this.periodStart);
    const amount = Math.round(Math.abs(difference) * Math.min(left, 1));
    if (scheme === 'no-prorate' || amount === 0) return [];
    const tax = taxOn(amount, this.subscriber.region);
    const about = {
      component: change.component,
      quantity: change.quantity,
      previous,
      from: at,
      to: this.periodEnd,
    };
    if (difference < 0) {
      this.#post(at, 'credit', sold.kind, 'prorated', -amount, about);
      if (tax > 0) this.#post(at, 'credit', 'tax', 'tax', -tax, about);
      return [];
    }
    const charges = [this.#charge(at, sold.kind, 'prorated', amount, about)];
    if (tax > 0) charges.push(this.#charge(at, 'tax', 'tax', tax, about));
    return charges;
  }

  #charge(
    at: number,
    kind: string,
    subject: Subject,
    amount: number,
    about: Partial<Transaction>,
  ): Transaction {
    return this.#post(at, 'charge', kind, subject, amount, about);
  }

  #pay(at: number, amount: number, success: boolean, subject: Subject, kind: string | null): Transaction {
    return this.#post(at, 'payment', kind, subject, amount, { success });
  }

  #post(
    at: number,
    type: Transaction['type'],
    kind: string | null,
    subject: Subject,
    amount: number,
    about: Partial<Transaction>,
  ): Transaction {
    const { component = -1, quantity = 0, previous = 0, from = 0, to = 0, success = true } = about;
    return this.ledger.post({
      at,
      type,
      kind,
      subject,
      amount,
      success,
      component,
      quantity,
      previous,
      from,
      to,
    });
  }

  /** Closes the open statement, opens the next, and tells of the closed one. */
  #turnStatement(at: number, snapshot: Snapshot, statement: Statement): void {
    this.ledger.close(at);
    this.ledger.open(at);
    this.#announceClosed(at + 1, snapshot, statement);
    this.#time = at + 1;
  }

  /** Of a closed statement exactly one notice is given at once: settled, or else closed. */
  #announceClosed(at: number, snapshot: Snapshot, statement: Statement): void {
    if (statement.settledAt === 0) this.#notice(at, 'statement_closed', snapshot, { statement });
    this.#announceSettled(at, snapshot);
  }

  #announceSettled(at: number, snapshot: Snapshot): void {
    for (const statement of this.ledger.takeSettled())
      this.#notice(at, 'statement_settled', snapshot, { statement });
  }

  #become(state: State): void {
    this.#previousState = this.state;
    this.state = state;
  }

  #snapshot(): Snapshot {
    return {
      state: this.state,
      previousState: this.#previousState,
      balance: this.ledger.balance,
      periodStart: this.periodStart,
      periodEnd: this.periodEnd,
      revenue: this.ledger.revenue,
      product: this.subscriber.product,
    };
  }

  #tellPayment(at: number, payment: Transaction, snapshot: Snapshot): void {
    this.#tell(at, payment.success ? 'payment_success' : 'payment_failure', snapshot, {
      transaction: payment,
    });
  }

  /** Writes an event on the open statement and gives notice of it. */
  #tell(
    at: number,
    key: string,
    snapshot: Snapshot,
    about: Partial<Pick<StatementEvent, 'transaction' | 'allocation' | 'states'>>,
  ): void {
    const statement = this.ledger.current;
    const { transaction = null, allocation = null, states = null } = about;
    const entry: StatementEvent = {
      statement,
      n: statement.events.length,
      at,
      key,
      transaction,
      allocation,
      states,
    };
    statement.events.push(entry);
    this.#notice(at, key, snapshot, { entry, transaction, allocation });
  }

  #notice(at: number, event: string, snapshot: Snapshot, about: Partial<Notice>): void {
    const { statement = this.ledger.current, entry = null, transaction = null, allocation = null } = about;
    this.notices.push({ at, event, snapshot, statement, entry, transaction, allocation });
  }
}
