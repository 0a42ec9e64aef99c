import { addDays } from '../../../src/domain/ledger/index.ts';
import type { MatchPayment } from '../../../src/domain/matching/index.ts';
import type { Customer, World } from '../model/world.ts';
import { addStrangers } from './strangers.ts';
import { type Character, startWorld, type WorldStart } from './world-start.ts';

const ACCOUNT = 1;

const character: Character = {
  salt: 11,
  widths: [16, 27, 35, null],
  names: { companyShare: 0.25, particleShare: 0.12, english: false },
  words: {
    words: ['UEBERWEISUNG', 'GUTSCHRIFT', 'PREMIUM', 'BEITRAG', 'SEPA CREDIT TRANSFER', 'DAUERAUFTRAG'],
    idWords: ['', 'Policy ', 'VS-NR ', 'INV', 'Rechnung ', 'REF '],
  },
  limits: {
    missing: 0.05,
    missingStatement: 0.02,
    late: 0.02,
    shortByFee: 0.03,
    foreign: 0.04,
    partial: 0.01,
    duplicate: 0.01,
    refund: 0.02,
    takenBack: 0.01,
  },
};

/** Insurance premiums: persons and small firms, few prices, many namesakes, premiums of relatives in one transfer. */
export function generateInsurance(seed: number, lines: number): World {
  const start = startWorld(seed, character);
  const { random, world, settler, names } = start;
  const prices = Array.from({ length: random.integer(2, 5) }, () => random.integer(900, 30_000));
  const pricedShare = random.pick([0.5, 0.8, 0.95]);
  const togetherShare = random.rate(0.05);
  const customers: Customer[] = [];
  let waiting: { customer: Customer; payments: MatchPayment[] } | null = null;
  const target = lines * 0.92;
  for (let n = 0; world.lineCount < target && n < lines * 3; n++) {
    const customer = pickCustomer(start, customers);
    const amount = random.chance(pricedShare) ? random.pick(prices) : random.integer(900, 90_000);
    // Dates ascend with the ids, as in real billing records.
    const on = addDays(start.from, Math.floor((n / target) * start.days));
    const billed = { on, amount, currency: 'EUR' };
    if (random.chance(start.rates.missingStatement)) {
      settler.payUnknown(customer, ACCOUNT, billed);
      continue;
    }
    const payment = world.pay(customer, billed);
    if (waiting !== null) {
      settler.payTogether([...waiting.payments, payment], waiting.customer, ACCOUNT);
      waiting = null;
    } else if (random.chance(togetherShare)) {
      waiting = { customer, payments: [payment] };
    } else {
      settler.settle({ customer, payment, account: ACCOUNT });
    }
  }
  const share = (limit: number): number => Math.round(random.rate(limit) * lines);
  addStrangers({
    world,
    writer: start.writer,
    names,
    customers,
    options: {
      account: ACCOUNT,
      currency: 'EUR',
      from: start.from,
      days: start.days,
      unrelated: share(0.04),
      equalAmount: share(0.03),
      namesakes: share(0.03),
      payouts: share(0.01),
    },
  });
  return world.build({
    generator: 'insurance',
    seed,
    parameters: { ...start.parameters, prices: prices.join(' '), priced_share: pricedShare },
    accounts: [{ id: ACCOUNT, name: 'Premium account', kind: 'bank', window: null }],
  });
}

/** Returns an existing customer for every fourth payment, otherwise a new one. */
function pickCustomer({ random, world, names, from }: WorldStart, customers: Customer[]): Customer {
  if (customers.length > 10 && random.chance(0.25)) return random.pick(customers);
  const base = customers.length > 0 && random.chance(0.08) ? random.pick(customers) : null;
  const drawn = base === null ? names.draw() : names.drawNamesake(base);
  const customer = world.createCustomer(drawn, from);
  customers.push(customer);
  return customer;
}
