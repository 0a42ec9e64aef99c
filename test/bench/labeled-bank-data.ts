import { addDays, toCalendarDate, toDayNumber } from '../../src/domain/ledger/index.ts';
import type { MatchAccount, MatchLine, MatchPayment, MatchPayout } from '../../src/domain/matching/index.ts';
import { bank, line, processor } from '../domain/matching/sample-rows.ts';

/** Characteristics of a year of payments and bank lines. Shares are fractions of the payments, from 0 to 1. */
export interface PaymentMarketOptions {
  readonly seed: number;
  readonly payments: number;
  readonly days: number;
  /** Share with one of the seven prices. The others have any amount. */
  readonly priced: number;
  /** Share of lines without an ID, and share of those with the customer's name. */
  readonly unreferenced: number;
  readonly payeeNamed: number;
  /** Payments without money, unrelated lines, and the share of those with one of the seven prices. */
  readonly missing: number;
  readonly foreign: number;
  readonly foreignPriced: number;
  /** Payments collected twice, refunds, payments in two parts, and two payments in one line. */
  readonly twins: number;
  readonly refunds: number;
  readonly split: number;
  readonly joined: number;
  /** Payments collected by a processor and paid out less fees. */
  readonly processor: number;
  readonly longestLag: number;
}

export const subscriptionMarket: PaymentMarketOptions = {
  seed: 1,
  payments: 100_000,
  days: 365,
  priced: 0.6,
  unreferenced: 0.3,
  payeeNamed: 0.5,
  missing: 0.01,
  foreign: 0.01,
  foreignPriced: 0.3,
  twins: 0.002,
  refunds: 0.01,
  split: 0.002,
  joined: 0.002,
  processor: 0,
  longestLag: 6,
};

export const subscriptionPrices = [900, 1900, 2900, 4900, 9900, 19_900, 29_900] as const;

/** Correct answer: the payment IDs of each line. Empty for an unrelated line. */
export type TruePaymentsByLine = ReadonlyMap<number, readonly number[]>;

export type LineHint = 'id' | 'name' | 'nothing';

export interface LabeledData {
  readonly accounts: readonly MatchAccount[];
  readonly payments: readonly MatchPayment[];
  readonly lines: readonly MatchLine[];
  readonly payouts: readonly MatchPayout[];
  readonly truth: TruePaymentsByLine;
  /** Information about its payment that each line contains. */
  readonly hints: ReadonlyMap<number, LineHint>;
  readonly longestLag: number;
  /** Payout of each deposit, by its line. */
  readonly deposits: ReadonlyMap<number, string>;
}

/** Generates the same numbers for the same seed on every machine. */
export class RandomSource {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed, 0x9e37_79b1) | 0;
  }

  /** Returns a number from 0 up to, but not including, 1. */
  part(): number {
    this.#state = (this.#state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  integerBelow(end: number): number {
    return Math.floor(this.part() * end);
  }

  chance(share: number): boolean {
    return share > 0 && this.part() < share;
  }

  of<T>(values: readonly T[]): T {
    return values[this.integerBelow(values.length)] as T;
  }
}

const FIRST =
  'Amelia James Olivia Noah Grace Henry Chloe Samuel Ruth Peter Nadia Marcus Ellen Owen Priya Daniel Abigail Theo Zoë Jürgen Søren Inés Łukasz Maya Ivan Lena Hugo Clara Felix Anna'.split(
    ' ',
  );
const LAST =
  "Hart Nguyen O'Brien Fletcher Okafor Bennett Castillo Whitfield Larsen Mercer Patel Sutton Abrams Vance Doyle Müller Núñez Kowalski Rossi Dubois Svensson Weiß Ibarra Tanaka Fraser Holm Quist Lund Vogel Reyes Adler Bloom Crane Dietz Ewing Frost Gable Hobbs Irwin Jarvis".split(
    ' ',
  );
