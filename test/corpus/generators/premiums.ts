import { addDays, type CalendarDate } from '../../../src/domain/ledger/index.ts';
import type { MatchPayment } from '../../../src/domain/matching/index.ts';
import { Random } from '../model/random.ts';
import type { Customer, LineClass, World } from '../model/world.ts';
import { IdSequence, type IdStyle, slipDigit } from '../text/ids.ts';
import { NameFactory } from '../text/name-factory.ts';
import { cutAtWidth, toBankLetters, toInitials, toSurnameFirst } from '../text/name-forms.ts';
import { WorldBuilder } from './world-builder.ts';

const ACCOUNT = 1;
const FEES = [500, 1000, 1500, 2250];
const PRICED_SHARE = 0.8;
const DAYS = 180;

/** How the bank and the payers of a world write lines. */
interface Habits {
  readonly idShare: number;
  readonly nameShare: number;
  readonly slipRate: number;
  readonly feeRate: number;
  readonly foreignRate: number;
  readonly jointRate: number;
  readonly lateRate: number;
  readonly unpaidRate: number;
  readonly initialsRate: number;
  readonly quotes: readonly string[];
  readonly words: string;
  readonly inReference: boolean;
  readonly inColumn: boolean;
  readonly surnameFirst: boolean;
}

type Evidence = { readonly id: string | null; readonly name: string | null };

/** Premiums at three prices: half of the evidence is missing, and each error of a payer occurs independently. */
export function generatePremiums(seed: number, lines: number): World {
  const random = new Random(seed * 31 + 5);
  const premiums = new Premiums(random, drawWidth(random), random.pick<IdStyle>(['dense', 'sparse']));
  const count = Math.round(lines * 0.95);
  for (let n = 0; n < count; n++) premiums.addPayment(addDays('2025-02-03', Math.floor((n / count) * DAYS)));
  for (let n = 0; n < lines * 0.05; n++) premiums.addStranger(addDays('2025-02-03', random.integer(2, DAYS)));
  return premiums.build(seed);
}

const drawWidth = (random: Random): number | null => random.pick([16, 16, 27, null]);

class Premiums {
  readonly #random: Random;
  readonly #world: WorldBuilder;
  readonly #names: NameFactory;
  readonly #habits: Habits;
  readonly #prices: readonly number[];
  readonly #customers: Customer[] = [];
  readonly #printed = new Set<string>();
  #waiting: { customer: Customer; payments: MatchPayment[] } | null = null;

