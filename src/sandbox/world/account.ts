import { addMonths, DAY } from '../zone.ts';
import { Billing, type Change } from './billing.ts';
import { components } from './catalog.ts';
import {
  type Allocation,
  Ledger,
  type Notice,
  type Snapshot,
  type State,
  type Statement,
  type StatementEvent,
  type Transaction,
} from './ledger.ts';
import {
  endAfterDays,
  type Happening,
  happenings,
  type Period,
  renewalDeclined,
  retryDays,
  retryDeclined,
  type Schemes,
  type Shape,
  type Subscriber,
  subscriberOf,
} from './plan.ts';
import type { Plant } from './plant.ts';

const NEVER = Number.POSITIVE_INFINITY;

/** Time kept free before "now", so that the last notices of something do not lie in the future. */
export const MARGIN = 60;

/** A subscription as the base data leaves it. */
export function baseAccount(shape: Shape, index: number): Account {
  const account = new Account(shape, index);
  account.run(shape.now - MARGIN);
  return account;
}

/** One subscription from signup on: time moves it, and so do allocations made from outside. All it does is settled by the seed. */
export class Account {
  readonly subscriber: Subscriber;
  readonly ledger: Ledger;
  readonly allocations: Allocation[] = [];
  readonly notices: Notice[] = [];
  readonly quantities: number[];
  state: State = 'active';
  period: Period;
  readonly #shape: Shape;
  readonly #plant: Plant | null;
  readonly #billing: Billing;
  #previousState: State = 'active';
  /** How many periods have gone by. */
  #periods = 0;
  #agenda: Happening[] = [];
  #retryAt = NEVER;
  #retry = 0;
  /** Nothing is written at an earlier instant than this. */
  #time: number;

