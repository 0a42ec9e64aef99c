import { addDays, type CalendarDate } from '../../../src/domain/ledger/index.ts';
import type { MatchPayment } from '../../../src/domain/matching/index.ts';
import type { Customer, World } from '../model/world.ts';
import { addStrangers } from './strangers.ts';
import { type Character, startWorld, type WorldStart } from './world-start.ts';

const BANK = 1;
const PROCESSOR = 2;
const CURRENCY = 'USD';

const character: Character = {
  salt: 53,
  widths: [16, 35, null],
  names: { companyShare: 0.7, particleShare: 0.08, english: true },
  words: {
    words: ['ACH CREDIT', 'WIRE TRANSFER', 'ONLINE TRANSFER', 'CHECK DEPOSIT', 'LOCKBOX', 'CREDIT'],
    idWords: ['INV', 'Invoice ', 'stmt ', 'ref ', '#', ''],
  },
  limits: {
    missing: 0.04,
    missingStatement: 0.02,
    late: 0.02,
    shortByFee: 0.03,
    foreign: 0.03,
    partial: 0.01,
    duplicate: 0.01,
    refund: 0.03,
    takenBack: 0.02,
  },
};

interface Habits {
  /** Share of payouts whose deposit quotes the payout's id. */
  readonly quotedPayouts: number;
  /** Share of report lines with a gateway id. The others quote a statement id. */
  readonly gatewayShare: number;
  readonly daysPerPayout: number;
}

/** Software subscriptions: card payments in a processor's report with payouts, and bank transfers at few prices. */
export function generateSaas(seed: number, lines: number): World {
  const start = startWorld(seed, character);
  const { random, world, settler, names } = start;
  const prices = random.shuffle([900, 1900, 2900, 4900, 9900, 19_900, 49_900]).slice(0, random.integer(2, 7));
  const cardShare = random.pick([0.2, 0.5, 0.8]);
  const habits: Habits = {
    quotedPayouts: random.pick([0, 0.5, 1]),
    gatewayShare: random.pick([0.7, 0.95, 1]),
    daysPerPayout: random.integer(1, 4),
  };
  const customers: Customer[] = [];
  let collected: Collected[] = [];
  let paidOut = 0;
  const target = lines * 0.92;
  for (let n = 0; world.lineCount < target && n < lines * 3; n++) {
    const day = Math.floor((n / target) * start.days);
    const on = addDays(start.from, day);
    if (day >= paidOut + habits.daysPerPayout) {
      addPayout(start, { collected, on, habits });
      collected = [];
      paidOut = day;
    }
    const customer = pickCustomer(start, customers);
    const amount = random.chance(0.85) ? random.pick(prices) : random.integer(500, 80_000);
    if (random.chance(cardShare)) {
      collected.push(chargeCard(start, customer, { on, amount }));
    } else if (random.chance(start.rates.missingStatement)) {
      settler.payUnknown(customer, BANK, { on, amount, currency: CURRENCY });
    } else {
      const payment = world.pay(customer, { on, amount, currency: CURRENCY });
      settler.settle({ customer, payment, account: BANK });
    }
  }
  const share = (limit: number): number => Math.round(random.rate(limit) * lines);
  addStrangers({
    world,
    writer: start.writer,
    names,
    customers,
    options: {
      account: BANK,
      currency: CURRENCY,
      from: start.from,
      days: start.days,
      unrelated: share(0.03),
      equalAmount: share(0.02),
      namesakes: share(0.02),
      payouts: share(0.01),
    },
  });
  return world.build({
    generator: 'saas',
    seed,
    parameters: { ...start.parameters, prices: prices.join(' '), card_share: cardShare, ...describe(habits) },
    accounts: [
      { id: BANK, name: 'Operating account', kind: 'bank', window: null },
      { id: PROCESSOR, name: 'Card processor', kind: 'processor', window: null },
    ],
  });
}

const describe = ({ quotedPayouts, gatewayShare, daysPerPayout }: Habits) => ({
  quoted_payouts: quotedPayouts,
  gateway_share: gatewayShare,
  days_per_payout: daysPerPayout,
});

function pickCustomer({ random, world, names, from }: WorldStart, customers: Customer[]): Customer {
  if (customers.length > 5 && random.chance(0.6)) return random.pick(customers);
  const base = customers.length > 0 && random.chance(0.08) ? random.pick(customers) : null;
  const customer = world.createCustomer(base === null ? names.draw() : names.drawNamesake(base), from);
  customers.push(customer);
  return customer;
}

interface Collected {
  readonly payment: MatchPayment;
  readonly kind: 'payment' | 'refund' | 'chargeback';
  /** Payment that a chargeback takes back. */
  readonly of: MatchPayment | null;
}