  constructor(random: Random, width: number | null, style: IdStyle) {
    this.#random = random;
    this.#habits = drawHabits(random);
    this.#prices = [0, 1, 2].map((n) => 1990 + n * 1500 + random.integer(0, 9) * 100);
    this.#names = new NameFactory(random, {
      families: random.integer(20, 90),
      companyShare: 0.2,
      particleShare: 0.1,
      english: random.chance(0.5),
    });
    const first = random.integer(1_200_000, 7_000_000);
    const facts = { lag_from_days: 0, lag_to_days: 5, name_width: width, max_fee_in_cents: 2500 };
    this.#world = new WorldBuilder(random, facts, {
      payment: new IdSequence(random, style, first * 9),
      statement: new IdSequence(random, style, first),
      subscription: new IdSequence(random, 'sparse', 50_000_000),
    });
  }

  addPayment(on: CalendarDate): void {
    const [random, habits] = [this.#random, this.#habits];
    const customer = this.#pickCustomer(on);
    const amount = random.chance(PRICED_SHARE) ? random.pick(this.#prices) : random.integer(1000, 90_000);
    const payment = this.#world.pay(customer, { on, amount, currency: 'EUR' });
    if (this.#waiting !== null) {
      this.#addJointLine([...this.#waiting.payments, payment], this.#waiting.customer);
      this.#waiting = null;
    } else if (random.chance(habits.unpaidRate)) return;
    else if (random.chance(habits.jointRate)) this.#waiting = { customer, payments: [payment] };
    else if (random.chance(habits.foreignRate)) this.#addForeignLine(payment);
    else this.#addOwnLine(payment, customer);
  }

  /** Adds a line of somebody who is no customer. An anonymous stranger pays one of the three prices. */
  addStranger(on: CalendarDate): void {
    const random = this.#random;
    const like = random.pick(this.#customers);
    const isNamesake = random.chance(0.3);
    const name = (isNamesake ? this.#names.drawNamesake(like) : this.#names.draw()).name;
    const printed = this.#print(name);
    const isAnonymous = random.chance(0.2);
    // A name that the bank cuts to a customer's name cannot be told from it.
    if (
      !isAnonymous &&
      [...this.#printed].some((each) => each.startsWith(printed) || printed.startsWith(each))
    )
      return;
    const number = random.chance(0.3) ? String(random.integer(10_000, 999_999)) : null;
    this.#addLine(
      { id: number, name: isAnonymous ? null : printed },
      {
        on,
        amount: isAnonymous || random.chance(0.6) ? random.pick(this.#prices) : random.integer(1000, 90_000),
      },
      { classes: [isNamesake && !isAnonymous ? 'stranger-namesake' : 'stranger'] },
    );
  }

  build(seed: number): World {
    const { facts } = this.#world;
    return this.#world.build({
      generator: 'premiums',
      seed,
      parameters: { prices: this.#prices.join(' '), name_width: facts.name_width, ...toShares(this.#habits) },
      accounts: [{ id: ACCOUNT, name: 'Collection account', kind: 'bank', window: null }],
    });
  }

  #addOwnLine(payment: MatchPayment, customer: Customer): void {
    const [random, habits] = [this.#random, this.#habits];
    const isLate = random.chance(habits.lateRate);
    const isShort = random.chance(habits.feeRate) && payment.amount_in_cents > 4000;
    const isComplete = isLate || isShort;
    const hasId = isComplete || random.chance(habits.idShare);
    const hasName = isComplete || random.chance(habits.nameShare);
    const isSlipped = hasId && !isComplete && random.chance(habits.slipRate);
    const isInitials =
      hasName && hasId && !isComplete && !customer.company && random.chance(habits.initialsRate);
    const id = isSlipped ? slipDigit(random, payment.statement_id) : String(payment.statement_id);
    const name = this.#print(isInitials ? toInitials(customer.name) : customer.name);
    const classes: LineClass[] = [
      hasId ? (hasName ? 'clean' : 'id-only') : hasName ? 'name-only' : 'amount-only',
    ];
    if (isSlipped) classes.push('slipped-id');
    if (isInitials) classes.push('initials');
    if (isLate) classes.push('late');
    if (isShort) classes.push('short-by-fee');
    const arrival = this.#world.bookAfter(payment.paid_on);
    this.#addLine(
      { id: hasId ? id : null, name: hasName ? name : null },
      {
        on: isLate ? addDays(arrival, random.integer(9, 40)) : arrival,
        amount: payment.amount_in_cents - (isShort ? random.pick(FEES) : 0),
      },
      { payments: [payment.id], classes },
    );
  }

  #addJointLine(payments: readonly MatchPayment[], payer: Customer): void {
    const last = payments.at(-1) as MatchPayment;
    const ids = payments.map(({ statement_id }) => statement_id);
    if (this.#random.chance(this.#habits.slipRate))
      ids[0] = Number(slipDigit(this.#random, ids[0] as number));
    this.#addLine(
      { id: ids.join(this.#random.pick([' ', ', ', ' + '])), name: this.#print(payer.name) },
      {
        on: this.#world.bookAfter(last.paid_on),
        amount: payments.reduce((sum, { amount_in_cents }) => sum + amount_in_cents, 0),
      },
      { payments: payments.map(({ id }) => id), classes: ['combined'] },
    );
  }

  #addForeignLine(payment: MatchPayment): void {
    this.#addLine(
      { id: String(payment.statement_id), name: null },
      {
        on: this.#world.bookAfter(payment.paid_on),
        amount: Math.round(payment.amount_in_cents * 1.083),
        currency: 'USD',
      },
      { payments: [payment.id], classes: ['foreign-currency'] },
    );
  }

  #addLine(
    { id, name }: Evidence,
    { on, amount, currency = 'EUR' }: { on: CalendarDate; amount: number; currency?: string },
    label: { payments?: readonly number[]; classes: readonly LineClass[] },
  ): void {
    const { words, quotes, inReference, inColumn } = this.#habits;
    const quoted = id === null ? null : this.#random.pick(quotes).replace('#', id);
    const rest = [inColumn ? null : name, inReference ? null : quoted].filter((text) => text !== null);
    this.#world.addLine(
      {
        account: ACCOUNT,
        booked_on: on,
        amount_in_cents: amount,
        currency,
        description: [words, ...rest].join(' '),
        reference: inReference ? quoted : null,
        counterparty: inColumn ? name : null,
      },
      label,
    );
  }

  #pickCustomer(since: CalendarDate): Customer {
    const random = this.#random;
    const known = this.#customers;
    if (known.length > 20 && random.chance(0.35)) return random.pick(known);
    const isNamesake = known.length > 0 && random.chance(0.06);
    const drawn = isNamesake ? this.#names.drawNamesake(random.pick(known)) : this.#names.draw();
    const customer = this.#world.createCustomer(drawn, since);
    known.push(customer);
    this.#printed.add(this.#print(customer.name));
    return customer;
  }

  #print(name: string): string {
    const ordered = this.#habits.surnameFirst && !/\d/.test(name) ? toSurnameFirst(name) : name;
    return cutAtWidth(toBankLetters(ordered).toUpperCase(), this.#world.facts.name_width);
  }
}

function drawHabits(random: Random): Habits {
  return {
    idShare: 0.4 + random.fraction() * 0.55,
    nameShare: 0.4 + random.fraction() * 0.55,
    slipRate: random.rate(0.06),
    feeRate: random.rate(0.04),
    foreignRate: random.rate(0.02),
    jointRate: random.rate(0.04),
    lateRate: random.rate(0.02),
    unpaidRate: random.rate(0.05),
    initialsRate: random.rate(0.05),
    quotes: random.pick([['#'], ['INV #', '#', 'INVOICE #'], ['RE-NR #'], ['POLICE # DANKE', 'POLICE #']]),
    words: random.pick(['GUTSCHRIFT', 'WIRE IN', 'SEPA CREDIT', 'ZAHLUNGSEINGANG']),
    inReference: random.chance(0.5),
    inColumn: random.chance(0.7),
    surnameFirst: random.chance(0.2),
  };
}

const toShares = ({ idShare, nameShare, slipRate, unpaidRate }: Habits) => ({
  id_share: idShare,
  name_share: nameShare,
  slip_rate: slipRate,
  unpaid_rate: unpaidRate,
});
