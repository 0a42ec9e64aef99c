import { addDays, type CalendarDate } from '../../../src/domain/ledger/index.ts';
import type {
  MatchAccount,
  MatchLine,
  MatchPayment,
  MatchPayout,
} from '../../../src/domain/matching/index.ts';
import type { Random } from '../model/random.ts';
import type { Customer, LineLabel, World, WorldFacts } from '../model/world.ts';
import type { IdSequence } from '../text/ids.ts';

export interface IdSequences {
  readonly payment: IdSequence;
  readonly statement: IdSequence;
  readonly subscription: IdSequence;
}

export interface Billed {
  readonly on: CalendarDate;
  readonly amount: number;
  readonly currency: string;
  readonly gateway?: string;
}

export type NewLine = Partial<MatchLine> &
  Pick<MatchLine, 'account' | 'booked_on' | 'amount_in_cents' | 'currency' | 'description'>;

export type NewLabel = Partial<Omit<LineLabel, 'line'>> & Pick<LineLabel, 'classes'>;

/** Collects the rows of a world and the label of each line. */
export class WorldBuilder {
  readonly random: Random;
  readonly facts: WorldFacts;
  readonly payments: MatchPayment[] = [];
  readonly payouts: MatchPayout[] = [];
  /** Payments with a line that quotes their exact id. */
  readonly settled = new Set<number>();
  readonly #ids: IdSequences;
  readonly #lines: MatchLine[] = [];
  readonly #labels: LineLabel[] = [];
  readonly #amounts = new Map<number, number>();

  constructor(random: Random, facts: WorldFacts, ids: IdSequences) {
    this.random = random;
    this.facts = facts;
    this.#ids = ids;
  }

  get lineCount(): number {
    return this.#lines.length;
  }

  createCustomer(name: { name: string; company: boolean }, since: CalendarDate): Customer {
    return { ...name, since, subscription: this.#ids.subscription.next() };
  }

  /** Adds a payment to the billing records. */
  pay(customer: Customer, billed: Billed): MatchPayment {
    const payment = this.inventPayment(customer, billed);
    this.#store(payment);
    return payment;
  }

  refund(customer: Customer, original: MatchPayment, billed: Billed): MatchPayment {
    const refund: MatchPayment = {
      ...this.inventPayment(customer, billed),
      kind: 'refund',
      statement_id: original.statement_id,
      payment_id: original.payment_id,
      amount_in_cents: -billed.amount,
    };
    this.#store(refund);
    return refund;
  }

  /** Creates a payment with its ids that the billing records do not contain. */
  inventPayment(customer: Customer, billed: Billed): MatchPayment {
    const id = this.#ids.payment.next();
    return {
      id,
      kind: 'payment',
      statement_id: this.#ids.statement.next(),
      subscription_id: customer.subscription,
      payment_id: id,
      paid_on: billed.on,
      amount_in_cents: billed.amount,
      currency: billed.currency,
      gateway_transaction_id: billed.gateway ?? null,
      names: [customer.name],
    };
  }

  addLine(row: NewLine, label: NewLabel): MatchLine {
    const line: MatchLine = {
      id: this.#lines.length + 1,
      value_on: null,
      kind: 'entry',
      reference: null,
      counterparty: null,
      bank_id: null,
      payout_id: null,
      gateway_transaction_id: null,
      fee_in_cents: null,
      net_in_cents: null,
      ...row,
    };
    this.#lines.push(line);
    this.#labels.push({ line: line.id, payments: [], reverses: null, payout_id: null, ...label });
    return line;
  }

  /** Number of payments with exactly this amount. */
  countAmount(amount: number): number {
    return this.#amounts.get(amount) ?? 0;
  }

  /** Returns the booking date of a payment's line: within the usual lag and not on a weekend if possible. */
  bookAfter(paidOn: CalendarDate): CalendarDate {
    const { lag_from_days, lag_to_days } = this.facts;
    const lag = this.random.integer(lag_from_days, Math.max(lag_from_days, lag_to_days - 2));
    const date = addDays(paidOn, lag);
    const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
    const delay = weekday === 6 ? 2 : weekday === 0 ? 1 : 0;
    return addDays(date, Math.min(delay, lag_to_days - lag));
  }

  build(given: Pick<World, 'generator' | 'seed' | 'parameters'> & { accounts: MatchAccount[] }): World {
    return {
      ...given,
      facts: this.facts,
      payments: this.payments,
      lines: this.#lines,
      payouts: this.payouts,
      labels: this.#labels,
    };
  }

  #store(payment: MatchPayment): void {
    this.payments.push(payment);
    this.#amounts.set(payment.amount_in_cents, this.countAmount(payment.amount_in_cents) + 1);
  }
}
