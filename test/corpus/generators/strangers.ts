import { addDays, type CalendarDate } from '../../../src/domain/ledger/index.ts';
import type { Customer } from '../model/world.ts';
import type { NameFactory } from '../text/name-factory.ts';
import type { LineWriter } from './line-writer.ts';
import type { WorldBuilder } from './world-builder.ts';

export interface StrangerOptions {
  readonly account: number;
  readonly currency: string;
  readonly from: CalendarDate;
  readonly days: number;
  /** Numbers of lines per kind. */
  readonly unrelated: number;
  readonly equalAmount: number;
  readonly namesakes: number;
  readonly payouts: number;
}

interface Sources {
  readonly world: WorldBuilder;
  readonly writer: LineWriter;
  readonly names: NameFactory;
  readonly customers: ReadonlyMap<number, Customer>;
  readonly options: StrangerOptions;
}

const UNRELATED = [
  'OFFICE RENT',
  'TAX REFUND',
  'INSURANCE CLAIM',
  'LOAN 4401',
  'GRANT Q2',
  'DEPOSIT BRANCH 12',
  'CASH IN',
  'INTEREST',
];

/** Adds lines that no payment explains. Call it after all payments exist. */
export function addStrangers(given: Omit<Sources, 'customers'> & { customers: readonly Customer[] }): void {
  const { options } = given;
  const customers = new Map(given.customers.map((customer) => [customer.subscription, customer]));
  const sources = { ...given, customers };
  for (let n = 0; n < options.unrelated; n++) addUnrelated(sources);
  for (let n = 0; n < options.equalAmount; n++) addEqualAmount(sources);
  for (let n = 0; n < options.namesakes; n++) addNamesake(sources);
  for (let n = 0; n < options.payouts; n++) addMoneyPaidOut(sources);
}

const drawDate = ({ world, options }: Sources): CalendarDate =>
  addDays(options.from, world.random.integer(0, options.days));

function addUnrelated(sources: Sources): void {
  const { world, writer, names, options } = sources;
  const { random } = world;
  // An anonymous line with the rare amount of an unpaid payment could not be decided.
  let amount = random.integer(200, 400_000);
  while (world.countAmount(amount) + world.countAmount(-amount) > 0) amount += 1;
  const named = random.chance(0.6);
  const name = named ? writer.printName(names.draw()) : null;
  const texts = writer.compose(null, name);
  world.addLine(
    {
      ...texts,
      description: `${random.pick(UNRELATED)} ${texts.description}`,
      account: options.account,
      currency: options.currency,
      booked_on: drawDate(sources),
      amount_in_cents: random.chance(0.5) ? amount : -amount,
    },
    { classes: ['stranger'] },
  );
}

/** Adds money from somebody else with the amount of a payment, booked when that payment is expected. */
function addEqualAmount(sources: Sources): void {
  const { world, writer, names, options } = sources;
  const { random } = world;
  const target = random.pick(world.payments);
  if (target.kind === 'refund' || target.currency !== options.currency) return;
  const common = world.countAmount(target.amount_in_cents) >= 3;
  const anonymous = common && random.chance(0.3);
  const number = random.chance(0.3) ? String(random.integer(1000, 99_999_999)) : null;
  const id = anonymous ? null : number;
  const texts = writer.compose(id, anonymous ? null : writer.printName(names.draw()), target.paid_on);
  world.addLine(
    {
      ...texts,
      account: options.account,
      currency: options.currency,
      booked_on: world.bookAfter(target.paid_on),
      amount_in_cents: target.amount_in_cents,
    },
    { classes: ['stranger-equal-amount'] },
  );
}

/** Adds money from a person or company whose name resembles a customer's, with the customer's amount. */
function addNamesake(sources: Sources): void {
  const { world, writer, names, customers, options } = sources;
  const { random } = world;
  const target = random.pick(world.payments);
  const customer = customers.get(target.subscription_id ?? -1);
  if (customer === undefined || target.kind === 'refund' || target.currency !== options.currency) return;
  const namesake = names.drawNamesake(customer);
  const texts = writer.compose(null, writer.printName(namesake), target.paid_on);
  world.addLine(
    {
      ...texts,
      account: options.account,
      currency: options.currency,
      booked_on: world.bookAfter(target.paid_on),
      amount_in_cents: target.amount_in_cents,
    },
    { classes: ['stranger-namesake'] },
  );
}

/** Adds money paid to somebody else that equals a refund or a usual price. */
function addMoneyPaidOut(sources: Sources): void {
  const { world, writer, names, options } = sources;
  const { random } = world;
  const refunds = world.payments.filter(({ kind }) => kind === 'refund');
  const target = refunds.length > 0 ? random.pick(refunds) : random.pick(world.payments);
  if (target.currency !== options.currency) return;
  const texts = writer.compose(null, writer.printName(names.draw()), target.paid_on);
  world.addLine(
    {
      ...texts,
      description: `${random.pick(['RENT', 'SUPPLIES', 'LEASE', 'FUEL'])} ${texts.description}`,
      account: options.account,
      currency: options.currency,
      booked_on: world.bookAfter(target.paid_on),
      amount_in_cents: -Math.abs(target.amount_in_cents),
    },
    { classes: ['stranger-payout'] },
  );
}