const ORGANIZATION =
  'Northwind Bluedoor Cedar Fairlight Granite Lantern Millbrook Osprey Quarry Redwood Saltbox Tidewater Umbra Wren'.split(
    ' ',
  );
const TRADE = 'Dental Books Studio Works Labs Farm Freight Coffee Legal Homes Marine Design'.split(' ');
const FORM = ['LLC', 'Inc.', 'Ltd', 'GmbH', ''];
const UNRELATED_PAYEES = [
  'Office rent refund',
  'Tax authority',
  'Insurance claim',
  'Transfer from savings',
  'Deposit',
  'Incoming payment',
];

/** Ways in which a line shows an ID. */
const SPELLINGS: readonly ((
  id: string,
  draw: RandomSource,
) => Pick<MatchLine, 'reference' | 'description'>)[] = [
  (id) => ({ reference: id, description: 'Incoming payment' }),
  (id) => ({ reference: `INV-${id.padStart(12, '0')}`, description: 'SEPA credit' }),
  (id) => ({ reference: null, description: `Payment of invoice ${id}, thank you` }),
  (id) => ({ reference: null, description: `Transfer ${id.slice(0, 3)} ${id.slice(3)} received` }),
  (id, draw) => ({
    reference: `REF ${id}`,
    description: `Card ${1000 + draw.integerBelow(9000)} terminal ${draw.integerBelow(99)}`,
  }),
];

/** Generates a merchant's payments and bank lines with the correct answers. */
export function createLabeledData(given: Partial<PaymentMarketOptions> = {}): LabeledData {
  const market = { ...subscriptionMarket, ...given };
  return new DataBuilder(market).builder();
}

class DataBuilder {
  readonly #market: PaymentMarketOptions;
  readonly #draw: RandomSource;
  readonly #payments: MatchPayment[] = [];
  readonly #lines: MatchLine[] = [];
  readonly #truth = new Map<number, readonly number[]>();
  readonly #hints = new Map<number, LineHint>();
  readonly #deposits = new Map<number, string>();
  readonly #batches = new Map<string, { day: number; net: number }>();
  #customer = 0;

  constructor(market: PaymentMarketOptions) {
    this.#market = market;
    this.#draw = new RandomSource(market.seed);
  }

