import { catalogComponents } from './catalog.ts';
import type { PlantedErrorPosition } from './planted-error-kinds.ts';
import {
  type BillingPeriod,
  type CustomerAction,
  createSimulatedSubscriber,
  DAYS_UNTIL_SUBSCRIPTION_END,
  isCardRetryDeclined,
  isRenewalDeclined,
  listCustomerActions,
  type ProrationSchemes,
  RENEWAL_RETRY_DAYS,
  type SimulatedSubscriber,
  type SiteParameters,
} from './site-parameters.ts';
import { type QuantityChange, SubscriptionBilling } from './subscription-billing.ts';
import {
  type Allocation,
  type Statement,
  type StatementEvent,
  SubscriptionLedger,
  type SubscriptionSnapshot,
  type SubscriptionState,
  type Transaction,
  type WebhookNotice,
} from './subscription-ledger.ts';
import { addMonths, SECONDS_PER_DAY } from './time-zone.ts';

const NEVER = Number.POSITIVE_INFINITY;

/** Number of seconds left free before the current time, so that the last notices of an event are not in the future. */
export const WEBHOOK_NOTICE_MARGIN_SECONDS = 60;

/** Returns the state of a subscription at the end of the base data. */
export function createBaseSubscriptionAccount(shape: SiteParameters, index: number): SubscriptionAccount {
  const account = new SubscriptionAccount(shape, index);
  account.run(shape.now - WEBHOOK_NOTICE_MARGIN_SECONDS);
  return account;
}

/** Simulates one subscription from its signup onward. Only the seed, the clock and external allocations affect it. */
export class SubscriptionAccount {
  readonly subscriber: SimulatedSubscriber;
  readonly ledger: SubscriptionLedger;
  readonly allocations: Allocation[] = [];
  readonly notices: WebhookNotice[] = [];
  readonly quantities: number[];
  state: SubscriptionState = 'active';
  period: BillingPeriod;
  readonly #parameters: SiteParameters;
  readonly #plant: PlantedErrorPosition | null;
  readonly #billing: SubscriptionBilling;
  #previousState: SubscriptionState = 'active';
  /** Number of completed billing periods. */
  #periods = 0;
  #agenda: CustomerAction[] = [];
  #retryAt = NEVER;
  #retry = 0;
  /** Earliest time at which the next ledger entry may be recorded. */
  #time: number;

