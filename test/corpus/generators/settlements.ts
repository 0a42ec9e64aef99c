import { addDays, type CalendarDate } from '../../../src/domain/ledger/index.ts';
import type { MatchPayment } from '../../../src/domain/matching/index.ts';
import type { Random } from '../model/random.ts';
import type { Customer, LineClass } from '../model/world.ts';
import type { LineWriter, RequiredEvidence } from './line-writer.ts';
import type { Billed, WorldBuilder } from './world-builder.ts';

/** What happens to payments on the way to the bank. Shares are fractions of the payments from 0 to 1. */
export interface SettlementRates {
  readonly missing: number;
  readonly missingStatement: number;
  readonly late: number;
  readonly shortByFee: number;
  readonly foreign: number;
  readonly partial: number;
  readonly duplicate: number;
  readonly refund: number;
  readonly takenBack: number;
}

export function drawRates(random: Random, limits: SettlementRates): SettlementRates {
  const draw = ([key, limit]: [string, number]): [string, number] => [key, random.rate(limit)];
  return Object.fromEntries(Object.entries(limits).map(draw)) as unknown as SettlementRates;
}

/** A payment with everything that is necessary to write its lines. */
export interface Settlement {
  readonly customer: Customer;
  readonly payment: MatchPayment;
  readonly account: number;
}

/** Writes the bank lines of payments with the events of everyday life. */
export class Settler {
  readonly #world: WorldBuilder;
  readonly #writer: LineWriter;
  readonly #rates: SettlementRates;

  constructor(world: WorldBuilder, writer: LineWriter, rates: SettlementRates) {
    this.#world = world;
    this.#writer = writer;
    this.#rates = rates;
  }

  /** Draws one event and writes the lines of a payment. */
  settle(given: Settlement): void {
    const { random } = this.#world;
    const rates = this.#rates;
    const events: [number, (settlement: Settlement) => void][] = [
      [rates.missing, () => undefined],
      [rates.late, (settlement) => this.#payLate(settlement)],
      [rates.shortByFee, (settlement) => this.#payShort(settlement)],
      [rates.foreign, (settlement) => this.#payForeign(settlement)],
      [rates.partial, (settlement) => this.#payInParts(settlement)],
      [rates.duplicate, (settlement) => this.#payTwice(settlement)],
      [rates.refund, (settlement) => this.#payAndRefund(settlement)],
      [rates.takenBack, (settlement) => this.#payAndTakeBack(settlement)],
    ];
    let drawn = random.fraction();
    for (const [rate, event] of events) {
      if (drawn < rate) {
        event(given);
        return;
      }
      drawn -= rate;
    }
    this.pay(given);
  }

  /** Writes a plain line. */
  pay(given: Settlement, must: RequiredEvidence = {}): CalendarDate {
    const on = this.#world.bookAfter(given.payment.paid_on);
    this.#write(given, { on, must });
    return on;
  }

  /** Writes the line of a payment that is not in the billing records. */
  payUnknown(customer: Customer, account: number, billed: Billed): void {
    const payment = this.#world.inventPayment(customer, billed);
    const { texts } = this.#writer.write(customer, [payment], { id: 'exact' });
    this.#world.addLine(
      { ...texts, account, booked_on: this.#world.bookAfter(billed.on), ...moneyOf(payment) },
      { classes: ['missing-statement'] },
    );
  }

  /** Writes one line for several payments. */
  payTogether(payments: readonly MatchPayment[], customer: Customer, account: number): void {
    const last = payments.at(-1);
    if (last === undefined) return;
    const { texts, classes } = this.#writer.write(customer, payments);
    const amount_in_cents = payments.reduce((sum, { amount_in_cents: each }) => sum + each, 0);
    this.#world.addLine(
      {
        ...texts,
        account,
        booked_on: this.#world.bookAfter(last.paid_on),
        amount_in_cents,
        currency: last.currency,
      },
      { payments: payments.map(({ id }) => id), classes: ['combined', ...classes] },
    );
  }

  #write(
    { customer, payment, account }: Settlement,
    how: { on: CalendarDate; amount?: number; must?: RequiredEvidence; add?: LineClass },
  ): void {
    const { texts, classes } = this.#writer.write(customer, [payment], how.must);
    const row = { ...texts, account, booked_on: how.on, ...moneyOf(payment) };
    this.#world.addLine(
      { ...row, amount_in_cents: how.amount ?? payment.amount_in_cents },
      { payments: [payment.id], classes: how.add === undefined ? classes : [how.add, ...classes] },
    );
  }

  #payLate(given: Settlement): void {
    const on = addDays(
      given.payment.paid_on,
      this.#world.facts.lag_to_days + this.#world.random.integer(8, 45),
    );
    this.#write(given, { on, must: { id: 'exact', name: 'full' }, add: 'late' });
  }

  #payShort(given: Settlement): void {
    const { random, facts } = this.#world;
    const fee = Math.min(random.pick([350, 500, 750, 1000, 1500, 2500]), facts.max_fee_in_cents);
    const amount = given.payment.amount_in_cents - fee;
    if (amount <= fee) {
      this.pay(given);
      return;
    }
    const on = this.#world.bookAfter(given.payment.paid_on);
    this.#write(given, { on, amount, add: 'short-by-fee' });
  }

  #payForeign(given: Settlement): void {
    const { random } = this.#world;
    const { payment, customer, account } = given;
    const { texts, classes } = this.#writer.write(customer, [payment]);
    const currency = payment.currency === 'EUR' ? random.pick(['USD', 'CHF']) : 'EUR';
    const rate = random.chance(0.2) ? 1 : 0.8 + random.fraction() * 0.4;
    this.#world.addLine(
      {
        ...texts,
        account,
        currency,
        booked_on: this.#world.bookAfter(payment.paid_on),
        amount_in_cents: Math.round(payment.amount_in_cents * rate),
      },
      { payments: [payment.id], classes: ['foreign-currency', ...classes] },
    );
  }