  builder(): LabeledData {
    const { payments, refunds, foreign } = this.#market;
    while (this.#payments.length < payments) this.#paid(this.#payment(null));
    for (const payment of this.#payments.slice()) {
      if (this.#draw.chance(refunds) && payment.amount_in_cents > 0) this.#paid(this.#refund(payment));
    }
    for (let n = Math.round(payments * foreign); n > 0; n--) this.#stranger();
    for (const [payout_id, { day, net }] of this.#batches) this.#deposit(payout_id, day, net);
    return {
      accounts: this.#market.processor > 0 ? [bank, processor] : [bank],
      payments: this.#payments,
      lines: this.#lines,
      payouts: [...this.#batches].map(([payout_id, { day, net }]) => ({
        account: processor.id,
        payout_id,
        paid_on: toCalendarDate(day),
        stated_in_cents: net,
      })),
      truth: this.#truth,
      hints: this.#hints,
      longestLag: this.#market.longestLag,
      deposits: this.#deposits,
    };
  }

  #payment(like: MatchPayment | null): MatchPayment {
    const draw = this.#draw;
    const { priced, days, payments } = this.#market;
    const id = 161_537_300 + this.#payments.length * 32 + draw.integerBelow(8);
    const customer = like?.subscription_id ?? this.#nextCustomer();
    const person = new RandomSource(customer);
    const name = `${person.of(FIRST)} ${person.of(LAST)}`;
    const organization = `${person.of(ORGANIZATION)} ${person.of(TRADE)} ${person.of(FORM)}`.trim();
    const day = FIRST_DAY + Math.floor((this.#payments.length * days) / (payments * 1.01));
    const payment: MatchPayment = {
      id,
      kind: 'payment',
      statement_id: 80_168_000 + this.#payments.length * 7,
      subscription_id: customer,
      payment_id: id,
      paid_on: like?.paid_on ?? toCalendarDate(day),
      amount_in_cents:
        like?.amount_in_cents ??
        (draw.chance(priced) ? draw.of(subscriptionPrices) : 500 + draw.integerBelow(49_500)),
      currency: 'USD',
      gateway_transaction_id: `ch_${(id * 7919).toString(36)}Q${draw.integerBelow(1e6).toString(36)}`,
      names: person.chance(0.3) ? [name, organization] : [name],
    };
    this.#payments.push(payment);
    return payment;
  }

  #nextCustomer(): number {
    this.#customer += this.#draw.chance(0.12) ? 1 : 0;
    return (
      15_100_100 +
      (this.#draw.chance(0.5) ? this.#draw.integerBelow(this.#customer + 1) : ++this.#customer) * 5
    );
  }

  #refund(of: MatchPayment): MatchPayment {
    const refund: MatchPayment = {
      ...of,
      id: of.id + 16,
      payment_id: of.id,
      kind: 'refund',
      amount_in_cents: -of.amount_in_cents,
      paid_on: addDays(of.paid_on, this.#draw.integerBelow(20)),
      gateway_transaction_id: `re_${(of.id * 6007).toString(36)}`,
    };
    this.#payments.push(refund);
    return refund;
  }

  #paid(payment: MatchPayment): void {
    const draw = this.#draw;
    const { missing, twins, split, joined, processor: share } = this.#market;
    const day = (toDayNumber(payment.paid_on) as number) + this.#lag();
    if (draw.chance(share)) {
      this.#throughProcessor(payment);
    } else if (draw.chance(missing)) {
      return;
    } else if (payment.kind === 'payment' && draw.chance(twins)) {
      this.#line(day, payment.amount_in_cents, [payment], this.#createTexts(payment));
      const twin = this.#payment(payment);
      this.#line(
        (toDayNumber(twin.paid_on) as number) + this.#lag(),
        twin.amount_in_cents,
        [twin],
        this.#createTexts(twin),
      );
    } else if (payment.kind === 'payment' && draw.chance(split)) {
      const part = 1 + draw.integerBelow(payment.amount_in_cents - 1);
      const texts = { ...SPELLINGS[0]?.(String(payment.id), draw), names: [] };
      this.#line(day, part, [payment], texts);
      this.#line(day + draw.integerBelow(4), payment.amount_in_cents - part, [payment], texts);
    } else if (payment.kind === 'payment' && draw.chance(joined)) {
      const other = this.#payment({ ...payment, amount_in_cents: 500 + draw.integerBelow(20_000) });
      const text = { reference: null, description: `Invoices ${payment.id} and ${other.id}` };
      this.#line(day, payment.amount_in_cents + other.amount_in_cents, [payment, other], text);
    } else {
      this.#line(day, payment.amount_in_cents, [payment], this.#createTexts(payment));
    }
  }

  /**
   * Delay of a line: sometimes one day early (another time zone), mostly one to three days late, longer over a weekend.
   */
  #lag(): number {
    const draw = this.#draw;
    if (draw.chance(0.01)) return -1;
    return draw.chance(0.85) ? draw.integerBelow(4) : draw.integerBelow(this.#market.longestLag + 1);
  }

