import { addDays, type CalendarDate } from '../../../src/domain/ledger/index.ts';
import type { MatchLine, MatchPayment } from '../../../src/domain/matching/index.ts';
import { Random } from '../model/random.ts';
import type { LineClass, LineLabel, World } from '../model/world.ts';
import { companyForms, companyKinds, firstNames, surnames } from '../text/name-pools.ts';

/** A small world with one misleading situation, and what a matcher may confirm. */
export interface TrapCase {
  readonly world: World;
  /** Lines that must not be confirmed at all. Other lines may be confirmed, but only with the labelled payments. */
  readonly never: ReadonlySet<number>;
  /** Lines that must be confirmed. */
  readonly must: ReadonlySet<number>;
}

/** Cause of wrong matches, numbered as in the README. */
export type TrapCause = 1 | 2 | 3 | 4 | 5 | 6 | 7;

export interface Trap {
  readonly title: string;
  readonly cause: TrapCause;
  /** Fills a trap with the names, prices, dates and ids of a variant. */
  readonly fill: (trap: TrapBuilder) => void;
}

/** True answer for a line of a trap. */
export interface TrapAnswer {
  readonly payments?: readonly MatchPayment[];
  readonly reverses?: MatchPayment;
  /** What a matcher may do; by default it may confirm the true answer. */
  readonly confirm?: 'never' | 'must';
  readonly kind: LineClass;
}

type PaymentFields = Partial<MatchPayment> & { readonly name: string };
type LineFields = Partial<MatchLine> & { readonly days?: number };

const ACCOUNT = 1;
const BACKGROUNDS = [0, 8, 25, 60, 120] as const;

export const VARIANTS = 6;

/** Collects the rows of one variant of a trap. */
export class TrapBuilder {
  readonly variant: number;
  readonly random: Random;
  /** First day of the trap. */
  readonly start: CalendarDate;
  /** A price that several rows of the trap share. */
  readonly price: number;
  readonly currency: string;
  readonly #payments: MatchPayment[] = [];
  readonly #lines: MatchLine[] = [];
  readonly #labels: LineLabel[] = [];
  readonly #never = new Set<number>();
  readonly #must = new Set<number>();
  readonly #names = new Set<string>();
  readonly #step: number;
  #statement: number;

  constructor(variant: number, salt: number) {
    this.variant = variant;
    this.random = new Random(variant * 7919 + salt);
    this.start = addDays('2024-02-01', this.random.integer(0, 700));
    this.price = this.random.integer(1100, 90_000);
    this.currency = this.random.pick(['EUR', 'USD', 'GBP', 'CHF']);
    this.#step = variant % 2 === 0 ? 1 : 613;
    this.#statement = this.random.integer(3_000_000, 90_000_000);
  }

  /** Draws a surname that no other row of the trap has. */
  surname(): string {
    return this.#drawNew(() => this.random.pick(surnames));
  }

  /** Draws different given names, with the same first letter if required. */
  givenNames(count: number, sameLetter = false): string[] {
    const [first = ''] = this.random.shuffle([...firstNames]);
    const others = this.random
      .shuffle([...firstNames])
      .filter((name) => name !== first && name.startsWith(first.slice(0, 1)) === sameLetter);
    const names = [first, ...others.slice(0, count - 1)];
    return names.length === count ? names : this.givenNames(count, sameLetter);
  }

  person(): string {
    return `${this.givenNames(1)[0]} ${this.surname()}`;
  }

  company(form: string = this.random.pick(companyForms)): string {
    return `${this.random.pick(companyKinds)} ${this.surname()} ${form}`;
  }

  /** Adds a payment, by default at the trap's price on its first day. */
  pay({ name, ...fields }: PaymentFields): MatchPayment {
    this.#statement += this.#step;
    const id = fields.id ?? this.#statement + 100_000_000;
    const payment: MatchPayment = {
      id,
      kind: 'payment',
      statement_id: this.#statement,
      subscription_id: this.#statement + 300_000_000,
      payment_id: id,
      paid_on: this.start,
      amount_in_cents: this.price,
      currency: this.currency,
      gateway_transaction_id: null,
      names: [name],
      ...fields,
    };
    this.#payments.push(payment);
    return payment;
  }

