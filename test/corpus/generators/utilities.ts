import { addDays } from '../../../src/domain/ledger/index.ts';
import type { MatchPayment } from '../../../src/domain/matching/index.ts';
import type { Customer, World } from '../model/world.ts';
import { addStrangers } from './strangers.ts';
import { type Character, startWorld, type WorldStart } from './world-start.ts';

const ACCOUNT = 1;

const character: Character = {
  salt: 37,
  widths: [27, 35, 27, null],
  names: { companyShare: 0.12, particleShare: 0.15, english: false },
  words: {
    words: ['SEPA DIRECT DEBIT', 'LASTSCHRIFT', 'RENT', 'MIETE', 'STANDING ORDER', 'WATER AND HEAT'],
    idWords: ['', 'KD-NR ', 'VERTRAG ', 'MANDATE ', 'FLAT '],
  },
  limits: {
    missing: 0.04,
    missingStatement: 0.02,
    late: 0.03,
    shortByFee: 0.005,
    foreign: 0.01,
    partial: 0.03,
    duplicate: 0.01,
    refund: 0.02,
    takenBack: 0.08,
  },
};

/** Utilities and rent: the same customers every month, direct debits one by one or in batches, many returns. */
export function generateUtilities(seed: number, lines: number): World {
  const start = startWorld(seed, character);
  const { random, world, names } = start;
  const months = Math.max(2, Math.round(start.days / 30));
  const tenants = createTenants(start, Math.max(4, Math.round((lines * 0.92) / months)));
  const batchShare = random.rate(0.3);
  for (let month = 0; month < months && world.lineCount < lines; month++) {
    const due = addDays(start.from, month * 30);
    const batch: MatchPayment[] = [];
    for (const tenant of tenants) billTenant(start, { tenant, due, batch, batchShare });
    addBatch(start, batch, due);
  }
  const share = (limit: number): number => Math.round(random.rate(limit) * lines);
  addStrangers({
    world,
    writer: start.writer,
    names,
    customers: tenants.map(({ customer }) => customer),
    options: {
      account: ACCOUNT,
      currency: 'EUR',
      from: start.from,
      days: start.days,
      unrelated: share(0.03),
      equalAmount: share(0.02),
      namesakes: share(0.03),
      payouts: share(0.03),
    },
  });
  return world.build({
    generator: 'utilities',
    seed,
    parameters: { ...start.parameters, months, batch_share: batchShare },
    accounts: [{ id: ACCOUNT, name: 'Rent account', kind: 'bank', window: drawWindow(start) }],
  });
}

interface Tenant {
  readonly customer: Customer;
  readonly amount: number;
  readonly dueDay: number;
}

interface Billing {
  readonly tenant: Tenant;
  readonly due: string;
  readonly batch: MatchPayment[];
  readonly batchShare: number;
}

function createTenants({ random, world, names, from }: WorldStart, count: number): Tenant[] {
  const levels = Array.from({ length: random.pick([3, 12, 60]) }, () => random.integer(20, 300) * 500);
  const customers: Customer[] = [];
  return Array.from({ length: count }, () => {
    const base = customers.length > 0 && random.chance(0.1) ? random.pick(customers) : null;
    const customer = world.createCustomer(base === null ? names.draw() : names.drawNamesake(base), from);
    customers.push(customer);
    const amount = random.chance(0.7) ? random.pick(levels) : random.integer(3000, 150_000);
    return { customer, amount, dueDay: random.chance(0.7) ? 0 : random.integer(0, 14) };
  });
}

function billTenant(start: WorldStart, { tenant, due, batch, batchShare }: Billing): void {
  const { random, world, settler } = start;
  const { customer, amount, dueDay } = tenant;
  const billed = { on: addDays(due, dueDay), amount, currency: 'EUR' };
  if (random.chance(start.rates.missingStatement)) {
    settler.payUnknown(customer, ACCOUNT, billed);
    return;
  }
  const payment = world.pay(customer, billed);
  if (dueDay === 0 && random.chance(batchShare)) batch.push(payment);
  else settler.settle({ customer, payment, account: ACCOUNT });
}

/** Writes the one line of a batch of direct debits, which contains no name and no id of a payment. */
function addBatch({ world }: WorldStart, batch: readonly MatchPayment[], due: string): void {
  if (batch.length === 0) return;
  world.addLine(
    {
      account: ACCOUNT,
      booked_on: world.bookAfter(due),
      amount_in_cents: batch.reduce((sum, { amount_in_cents }) => sum + amount_in_cents, 0),
      currency: 'EUR',
      description: `SEPA DD BATCH ${due.replaceAll('-', '')} ${batch.length} ITEMS`,
    },
    { payments: batch.map(({ id }) => id), classes: ['batch'] },
  );
}

/** Returns the arrival window that the user stated, or null if the app learns it. */
function drawWindow({ random, world }: WorldStart): { from_days: number; to_days: number } | null {
  if (random.chance(0.7)) return null;
  return { from_days: world.facts.lag_from_days, to_days: world.facts.lag_to_days };
}