  constructor(shape: Shape, index: number) {
    this.#shape = shape;
    this.#plant = shape.plants.get(index) ?? null;
    this.ledger = new Ledger(this.#plant);
    this.subscriber = subscriberOf(shape, index);
    this.#billing = new Billing(this.subscriber, this.ledger);
    this.quantities = [...this.subscriber.quantities];
    this.#time = this.subscriber.signup;
    this.period = { start: this.subscriber.signup, end: addMonths(this.subscriber.signup, 1) };
    this.#signUp();
  }

  /** When it next does something of itself, or Infinity. */
  get due(): number {
    if (this.state === 'canceled') return NEVER;
    return Math.min(this.period.end, this.#retryAt, this.#agenda[0]?.at ?? NEVER);
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
  allocate(at: number, changes: readonly Change[], schemes: Schemes, declined: boolean): Allocation[] {
    this.#time = Math.max(at, this.#time);
    const now = this.#time;
    const within = this.state !== 'canceled';
    const charges: Transaction[] = [];
    const made = changes.map((change): Allocation => {
      const previous = this.quantities[change.component] as number;
      this.quantities[change.component] = change.quantity;
      if (within && !this.#planted('missing_proration'))
        charges.push(...this.#billing.prorate(now, change, previous, this.period, schemes));
      return { ...change, previous, at: now, schemes: within ? schemes : null, payment: null };
    });
    this.allocations.push(...made);
    const payment =
      schemes.upgrade === 'prorate-attempt-capture' ? this.#capture(now, charges, declined) : null;
    for (const allocation of made) allocation.payment = payment;
    const snapshot = this.#snapshot();
    for (const allocation of made) this.#tell(now, 'component_allocation_change', snapshot, { allocation });
    if (payment) this.#tellPayment(now, payment, snapshot);
    this.#announceSettled(now, snapshot);
    return made;
  }

  /** One attempt to collect prorated charges; what a credit balance covers is not collected. */
  #capture(at: number, charges: readonly Transaction[], declined: boolean): Transaction | null {
    const total = charges.reduce((sum, charge) => sum + charge.amount, 0);
    const payable = Math.min(total, Math.max(this.ledger.balance, 0));
    if (payable === 0) return null;
    const payment = this.#billing.pay(at, payable, !declined, 'capture');
    if (!declined) this.ledger.paid(payment, charges);
    return payment;
  }

  #signUp(): void {
    const at = this.#time;
    this.ledger.open(at);
    this.#billing.bill(at, this.period, this.quantities);
    for (const [component, quantity] of this.quantities.entries()) {
      const record = { component, quantity, previous: 0, memo: null, at, schemes: null, payment: null };
      if (quantity > 0) this.allocations.push(record);
    }
    const payment = this.#billing.pay(at + 1, this.ledger.balance, true, 'signup');
    this.ledger.paid(payment, 'everything');
    const snapshot = this.#snapshot();
    this.#tell(at + 2, 'signup_success', snapshot);
    this.#tellPayment(at + 2, payment, snapshot);
    this.#turnPeriod(at + 3, snapshot);
  }

  #renew(at: number): void {
    this.#periods++;
    if (this.#periods >= this.subscriber.periods) {
      this.#end(at);
      return;
    }
    const { index, signup } = this.subscriber;
    this.period = { start: this.period.end, end: addMonths(signup, this.#periods + 1) };
    this.#billing.bill(at, this.period, this.quantities);
    const owed = this.ledger.balance;
    const accepted = owed <= 0 || !renewalDeclined(this.#shape, index, this.#periods);
    const collected = owed > 0 && !this.#planted('settled_unpaid');
    const payment = collected ? this.#billing.pay(at + 2, owed, accepted, 'renewal') : null;
    if (payment && accepted) this.ledger.paid(payment, 'everything');
    const twin =
      payment && this.#planted('duplicate_payment') ? this.#billing.pay(at + 2, owed, true, 'renewal') : null;
    if (twin) twin.twin = payment;
    const before = this.state;
    this.#become(accepted ? 'active' : 'past_due');
    this.#retryAt = accepted ? NEVER : at + retryDays[0] * DAY;
    this.#retry = 0;
    const snapshot = this.#snapshot();
    this.#tell(at + 3, accepted ? 'renewal_success' : 'renewal_failure', snapshot);
    if (payment) this.#tellPayment(at + 3, payment, snapshot);
    if (twin) this.#tellPayment(at + 3, twin, snapshot);
    if (before !== this.state) this.#tellState(at + 3, before, snapshot);
    this.#turnPeriod(at + 4, snapshot);
  }

  #retryPayment(at: number): void {
    const { due } = this.ledger;
    if (due === 0) {
      this.#recover(at, null);
      return;
    }
    if (this.#retry >= retryDays.length) {
      this.#end(at);
      return;
    }
    const declined = retryDeclined(this.#shape, this.subscriber.index, this.#periods, this.#retry);
    const payment = this.#billing.pay(at, due, !declined, 'retry');
    if (!declined) {
      this.ledger.paid(payment, 'due');
      this.#recover(at, payment);
      return;
    }
    this.#tellPayment(at + 1, payment, this.#snapshot());
    this.#time = at + 1;
    this.#retry++;
    const wait = (retryDays[this.#retry] ?? endAfterDays) - (retryDays[this.#retry - 1] as number);
    this.#retryAt = at + wait * DAY;
  }

  #recover(at: number, payment: Transaction | null): void {
    this.#retryAt = NEVER;
    this.#become('active');
    const snapshot = this.#snapshot();
    if (payment) this.#tellPayment(at + 1, payment, snapshot);
    this.#tellState(at + 1, 'past_due', snapshot);
    this.#announceSettled(at + 2, snapshot);
    this.#time = at + 2;
  }

  /** The subscription is over: its last statement closes as it stands. */
  #end(at: number): void {
    const before = this.state;
    this.#become('canceled');
    this.#retryAt = NEVER;
    const snapshot = this.#snapshot();
    this.#tellState(at, before, snapshot);
    const statement = this.ledger.current;
    this.ledger.close(at + 1);
    this.#announceClosed(at + 2, snapshot, statement);
    this.#time = at + 2;
  }

  /** What customers and the merchant do of themselves; nothing while a payment is overdue. */
  #happen(happening: Happening, at: number): void {
    if (this.state === 'past_due') return;
    if (happening.does === 'charge') {
      this.#billing.charge(at, 'one_time', 'one_time', happening.amount);
    } else if (happening.does === 'refund') {
      const transaction = this.#billing.refund(at);
      if (transaction) this.#tell(at + 1, 'refund_success', this.#snapshot(), { transaction });
    } else {
      const { component, by, upgrade, downgrade, declined } = happening;
      if (this.#planted('allocation_chain'))
        this.quantities[component] = (this.quantities[component] as number) + 2;
      const previous = this.quantities[component] as number;
      const onOff = components[component]?.kind === 'on_off_component';
      const quantity = onOff ? 1 - previous : Math.max(previous + by, previous === 0 ? 1 : 0);
      const memo = by % 2 ? 'Requested by the customer' : null;
      this.allocate(at, [{ component, quantity, memo }], { upgrade, downgrade }, declined);
    }
  }

  /** Closes the open statement, opens the next, tells of the closed one, and plans the period ahead. */
  #turnPeriod(at: number, snapshot: Snapshot): void {
    const statement = this.ledger.current;
    this.ledger.close(at);
    this.ledger.open(at);
    this.#announceClosed(at + 1, snapshot, statement);
    this.#time = at + 1;
    this.#agenda = happenings(this.#shape, this.subscriber.index, this.#periods, this.period);
  }

  /** Of a closed statement exactly one notice is given at once: settled, or else closed. */
  #announceClosed(at: number, snapshot: Snapshot, statement: Statement): void {
    if (statement.settledAt === 0) this.#notice(at, 'statement_closed', snapshot, { statement });
    this.#announceSettled(at, snapshot);
  }

  #announceSettled(at: number, snapshot: Snapshot): void {
    for (const statement of this.ledger.takeSettled()) {
      this.#notice(at, 'statement_settled', snapshot, { statement });
    }
  }

  #planted(kind: Plant['kind']): boolean {
    return this.#plant?.kind === kind && this.#plant.statement === this.ledger.current.index;
  }

  #become(state: State): void {
    if (state === this.state) return;
    this.#previousState = this.state;
    this.state = state;
  }