  #payInParts(given: Settlement): void {
    const { random } = this.#world;
    const total = given.payment.amount_in_cents;
    const first = Math.round((total * random.integer(2, 8)) / 10);
    const on = this.#world.bookAfter(given.payment.paid_on);
    this.#write(given, { on, amount: first, add: 'partial' });
    if (random.chance(0.2)) return;
    const later = addDays(on, random.integer(0, this.#world.facts.lag_to_days));
    this.#write(given, { on: later, amount: total - first, add: 'partial' });
  }

  #payTwice(given: Settlement): void {
    const { customer, payment, account } = given;
    const { texts, classes } = this.#writer.write(customer, [payment]);
    const on = this.#world.bookAfter(payment.paid_on);
    const row = { ...texts, account, ...moneyOf(payment) };
    this.#world.addLine(
      { ...row, booked_on: on },
      { payments: [payment.id], classes: ['duplicate', ...classes] },
    );
    const again = addDays(on, this.#world.random.integer(0, 3));
    this.#world.addLine({ ...row, booked_on: again }, { classes: ['duplicate', 'stranger'] });
  }

  #payAndRefund(given: Settlement): void {
    const { random } = this.#world;
    const { customer, payment } = given;
    const paidOn = this.pay(given);
    const share = random.chance(0.7) ? 1 : 0.5;
    const amount = Math.round(payment.amount_in_cents * share);
    const on = addDays(paidOn, random.integer(1, 20));
    const refund = this.#world.refund(customer, payment, { on, amount, currency: payment.currency });
    if (random.chance(0.1)) return;
    this.#write({ ...given, payment: refund }, { on: this.#world.bookAfter(on), add: 'refund' });
  }

  #payAndTakeBack(given: Settlement): void {
    const { random } = this.#world;
    const { customer, payment, account } = given;
    const paidOn = this.pay(given);
    const { texts, classes } = this.#writer.write(customer, [payment]);
    const chargeback = random.chance(0.5);
    const word = chargeback
      ? random.pick(['CHARGEBACK', 'DISPUTE'])
      : random.pick(['RETURN', 'REVERSAL', 'RÜCKLASTSCHRIFT']);
    this.#world.addLine(
      {
        ...texts,
        account,
        kind: chargeback ? 'chargeback' : 'entry',
        description: `${word} ${texts.description}`,
        booked_on: addDays(paidOn, random.integer(1, 30)),
        amount_in_cents: -payment.amount_in_cents,
        currency: payment.currency,
      },
      { reverses: payment.id, classes: [chargeback ? 'chargeback' : 'return', ...classes] },
    );
  }
}

const moneyOf = ({ amount_in_cents, currency }: MatchPayment) => ({ amount_in_cents, currency });
