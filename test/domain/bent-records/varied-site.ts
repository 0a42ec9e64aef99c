import type { SiteRows, StatementRow, TransactionRow } from './bent-site.ts';
import { createPick, type Pick } from './pick.ts';

/** Ways in which a subscription of a varied site is billed and paid. */
const CHARACTERS = [
  'annual',
  'prepaid',
  'refunded',
  'credited',
  'retried',
  'paid late',
  'weekly',
  'free',
  'by check',
  'discounted',
  'prorated',
  'in yen',
] as const;
type Character = (typeof CHARACTERS)[number];

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 1);
const toTime = (instant: number): string => `${new Date(instant).toISOString().slice(0, 19)}Z`;

/** A subscription while its history is being written. */
interface Ledger {
  readonly pick: Pick;
  readonly character: Character;
  readonly subscription_id: number;
  readonly customer_id: number;
  readonly currency: string;
  readonly nextId: () => number;
  balance: number;
  /** Charges of the previous statement that are not paid yet. */
  unpaid: TransactionRow[];
}

function addTransaction(
  ledger: Ledger,
  statement: StatementRow,
  [type, kind, amount_in_cents, effect]: readonly [string, string | null, number, number],
  at: number,
): TransactionRow {
  const id = ledger.nextId();
  const isPayment = type === 'payment' && effect !== 0 && ledger.character !== 'by check';
  const transaction: TransactionRow = {
    id,
    subscription_id: ledger.subscription_id,
    customer_id: ledger.customer_id,
    statement_id: statement.id,
    transaction_type: type,
    type: `${type[0]?.toUpperCase()}${type.slice(1)}`,
    kind,
    amount_in_cents,
    success: type !== 'payment' || effect !== 0,
    memo: type,
    created_at: toTime(at),
    starting_balance_in_cents: ledger.balance,
    ending_balance_in_cents: ledger.balance + effect,
    payment_id: null,
    gateway_transaction_id: isPayment ? `ch_${id}q7` : null,
  };
  ledger.balance += effect;
  statement.transactions.push(transaction);
  return transaction;
}

/** Adds a payment of the given amount that settles the charges. */
function pay(ledger: Ledger, statement: StatementRow, charges: readonly TransactionRow[], at: number): void {
  const amount = ledger.balance;
  const payment = addTransaction(ledger, statement, ['payment', null, amount, -amount], at);
  for (const charge of charges) charge.payment_id = payment.id;
}

function createStatement(ledger: Ledger, opened: number, closed: number | null): StatementRow {
  const customer = `${ledger.customer_id}`;
  return {
    id: ledger.nextId(),
    subscription_id: ledger.subscription_id,
    opened_at: toTime(opened),
    closed_at: closed === null ? null : toTime(closed),
    settled_at: null,
    created_at: toTime(opened),
    starting_balance_in_cents: ledger.balance,
    ending_balance_in_cents: ledger.balance,
    total_in_cents: 0,
    currency: ledger.currency,
    customer_first_name: `First${customer}`,
    customer_last_name: `Last${customer}`,
    customer_organization: `Organization${customer}`,
    customer_billing_address: `${customer} Main Street`,
    customer_billing_zip: customer,
    text_view: '',
    transactions: [],
    events: [],
    future_payments: [],
  };
}

/** Adds what happens during a period: late payments, prorations, credits, prepayments and refunds. */
function addMidPeriod(
  ledger: Ledger,
  statement: StatementRow,
  previous: StatementRow | null,
  opened: number,
): void {
  const { character, pick } = ledger;
  if (ledger.unpaid.length > 0 && previous !== null) {
    pay(ledger, statement, ledger.unpaid, opened + 3 * DAY);
    const payment = statement.transactions.at(-1) as TransactionRow;
    previous.settled_at = payment.created_at;
    previous.future_payments = [structuredClone(payment)];
    ledger.unpaid = [];
  }
  if (character === 'prorated' && pick.number(0, 2) === 0) {
    const cents = pick.number(100, 900);
    const charge = addTransaction(
      ledger,
      statement,
      ['charge', 'quantity_based_component', cents, cents],
      opened + 5 * DAY,
    );
    pay(ledger, statement, [charge], opened + 5 * DAY);
  }
  if (character === 'credited') {
    const cents = pick.number(50, 400);
    addTransaction(
      ledger,
      statement,
      ['credit', 'quantity_based_component', -cents, -cents],
      opened + 6 * DAY,
    );
  }
  if (character === 'prepaid' && ledger.balance === 0) {
    const cents = pick.number(20_000, 40_000);
    addTransaction(ledger, statement, ['payment', null, cents, -cents], opened + 2 * DAY);
  }
  const paid = previous?.transactions.findLast(({ transaction_type: type }) => type === 'payment');
  if (character === 'refunded' && paid !== undefined) {
    const cents = pick.number(1, paid.amount_in_cents);
    addTransaction(ledger, statement, ['refund', 'manual', cents, 0], opened + 4 * DAY).payment_id = paid.id;
  }
}

