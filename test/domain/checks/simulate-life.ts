import type {
  SubscriptionRecord,
  TransactionRecord,
  WebhookStatementFacts,
  WebhookTransactionFacts,
} from '../../../src/domain/checks/index.ts';
import { printStatement } from './print-statement.ts';
import type { DraftRecord, LifeEvent, Month, SimulatedLife, Statement } from './simulated-life.ts';

const SECOND = 1000;
const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 5, 14, 20, 14);
const SEAT = 900;
export const SEATS = 277_221;

export const toRecord = (draft: DraftRecord): SubscriptionRecord => draft;

/** Simulates a subscription. The stored webhook log covers the time from the start to `now`. */
export function simulateLife(life: SimulatedLife): { draft: DraftRecord; from: number; now: number } {
  const run = new SimulationRun(life);
  run.signUp();
  for (const month of life.months) run.month(month);
  const now = run.finish();
  return { draft: run.draft, from: START - 30 * DAY, now };
}

const toStatementFacts = ({
  id,
  closed_at,
  starting_balance_in_cents,
  ending_balance_in_cents,
}: Statement): WebhookStatementFacts => ({
  id,
  closed: closed_at !== null,
  starting_balance_in_cents,
  ending_balance_in_cents,
});

const toTransactionFacts = ({
  id,
  transaction_type,
  amount_in_cents,
  success,
}: TransactionRecord): WebhookTransactionFacts => ({
  id,
  transaction_type,
  amount_in_cents,
  success,
});

class SimulationRun {
  readonly draft: DraftRecord;
  readonly #life: SimulatedLife;
  #now: number;
  #balance = 0;
  #seats: number;
  #nextId: number;
  #charged: boolean;
  #lastPayment: TransactionRecord | null = null;