  /** Adds a line, by default at the trap's price two days after its first day. */
  line({ days = 2, ...fields }: LineFields, answer: TrapAnswer): MatchLine {
    const line: MatchLine = {
      id: this.#lines.length + 1,
      account: ACCOUNT,
      booked_on: addDays(this.start, days),
      value_on: null,
      amount_in_cents: this.price,
      currency: this.currency,
      kind: 'entry',
      description: 'CREDIT TRANSFER',
      reference: null,
      counterparty: null,
      bank_id: null,
      payout_id: null,
      gateway_transaction_id: null,
      fee_in_cents: null,
      net_in_cents: null,
      ...fields,
    };
    this.#lines.push(line);
    this.#labels.push({
      line: line.id,
      payments: (answer.payments ?? []).map(({ id }) => id),
      reverses: answer.reverses?.id ?? null,
      payout_id: null,
      classes: [answer.kind],
    });
    if (answer.confirm === 'never') this.#never.add(line.id);
    if (answer.confirm === 'must') this.#must.add(line.id);
    return line;
  }

  /** Adds ordinary payments with lines that quote their ids and names. Some variants have none. */
  addBackground(count: number = BACKGROUNDS[this.variant % BACKGROUNDS.length] as number): void {
    for (let n = 0; n < count; n++) this.addOrdinaryPair(n);
  }

  /** Adds an ordinary payment at its own price with the line that pays it. */
  addOrdinaryPair(n: number): MatchPayment {
    const amount_in_cents = 200_000 + n * 331 + this.random.integer(0, 300);
    const payment = this.pay({
      name: this.#drawOther(n),
      amount_in_cents,
      paid_on: addDays(this.start, n % 40),
    });
    this.line(
      {
        days: (n % 40) + this.random.integer(1, 3),
        amount_in_cents,
        reference: String(payment.statement_id),
        counterparty: (payment.names[0] ?? '').toUpperCase(),
      },
      { payments: [payment], kind: 'clean' },
    );
    return payment;
  }

  /** Adds one of many payments at three prices, with a line that quotes only its id. */
  addPairById(n: number, confirm: 'must' | undefined): MatchPayment {
    const amount_in_cents = 200_000 + (n % 3) * 1000;
    const payment = this.pay({
      name: this.#drawOther(n),
      amount_in_cents,
      paid_on: addDays(this.start, n % 20),
    });
    this.line(
      {
        days: (n % 20) + this.random.integer(1, 3),
        amount_in_cents,
        reference: `INV ${payment.statement_id}`,
      },
      { payments: [payment], kind: 'id-only', ...(confirm === undefined ? {} : { confirm }) },
    );
    return payment;
  }

  build(title: string, width: number | null = null): TrapCase {
    const world: World = {
      generator: `trap: ${title}`,
      seed: this.variant,
      facts: { lag_from_days: 0, lag_to_days: 5, name_width: width, max_fee_in_cents: 2500 },
      parameters: {},
      accounts: [{ id: ACCOUNT, name: 'Current account', kind: 'bank', window: null }],
      payments: this.#payments,
      lines: this.#lines,
      payouts: [],
      labels: this.#labels,
    };
    return { world, never: this.#never, must: this.#must };
  }

  #drawOther(n: number): string {
    const letters = String.fromCharCode(97 + (n % 26), 97 + Math.floor(n / 26));
    return `${this.random.pick(firstNames)} Nomen${letters}`;
  }

  #drawNew(draw: () => string): string {
    for (;;) {
      const name = draw();
      if (this.#names.has(name)) continue;
      this.#names.add(name);
      return name;
    }
  }
}
