import { addDays, type CalendarDate } from '../../../src/domain/ledger/index.ts';
import type { MatchPayment } from '../../../src/domain/matching/index.ts';
import type { Customer, World } from '../model/world.ts';
import { addStrangers } from './strangers.ts';
import { type Character, startWorld, type WorldStart } from './world-start.ts';

const ACCOUNTS = { EUR: 1, USD: 2 } as const;

const character: Character = {
  salt: 23,
  widths: [27, 35, null],
  names: { companyShare: 0.95, particleShare: 0.05, english: false },
  words: {
    words: ['WIRE IN', 'SWIFT', 'FOREIGN PAYMENT', 'CREDIT TRANSFER', 'ZAHLUNG', 'INCOMING'],
    idWords: ['INV ', 'RG-NR ', 'INVOICE NO ', 'RE', '/RFB/', ''],
  },
  limits: {
    missing: 0.06,
    missingStatement: 0.03,
    late: 0.05,
    shortByFee: 0.12,
    foreign: 0.12,
    partial: 0.08,
    duplicate: 0.01,
    refund: 0.03,
    takenBack: 0.005,
  },
};

/** Wholesale invoices: few customers with many invoices, any amounts, wires for several invoices, two currencies. */
export function generateWholesale(seed: number, lines: number): World {
  const start = startWorld(seed, character);
  const { random, world, names } = start;
  const customers: Customer[] = Array.from(
    { length: Math.max(5, Math.round(lines / random.integer(8, 40))) },
    () => world.createCustomer(names.draw(), start.from),
  );
  const roundShare = random.pick([0.05, 0.3, 0.6]);
  const togetherShare = random.rate(0.2);
  const orders = new Orders(start, togetherShare);
  const target = lines * 0.94;
  for (let n = 0; world.lineCount < target && n < lines * 4; n++) {
    const customer = random.pick(customers);
    const amount = random.chance(roundShare) ? random.integer(2, 40) * 5000 : random.integer(5000, 2_000_000);
    orders.bill(customer, addDays(start.from, Math.floor((n / target) * start.days)), amount);
  }
  const share = (limit: number): number => Math.round(random.rate(limit) * lines);
  for (const [currency, account] of Object.entries(ACCOUNTS)) {
    const options = {
      account,
      currency,
      from: start.from,
      days: start.days,
      unrelated: share(0.03),
      equalAmount: share(0.015),
      namesakes: share(0.02),
      payouts: share(0.01),
    };
    addStrangers({ world, writer: start.writer, names, customers, options });
  }
  return world.build({
    generator: 'wholesale',
    seed,
    parameters: { ...start.parameters, round_share: roundShare, together_share: togetherShare },
    accounts: [
      { id: ACCOUNTS.EUR, name: 'EUR account', kind: 'bank', window: null },
      { id: ACCOUNTS.USD, name: 'USD account', kind: 'bank', window: null },
    ],
  });
}

/** Bills invoices and pays them one by one or together. */
class Orders {
  readonly #start: WorldStart;
  readonly #togetherShare: number;
  /** Payments of a customer that the next wire will contain. */
  readonly #waiting = new Map<number, MatchPayment[]>();

  constructor(start: WorldStart, togetherShare: number) {
    this.#start = start;
    this.#togetherShare = togetherShare;
  }

  bill(customer: Customer, on: CalendarDate, amount: number): void {
    const { random, world, settler, rates } = this.#start;
    const currency = customer.subscription % 4 === 0 ? 'USD' : 'EUR';
    const account = ACCOUNTS[currency];
    if (random.chance(rates.missingStatement)) {
      settler.payUnknown(customer, account, { on, amount, currency });
      return;
    }
    const payment = world.pay(customer, { on, amount, currency });
    const oldest = this.#waiting.get(customer.subscription)?.[0];
    if (oldest !== undefined && oldest.paid_on < addDays(on, -2)) this.#payWaiting(customer, account);
    if (random.chance(this.#togetherShare)) this.#addWaiting(customer, payment, account);
    else settler.settle({ customer, payment, account });
  }

  #addWaiting(customer: Customer, payment: MatchPayment, account: number): void {
    const payments = [...(this.#waiting.get(customer.subscription) ?? []), payment];
    this.#waiting.set(customer.subscription, payments);
    if (payments.length >= this.#start.random.integer(2, 5)) this.#payWaiting(customer, account);
  }

  #payWaiting(customer: Customer, account: number): void {
    const payments = this.#waiting.get(customer.subscription) ?? [];
    this.#start.settler.payTogether(payments, customer, account);
    this.#waiting.delete(customer.subscription);
  }
}