  #snapshot(): Snapshot {
    return {
      state: this.state,
      previousState: this.#previousState,
      balance: this.ledger.balance,
      periodStart: this.period.start,
      periodEnd: this.period.end,
      revenue: this.ledger.revenue,
      product: this.subscriber.product,
    };
  }

  #tellPayment(at: number, transaction: Transaction, snapshot: Snapshot): void {
    this.#tell(at, transaction.success ? 'payment_success' : 'payment_failure', snapshot, { transaction });
  }

  #tellState(at: number, before: State, snapshot: Snapshot): void {
    this.#tell(at, 'subscription_state_change', snapshot, { states: [before, this.state] });
  }

  /** Writes an event on the open statement, if there is one, and gives notice of it. */
  #tell(
    at: number,
    key: string,
    snapshot: Snapshot,
    about: Partial<Pick<StatementEvent, 'transaction' | 'allocation' | 'states'>> = {},
  ): void {
    const statement = this.ledger.current;
    const { transaction = null, allocation = null, states = null } = about;
    const entry = { statement, n: statement.events.length, at, key, transaction, allocation, states };
    const open = statement.closedAt === 0;
    if (open) statement.events.push(entry);
    this.#notice(at, key, snapshot, { entry: open ? entry : null, transaction, allocation });
  }

  #notice(at: number, event: string, snapshot: Snapshot, about: Partial<Notice>): void {
    const { statement = this.ledger.current, entry = null, transaction = null, allocation = null } = about;
    this.notices.push({ at, event, snapshot, statement, entry, transaction, allocation });
  }
}