/** Adds the charges at the end of a period, and their payment if it succeeds. */
function addRenewal(
  ledger: Ledger,
  statement: StatementRow,
  price: number,
  closed: number,
  isLast: boolean,
): void {
  const { character, pick } = ledger;
  const charge = (kind: string, cents: number) =>
    addTransaction(ledger, statement, ['charge', kind, cents, cents], closed - 2000);
  const charges = [charge('baseline', character === 'free' ? 0 : price)];
  if (character !== 'free' && pick.number(0, 1) === 0)
    charges.push(charge('quantity_based_component', pick.number(1, 30) * 50));
  if (ledger.currency === 'EUR' && character !== 'free') charges.push(charge('tax', Math.round(price / 5)));
  if (character === 'discounted')
    addTransaction(ledger, statement, ['adjustment', 'coupon', -pick.number(1, 9), 0], closed - 1500);
  const discount = statement.transactions.at(-1);
  if (discount?.kind === 'coupon') {
    discount.ending_balance_in_cents += discount.amount_in_cents;
    ledger.balance += discount.amount_in_cents;
  }
  const failed = () => addTransaction(ledger, statement, ['payment', null, ledger.balance, 0], closed - 1200);
  if (ledger.balance <= 0) return;
  if (character === 'retried') failed();
  if (character === 'paid late' && !isLast && pick.number(0, 1) === 0) {
    failed();
    ledger.unpaid = charges;
  } else pay(ledger, statement, charges, closed - 1000);
}

function writeHistory(ledger: Ledger): StatementRow[] {
  const { pick, character } = ledger;
  const days = character === 'annual' ? 365 : character === 'weekly' ? 7 : 30;
  const periods = character === 'annual' ? 3 : character === 'weekly' ? 20 : pick.number(5, 10);
  const start = NOW - periods * days * DAY - pick.number(0, 20) * DAY;
  const price = pick.number(50, 9000) + 9;
  const statements: StatementRow[] = [];
  for (let period = 0; period <= periods; period++) {
    const opened = start + period * days * DAY;
    const closed = opened + days * DAY;
    const statement = createStatement(ledger, opened, period === periods ? null : closed);
    if (period < periods) {
      addMidPeriod(ledger, statement, statements.at(-1) ?? null, opened);
      addRenewal(ledger, statement, price, closed, period === periods - 1);
      if (ledger.balance <= 0) statement.settled_at = toTime(closed);
    }
    statement.ending_balance_in_cents = ledger.balance;
    const billed = statement.transactions.filter(
      ({ transaction_type: type }) => type !== 'payment' && type !== 'refund',
    );
    statement.total_in_cents = billed.reduce((sum, { amount_in_cents }) => sum + amount_in_cents, 0);
    statements.push(statement);
  }
  return statements;
}

/** Creates a correct site whose subscriptions are billed unlike those of the sandbox. It has no events and webhooks. */
export function createVariedSite(seed: number): SiteRows {
  const pick = createPick(seed);
  let id = 5000;
  let customer_id = 100;
  const statements = Array.from({ length: 24 }, (_, at) => {
    const character = CHARACTERS[at % CHARACTERS.length] ?? 'annual';
    if (pick.number(0, 2) > 0) customer_id++;
    const currency = character === 'in yen' ? 'JPY' : pick.one(['USD', 'EUR', 'GBP']);
    const subscription_id = 9000 + at;
    const state = { balance: 0, unpaid: [] };
    return writeHistory({
      pick,
      character,
      subscription_id,
      customer_id,
      currency,
      nextId: () => id++,
      ...state,
    });
  }).flat();
  return { statements, webhooks: [], allocations: [], now: NOW + 2 * DAY };
}