  constructor(shape: SiteParameters, index: number) {
    this.#parameters = shape;
    this.#plant = shape.plantedErrors.get(index) ?? null;
    this.ledger = new SubscriptionLedger(this.#plant);
    this.subscriber = createSimulatedSubscriber(shape, index);
    this.#billing = new SubscriptionBilling(this.subscriber, this.ledger);
    this.quantities = [...this.subscriber.quantities];
    this.#time = this.subscriber.signup;
    this.period = { start: this.subscriber.signup, end: addMonths(this.subscriber.signup, 1) };
    this.#signUp();
  }

  /** Time of the next scheduled action, or Infinity if there is none. */
  get due(): number {
    if (this.state === 'canceled') return NEVER;
    return Math.min(this.period.end, this.#retryAt, this.#agenda[0]?.at ?? NEVER);
  }

  /** Executes all actions that are due by `to`. Overdue actions happen at `from` at the earliest. */
  run(to: number, from = 0): void {
    for (let due = this.due; due <= to; due = this.due) {
      const at = Math.max(due, from, this.#time);
      this.#time = at;
      if (this.#agenda[0]?.at === due) this.#execute(this.#agenda.shift() as CustomerAction, at);
      else if (this.#retryAt === due) this.#retryPayment(at);
      else this.#renew(at);
    }
  }

  /** Changes quantities and bills them by their proration schemes. A single payment pays all of the charges. */
  allocate(
    at: number,
    changes: readonly QuantityChange[],
    schemes: ProrationSchemes,
    declined: boolean,
  ): Allocation[] {
    this.#time = Math.max(at, this.#time);
    const now = this.#time;
    const within = this.state !== 'canceled';
    const charges: Transaction[] = [];
    const allocations = changes.map((change): Allocation => {
      const previous = this.quantities[change.component] as number;
      this.quantities[change.component] = change.quantity;
      if (within && !this.#hasPlantedError('missing_proration'))
        charges.push(...this.#billing.prorate(now, { ...change, previous }, this.period, schemes));
      return { ...change, previous, at: now, schemes: within ? schemes : null, payment: null };
    });
    this.allocations.push(...allocations);
    const payment =
      schemes.upgrade === 'prorate-attempt-capture' ? this.#capture(now, charges, declined) : null;
    for (const allocation of allocations) allocation.payment = payment;
    const snapshot = this.#snapshot();
    for (const allocation of allocations)
      this.#addEvent(now, 'component_allocation_change', snapshot, { allocation });
    if (payment) this.#addPaymentEvent(now, payment, snapshot);
    this.#announceSettled(now, snapshot);
    return allocations;
  }

  /** Attempts to collect prorated charges. Amounts that a credit balance covers are not collected. */
  #capture(at: number, charges: readonly Transaction[], declined: boolean): Transaction | null {
    const total = charges.reduce((sum, charge) => sum + charge.amount, 0);
    const payable = Math.min(total, Math.max(this.ledger.balance, 0));
    if (payable === 0) return null;
    const payment = this.#billing.pay(at, payable, !declined, 'capture');
    if (!declined) this.ledger.applyPayment(payment, charges);
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
    this.ledger.applyPayment(payment, 'everything');
    const snapshot = this.#snapshot();
    this.#addEvent(at + 2, 'signup_success', snapshot);
    this.#addPaymentEvent(at + 2, payment, snapshot);
    this.#turnPeriod(at + 3, snapshot);
  }

  #renew(at: number): void {
    this.#periods++;
    if (this.#periods < this.subscriber.periods) this.#startPeriod(at);
    else this.#end(at);
  }

  #startPeriod(at: number): void {
    const { index, signup } = this.subscriber;
    this.period = { start: this.period.end, end: addMonths(signup, this.#periods + 1) };
    this.#billing.bill(at, this.period, this.quantities);
    const owed = this.ledger.balance;
    const accepted = owed <= 0 || !isRenewalDeclined(this.#parameters, index, this.#periods);
    const collected = owed > 0 && !this.#hasPlantedError('settled_unpaid');
    const payment = collected ? this.#billing.pay(at + 2, owed, accepted, 'renewal') : null;
    if (payment && accepted) this.ledger.applyPayment(payment, 'everything');
    const isDuplicated = payment && this.#hasPlantedError('duplicate_payment');
    const duplicate = isDuplicated ? this.#billing.pay(at + 2, owed, true, 'renewal') : null;
    if (duplicate) duplicate.original = payment;
    const before = this.state;
    this.#changeState(accepted ? 'active' : 'past_due');
    this.#retryAt = accepted ? NEVER : at + RENEWAL_RETRY_DAYS[0] * SECONDS_PER_DAY;
    this.#retry = 0;
    const snapshot = this.#snapshot();
    this.#addEvent(at + 3, accepted ? 'renewal_success' : 'renewal_failure', snapshot);
    if (payment) this.#addPaymentEvent(at + 3, payment, snapshot);
    if (duplicate) this.#addPaymentEvent(at + 3, duplicate, snapshot);
    if (before !== this.state) this.#addStateEvent(at + 3, before, snapshot);
    this.#turnPeriod(at + 4, snapshot);
  }

  #retryPayment(at: number): void {
    const { due } = this.ledger;
    if (due === 0) this.#recover(at, null);
    else if (this.#retry >= RENEWAL_RETRY_DAYS.length) this.#end(at);
    else this.#chargeAgain(at, due);
  }

  #chargeAgain(at: number, due: number): void {
    const declined = isCardRetryDeclined(this.#parameters, this.subscriber.index, this.#periods, this.#retry);
    const payment = this.#billing.pay(at, due, !declined, 'retry');
    if (!declined) {
      this.ledger.applyPayment(payment, 'due');
      this.#recover(at, payment);
      return;
    }
    this.#addPaymentEvent(at + 1, payment, this.#snapshot());
    this.#time = at + 1;
    this.#retry++;
    const wait =
      (RENEWAL_RETRY_DAYS[this.#retry] ?? DAYS_UNTIL_SUBSCRIPTION_END) -
      (RENEWAL_RETRY_DAYS[this.#retry - 1] as number);
    this.#retryAt = at + wait * SECONDS_PER_DAY;
  }

  #recover(at: number, payment: Transaction | null): void {
    this.#retryAt = NEVER;
    this.#changeState('active');
    const snapshot = this.#snapshot();
    if (payment) this.#addPaymentEvent(at + 1, payment, snapshot);
    this.#addStateEvent(at + 1, 'past_due', snapshot);
    this.#announceSettled(at + 2, snapshot);
    this.#time = at + 2;
  }

  /** Ends the subscription and closes its last statement without changing it. */
  #end(at: number): void {
    const before = this.state;
    this.#changeState('canceled');
    this.#retryAt = NEVER;
    const snapshot = this.#snapshot();
    this.#addStateEvent(at, before, snapshot);
    const statement = this.ledger.current;
    this.ledger.close(at + 1);
    this.#announceClosed(at + 2, snapshot, statement);
    this.#time = at + 2;
  }

  /** Executes an action of the customer or the merchant. Has no effect while a payment is past due. */
  #execute(action: CustomerAction, at: number): void {
    if (this.state === 'past_due') return;
    if (action.does === 'charge') {
      this.#billing.charge(at, 'one_time', 'one_time', { amount: action.amount });
    } else if (action.does === 'refund') {
      const transaction = this.#billing.refund(at);
      if (transaction) this.#addEvent(at + 1, 'refund_success', this.#snapshot(), { transaction });
    } else {
      const { component, by, upgrade, downgrade, declined } = action;
      if (this.#hasPlantedError('allocation_chain'))
        this.quantities[component] = (this.quantities[component] as number) + 2;
      const previous = this.quantities[component] as number;
      const onOff = catalogComponents[component]?.kind === 'on_off_component';
      const quantity = onOff ? 1 - previous : Math.max(previous + by, previous === 0 ? 1 : 0);
      const memo = by % 2 ? 'Requested by the customer' : null;
      this.allocate(at, [{ component, quantity, memo }], { upgrade, downgrade }, declined);
    }
  }

  /** Starts a billing period: closes the open statement, opens the next one, sends notices and plans the period. */
  #turnPeriod(at: number, snapshot: SubscriptionSnapshot): void {
    const statement = this.ledger.current;
    this.ledger.close(at);
    this.ledger.open(at);
    this.#announceClosed(at + 1, snapshot, statement);
    this.#time = at + 1;
    this.#agenda = listCustomerActions(this.#parameters, this.subscriber.index, this.#periods, this.period);
  }

  /** Immediately sends exactly one notice about a closed statement: settled if it is settled, otherwise closed. */
  #announceClosed(at: number, snapshot: SubscriptionSnapshot, statement: Statement): void {
    if (statement.settledAt === 0) this.#sendNotice(at, 'statement_closed', snapshot, { statement });
    this.#announceSettled(at, snapshot);
  }

  #announceSettled(at: number, snapshot: SubscriptionSnapshot): void {
    for (const statement of this.ledger.takeSettled()) {
      this.#sendNotice(at, 'statement_settled', snapshot, { statement });
    }
  }

  #hasPlantedError(kind: PlantedErrorPosition['kind']): boolean {
    return this.#plant?.kind === kind && this.#plant.statement === this.ledger.current.index;
  }

  #changeState(state: SubscriptionState): void {
    if (state === this.state) return;
    this.#previousState = this.state;
    this.state = state;
  }

  #snapshot(): SubscriptionSnapshot {
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

  #addPaymentEvent(at: number, transaction: Transaction, snapshot: SubscriptionSnapshot): void {
    const key = transaction.success ? 'payment_success' : 'payment_failure';
    this.#addEvent(at, key, snapshot, { transaction });
  }

  #addStateEvent(at: number, before: SubscriptionState, snapshot: SubscriptionSnapshot): void {
    this.#addEvent(at, 'subscription_state_change', snapshot, { states: [before, this.state] });
  }

  /** Adds an event to the open statement, if there is one, and sends the notice. */
  #addEvent(
    at: number,
    key: string,
    snapshot: SubscriptionSnapshot,
    about: Partial<Pick<StatementEvent, 'transaction' | 'allocation' | 'states'>> = {},
  ): void {
    const statement = this.ledger.current;
    const { transaction = null, allocation = null, states = null } = about;
    const entry = { statement, n: statement.events.length, at, key, transaction, allocation, states };
    const open = statement.closedAt === 0;
    if (open) statement.events.push(entry);
    this.#sendNotice(at, key, snapshot, { entry: open ? entry : null, transaction, allocation });
  }

  #sendNotice(at: number, event: string, snapshot: SubscriptionSnapshot, about: Partial<WebhookNotice>) {
    const { statement = this.ledger.current, entry = null, transaction = null, allocation = null } = about;
    this.notices.push({ at, event, snapshot, statement, entry, transaction, allocation });
  }
}