  #createTexts(payment: MatchPayment): Pick<MatchLine, 'reference' | 'description' | 'counterparty'> {
    const draw = this.#draw;
    const { unreferenced, payeeNamed } = this.#market;
    const name = draw.of(payment.names);
    if (!draw.chance(unreferenced)) {
      const id = draw.of([payment.id, payment.id, payment.statement_id, payment.gateway_transaction_id]);
      const counterparty = draw.chance(payeeNamed) ? name : null;
      if (typeof id === 'string') {
        return draw.chance(0.5)
          ? { reference: id, description: 'Card payment', counterparty }
          : { reference: null, description: `CARD PAYMENT ${id.toUpperCase()} APPROVED`, counterparty };
      }
      return { ...draw.of(SPELLINGS)(String(id), draw), counterparty };
    }
    if (!draw.chance(payeeNamed))
      return { reference: null, description: draw.of(['Incoming payment', 'Deposit']), counterparty: null };
    const [first, last] = [name.split(' ')[0] as string, name.split(' ').slice(1).join(' ')];
    const written = draw.of([name, name.toUpperCase(), `${last} ${first}`]);
    return draw.chance(0.5)
      ? { reference: null, description: `SEPA credit ${written}`, counterparty: null }
      : { reference: null, description: 'SEPA credit', counterparty: written };
  }

  #stranger(): void {
    const draw = this.#draw;
    const day = FIRST_DAY + draw.integerBelow(this.#market.days);
    const amount = draw.chance(this.#market.foreignPriced)
      ? draw.of(subscriptionPrices)
      : 500 + draw.integerBelow(49_500);
    const reference = draw.chance(0.3) ? `RF ${draw.integerBelow(1e9)}` : null;
    this.#line(day, amount, [], { reference, description: draw.of(UNRELATED_PAYEES), counterparty: null });
  }

  #throughProcessor(payment: MatchPayment): void {
    const day = toDayNumber(payment.paid_on) as number;
    const payout_id = `po_${(day * 104_729).toString(36)}`;
    const fee = Math.round(Math.abs(payment.amount_in_cents) * 0.029) + 30;
    const batch = this.#batches.get(payout_id) ?? { day: day + 2, net: 0 };
    batch.net += payment.amount_in_cents - fee;
    this.#batches.set(payout_id, batch);
    const ids = { gateway_transaction_id: payment.gateway_transaction_id, payout_id };
    const fees = { fee_in_cents: fee, net_in_cents: payment.amount_in_cents - fee };
    const kind = payment.kind;
    const line = this.#line(day, payment.amount_in_cents, [payment], {
      description: 'charge',
      reference: null,
    });
    this.#lines[line] = { ...(this.#lines[line] as MatchLine), ...ids, ...fees, kind, account: processor.id };
  }

  #deposit(payout_id: string, day: number, net: number): void {
    const said = this.#draw.chance(0.7) ? ` ${payout_id}` : '';
    const at = this.#line(day + this.#draw.integerBelow(3), net, [], {
      description: `Card processor payout${said}`,
      reference: null,
    });
    this.#deposits.set((this.#lines[at] as MatchLine).id, payout_id);
  }

  #line(day: number, amount: number, of: readonly MatchPayment[], texts: Partial<MatchLine>): number {
    const id = this.#lines.length + 1;
    const text = `${texts.reference ?? ''} ${texts.description ?? ''}`.replace(/ /g, '');
    const named = of.some(
      ({ names }) =>
        names.includes(texts.counterparty ?? '') || names.some((name) => containsAllWords(name, text)),
    );
    const identified = of.some(
      (payment) =>
        texts.gateway_transaction_id !== undefined ||
        idsOf(payment).some((each) => text.toLowerCase().includes(each)),
    );
    this.#hints.set(id, identified ? 'id' : named ? 'name' : 'nothing');
    this.#truth.set(
      id,
      of.map((payment) => payment.id),
    );
    const row = { id, booked_on: toCalendarDate(day), amount_in_cents: amount, description: '', ...texts };
    return this.#lines.push(line(row)) - 1;
  }
}

const FIRST_DAY = toDayNumber('2026-01-01') as number;

const idsOf = ({ id, statement_id, gateway_transaction_id }: MatchPayment): readonly string[] => [
  String(id),
  String(statement_id),
  String(gateway_transaction_id).toLowerCase(),
];

function containsAllWords(name: string, text: string): boolean {
  return name.split(' ').every((word) => text.toLowerCase().includes(word.toLowerCase()));
}