/** Bills a card payment and now and then its refund. */
function chargeCard(
  { random, world }: WorldStart,
  customer: Customer,
  { on, amount }: { on: CalendarDate; amount: number },
): Collected {
  const gateway = `ch_${drawToken(random.integer(0, 2 ** 31 - 1))}${drawToken(random.integer(0, 2 ** 31 - 1))}`;
  const payment = world.pay(customer, { on, amount, currency: CURRENCY, gateway });
  return { payment, kind: 'payment', of: null };
}

const drawToken = (number: number): string => number.toString(36).padStart(6, '0');

/** Writes the report lines of a payout, its fees, and its deposit at the bank. */
function addPayout(
  start: WorldStart,
  given: { collected: readonly Collected[]; on: CalendarDate; habits: Habits },
): void {
  const { random, world } = start;
  if (given.collected.length === 0) return;
  const payout_id = `po_${drawToken(random.integer(0, 2 ** 31 - 1))}${drawToken(given.collected[0]?.payment.id ?? 0)}`;
  let net = 0;
  for (const each of given.collected) {
    if (random.chance(start.rates.missing)) continue;
    net += addReportLine(start, { ...given, payout_id, each });
    if (random.chance(start.rates.takenBack)) net += addChargeback(start, { ...given, payout_id, each });
  }
  if (random.chance(0.2)) net += addMonthlyFee(start, payout_id, given.on);
  if (net <= 0) return;
  const atProcessor = { account: PROCESSOR, currency: CURRENCY, payout_id };
  world.addLine(
    { ...atProcessor, booked_on: given.on, amount_in_cents: -net, kind: 'payout', description: 'Payout' },
    { payout_id, classes: ['payout'] },
  );
  world.payouts.push({
    account: PROCESSOR,
    payout_id,
    currency: CURRENCY,
    paid_on: given.on,
    stated_in_cents: net,
  });
  if (random.chance(start.rates.missing)) return;
  const quoted = random.chance(given.habits.quotedPayouts);
  world.addLine(
    {
      account: BANK,
      currency: CURRENCY,
      booked_on: addDays(given.on, random.integer(0, 4)),
      amount_in_cents: net,
      description: quoted ? `CARDPAY PAYOUT ${payout_id}` : 'CARDPAY PAYOUT',
    },
    { payout_id, classes: ['payout'] },
  );
}

interface ReportRow {
  readonly each: Collected;
  readonly payout_id: string;
  readonly on: CalendarDate;
  readonly habits: Habits;
}

/** Writes the report line of a payment and returns its net amount. */
function addReportLine({ random, world }: WorldStart, { each, payout_id, habits }: ReportRow): number {
  const { payment } = each;
  const fee = Math.round(payment.amount_in_cents * 0.029) + 30;
  const byGateway = random.chance(habits.gatewayShare);
  world.addLine(
    {
      account: PROCESSOR,
      currency: CURRENCY,
      payout_id,
      booked_on: payment.paid_on,
      amount_in_cents: payment.amount_in_cents,
      kind: 'payment',
      description: byGateway ? 'Charge' : `Statement ${payment.statement_id}`,
      gateway_transaction_id: byGateway ? payment.gateway_transaction_id : null,
      fee_in_cents: fee,
      net_in_cents: payment.amount_in_cents - fee,
    },
    { payments: [payment.id], classes: ['processor-payment'] },
  );
  return payment.amount_in_cents - fee;
}

/** Writes a chargeback in the report and returns its net amount. */
function addChargeback({ world }: WorldStart, { each, payout_id, on }: ReportRow): number {
  const fee = 1500;
  const amount = -each.payment.amount_in_cents;
  world.addLine(
    {
      account: PROCESSOR,
      currency: CURRENCY,
      payout_id,
      booked_on: on,
      amount_in_cents: amount,
      kind: 'chargeback',
      description: 'Dispute',
      gateway_transaction_id: each.payment.gateway_transaction_id,
      fee_in_cents: fee,
      net_in_cents: amount - fee,
    },
    { reverses: each.payment.id, classes: ['chargeback'] },
  );
  return amount - fee;
}

function addMonthlyFee({ world }: WorldStart, payout_id: string, on: CalendarDate): number {
  const amount_in_cents = -1000;
  world.addLine(
    {
      account: PROCESSOR,
      currency: CURRENCY,
      payout_id,
      booked_on: on,
      amount_in_cents,
      kind: 'fee',
      description: 'Monthly fee',
    },
    { payout_id, classes: ['payout'] },
  );
  return amount_in_cents;
}