  constructor(life: SimulatedLife) {
    this.#life = life;
    this.#now = START + (life.id % 28) * DAY;
    this.#seats = life.seats;
    this.#nextId = life.id * 100_000;
    this.#charged = !life.trial;
    const allocations = life.seats > 0 ? [this.#allocation(0, life.seats, null)] : [];
    this.draft = {
      subscription_id: life.id,
      statements: [],
      statements_complete: true,
      webhooks: [],
      components: [{ component_id: SEATS, name: 'Seats', complete: true, allocations }],
      transactions_elsewhere: new Map(),
    };
  }

  signUp(): void {
    this.#open();
    if (this.#life.trial) this.#post('charge', 'trial', 0, 'Trial Price');
    else this.#bill();
    this.#now += SECOND;
    if (this.#balance > 0) this.#pay(this.#balance, null, true);
    this.#event('signup_success', null);
    this.#now += SECOND;
    this.#close();
    this.#now += SECOND;
    this.#open();
  }

  month({ lifeEvents, declined, lateAfter, pause }: Month): void {
    const start = this.#now;
    const days = [...lifeEvents].sort((a, b) => a.day - b.day);
    const due = this.#unpaid().length > 0 && this.#balance > 0;
    if (due && lateAfter !== null) {
      days.splice(0, days.length, ...days.filter(({ day }) => day > lateAfter));
      this.#now = start + lateAfter * DAY;
      const payment = this.#pay(this.#balance, null, true);
      this.#settle(payment);
    }
    if (!due || lateAfter !== null) {
      for (const lifeEvent of days) {
        this.#now = Math.max(start + lifeEvent.day * DAY, this.#now + 120 * SECOND);
        this.#happen(lifeEvent);
      }
    }
    this.#now = start + 30 * DAY;
    this.#renew(declined && pause === null);
    if (pause !== null) this.#pause(pause);
  }

  finish(): number {
    this.#now += 3 * DAY;
    if (this.#life.end === 'canceled') {
      this.#event('subscription_state_change', null, 'canceled');
      this.#now += SECOND;
      this.#close();
    }
    const now = this.#now + 2 * DAY;
    for (const statement of this.draft.statements) {
      if (this.#life.style.text) statement.text_view = printStatement(statement);
      if (this.#life.style.newestFirst) statement.transactions.reverse();
    }
    return now;
  }

  #happen(lifeEvent: LifeEvent): void {
    switch (lifeEvent.does) {
      case 'one_time':
        this.#post('charge', 'one_time', lifeEvent.amount, 'Onboarding session');
        if (this.#balance > 0) this.#pay(Math.min(lifeEvent.amount, this.#balance), 'one_time', true);
        break;
      case 'credit':
        this.#post('credit', null, lifeEvent.amount, 'Goodwill credit');
        if (this.#balance <= 0) this.#settle(null);
        break;
      case 'adjustment':
        this.#post('adjustment', null, lifeEvent.amount, 'Balance correction');
        if (this.#balance <= 0) this.#settle(null);
        break;
      case 'refund':
        if (this.#lastPayment === null) return;
        this.#tell(
          'refund_success',
          this.#post('refund', null, this.#lastPayment.amount_in_cents, 'Refund to the card'),
        );
        break;
      case 'info':
        this.#post('info', null, 0, 'Card expires soon');
        break;
      case 'seats':
        this.#changeSeats(lifeEvent.by, lifeEvent.scheme);
    }
  }

  #changeSeats(by: number, scheme: string): void {
    const before = this.#seats;
    this.#seats = Math.max(before + by, 1);
    if (this.#seats === before) return;
    this.draft.components[0]?.allocations.push(this.#allocation(before, this.#seats, scheme));
    if (!this.#charged || scheme === 'no-prorate') return;
    const amount = Math.round((Math.abs(this.#seats - before) * SEAT) / 2);
    const memo = `Seats: ${before} to ${this.#seats}, prorated`;
    if (this.#seats < before) {
      if (scheme === 'prorate') this.#post('credit', 'quantity_based_component', amount, memo);
      return;
    }
    if (scheme === 'prorate') return;
    this.#post('charge', 'quantity_based_component', amount, memo);
    if (scheme === 'prorate-attempt-capture' && this.#balance > 0) {
      this.#pay(Math.min(amount, this.#balance), 'component_proration', true);
    }
  }

  #allocation(previous_quantity: number, quantity: number, scheme: string | null) {
    const upgrade = quantity > previous_quantity;
    const own = scheme ?? null;
    const other = scheme === null ? null : 'no-prorate';
    // A scheme that does not match the direction of the change has no effect.
    const schemeApplies =
      own !== null && (upgrade ? own !== 'prorate' : own === 'prorate' || own === 'no-prorate');
    return {
      timestamp: this.#now,
      ordinal: 0,
      previous_quantity,
      quantity,
      proration_upgrade_scheme: upgrade ? (schemeApplies ? own : other) : other,
      proration_downgrade_scheme: upgrade ? other : schemeApplies ? own : other,
    };
  }

  #renew(declined: boolean): void {
    this.#charged = true;
    this.#bill();
    this.#now += SECOND;
    if (this.#balance > 0) {
      const payment = this.#pay(this.#balance, null, !declined);
      if (!declined) this.#settle(payment);
    }
    this.#now += SECOND;
    this.#close();
    this.#now += SECOND;
    this.#open();
  }

  #pause(days: number): void {
    this.#event('subscription_state_change', null, 'canceled');
    this.#now += SECOND;
    this.#close();
    this.#now += days * DAY;
    this.#open();
    this.#event('reactivation_success', null);
  }

  #bill(): void {
    const { price, tax, discount } = this.#life;
    this.#post('charge', 'baseline', price, 'Basic Plan (a month in advance)');
    if (this.#seats > 0)
      this.#post('charge', 'quantity_based_component', this.#seats * SEAT, `Seats: ${this.#seats} seats`);
    if (discount > 0) this.#post('adjustment', 'coupon', -Math.min(discount, price), 'Coupon: FRIENDS');
    const due = Math.round(((price + this.#seats * SEAT - Math.min(discount, price)) * tax) / 100);
    if (due > 0) this.#post('charge', 'tax', due, `Sales tax (${tax}%)`);
  }

  #open(): void {
    this.draft.statements.push({
      id: this.#id(),
      opened_at: this.#now,
      closed_at: null,
      settled_at: null,
      created_at: this.#now,
      updated_at: this.#now,
      starting_balance_in_cents: this.#balance,
      ending_balance_in_cents: this.#balance,
      total_in_cents: null,
      currency: null,
      customer: { name: 'Amelia Example', organization: null, address: '1 Main St 10001' },
      transactions: [],
      events: [],
      future_payments: [],
      text_view: null,
      pdf_text: null,
      read_at: null,
    });
  }

  #close(): void {
    const statement = this.#statement();
    statement.closed_at = this.#now;
    statement.ending_balance_in_cents = this.#balance;
    if (this.#balance <= 0) statement.settled_at = this.#now;
    const event = statement.settled_at === null ? 'statement_closed' : 'statement_settled';
    this.#webhook(event, statement, null);
  }

  /** Marks unpaid statements as paid. */
  #settle(payment: TransactionRecord | null): void {
    for (const statement of this.#unpaid()) {
      statement.settled_at = this.#now;
      if (payment !== null) {
        const { id, amount_in_cents, created_at } = payment;
        statement.future_payments.push({ id, amount_in_cents, created_at });
      }
      this.#webhook('statement_settled', statement, null);
    }
  }

  #unpaid(): Statement[] {
    return this.draft.statements.filter(
      ({ closed_at, settled_at }) => closed_at !== null && settled_at === null,
    );
  }

  #pay(amount: number, kind: string | null, success: boolean): TransactionRecord {
    const payment = this.#post('payment', kind, amount, 'Amelia Example: payment by card', success);
    if (success) this.#lastPayment = payment;
    this.#tell(success ? 'payment_success' : 'payment_failure', payment);
    return payment;
  }

  #post(type: string, kind: string | null, amount: number, memo: string, success = true): TransactionRecord {
    const { style } = this.#life;
    const starting = this.#balance;
    if (success) {
      if (type === 'charge' || type === 'adjustment') this.#balance += amount;
      if (type === 'credit' || type === 'payment') this.#balance -= amount;
    }
    const transaction = {
      id: this.#id(),
      transaction_type: type,
      type: type === 'info' ? 'InfoTransaction' : type.charAt(0).toUpperCase() + type.slice(1),
      kind,
      amount_in_cents: type === 'credit' && style.creditsNegative ? -amount : amount,
      starting_balance_in_cents: style.running ? starting : null,
      ending_balance_in_cents: style.running ? this.#balance : null,
      success,
      memo,
      created_at: this.#now,
      created_on: new Date(this.#now - 5 * 3_600_000).toISOString().slice(0, 10),
      subscription_id: this.#life.id,
      customer_id: null,
      statement_id: null,
      currency: null,
      payment_id: null,
      gateway_transaction_id: type === 'payment' && success ? `ch_${this.#nextId}` : null,
      component_id: null,
    };
    const statement = this.#statement();
    statement.transactions.push(transaction);
    if (statement.closed_at === null) statement.ending_balance_in_cents = this.#balance;
    return transaction;
  }

  #tell(event: string, transaction: TransactionRecord): void {
    this.#event(event, transaction);
    this.#webhook(event, null, transaction);
  }

  #event(key: string, transaction: TransactionRecord | null, new_state: string | null = null): void {
    const named = this.#life.style.eventsName ? (transaction?.id ?? null) : null;
    this.#statement().events.push({
      id: this.#id(),
      subscription_id: this.#life.id,
      key,
      created_at: this.#now,
      transaction_id: named,
      new_state,
    });
  }

  #webhook(event: string, statement: Statement | null, transaction: TransactionRecord | null): void {
    const named = this.#life.style.webhooksName;
    const told = transaction ? [toTransactionFacts(transaction)] : [];
    this.draft.webhooks.push({
      id: this.#id(),
      event,
      successful: true,
      created_at: this.#now + SECOND,
      accepted_at: this.#now + 3 * SECOND,
      last_sent_at: this.#now + 3 * SECOND,
      last_error: null,
      last_sent_url: 'https://books.example/webhooks',
      facts: {
        statement_id: named ? (statement?.id ?? this.#statement().id) : null,
        transaction_id: named ? (transaction?.id ?? null) : null,
        statement: named && statement ? toStatementFacts(statement) : null,
        transactions: named ? told : [],
      },
      signature: 'fits',
      body: null,
    });
  }

  #statement(): Statement {
    return this.draft.statements.at(-1) as Statement;
  }

  #id(): number {
    return this.#nextId++;
  }
}
