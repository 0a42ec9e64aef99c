import { addDays } from '../../../src/domain/ledger/index.ts';
import type { Trap, TrapBuilder } from './trap-builder.ts';

const capitals = (names: readonly string[]): string => (names[0] ?? '').toUpperCase();

/** Adds a wire of one customer whose amount equals another customer's payment. */
function addShortWire(trap: TrapBuilder, evidence: 'id' | 'name' | 'both'): void {
  trap.addBackground();
  const fee = trap.random.pick([500, 1000, 1500, 2000, 2500]);
  const own = trap.pay({ name: trap.person(), amount_in_cents: trap.price + fee });
  trap.pay({ name: trap.person() });
  trap.line(
    {
      counterparty: evidence === 'id' ? null : capitals(own.names),
      reference: evidence === 'name' ? null : String(own.statement_id),
    },
    { payments: [own], kind: 'short-by-fee' },
  );
}

/** Cause 4, lines with one payer: evidence against the only candidate. */
export const contradictions: readonly Trap[] = [
  {
    title: 'a rare amount, but another payer',
    cause: 4,
    fill: (trap) => {
      trap.addBackground();
      trap.pay({ name: trap.person() });
      trap.line(
        { counterparty: trap.person().toUpperCase() },
        { confirm: 'never', kind: 'stranger-equal-amount' },
      );
    },
  },
  {
    title: 'a rare amount, but another payer in the description',
    cause: 4,
    fill: (trap) => {
      trap.addBackground();
      trap.pay({ name: trap.company() });
      trap.line(
        { description: `CREDIT TRANSFER ${trap.company().toUpperCase()}` },
        { confirm: 'never', kind: 'stranger-equal-amount' },
      );
    },
  },
  ...(['id', 'name', 'both'] as const).map(
    (evidence): Trap => ({
      title: `a wire short by a fee equals another customer's amount, with ${evidence === 'both' ? 'id and name' : `the ${evidence}`}`,
      cause: 4,
      fill: (trap) => addShortWire(trap, evidence),
    }),
  ),
  {
    title: "money paid out to somebody else equals a customer's refund",
    cause: 4,
    fill: (trap) => {
      trap.addBackground();
      trap.pay({ name: trap.person(), kind: 'refund', amount_in_cents: -trap.price });
      trap.line(
        {
          amount_in_cents: -trap.price,
          description: trap.random.pick(['OFFICE RENT', 'MIETE', 'LEASING RATE', 'SUPPLIER']),
          counterparty: trap.company('Immobilien GmbH'),
        },
        { confirm: 'never', kind: 'stranger-payout' },
      );
    },
  },
  {
    title: "another customer's old reference contradicts name, amount and lag",
    cause: 4,
    fill: (trap) => {
      trap.addBackground();
      const old = trap.pay({
        name: trap.person(),
        paid_on: addDays(trap.start, -70),
        amount_in_cents: trap.price + 4321,
      });
      const own = trap.pay({ name: trap.person() });
      trap.line(
        { counterparty: capitals(own.names), reference: `INV ${old.statement_id}` },
        { payments: [own], kind: 'wrong-id' },
      );
    },
  },
  {
    title: "an old reference to another customer's unpaid payment at the same price",
    cause: 4,
    fill: (trap) => {
      trap.addBackground();
      const old = trap.pay({ name: trap.person(), paid_on: addDays(trap.start, -60) });
      const own = trap.pay({ name: trap.person() });
      trap.line(
        { counterparty: capitals(own.names), reference: `INV ${old.statement_id}` },
        { payments: [own], kind: 'wrong-id' },
      );
    },
  },
  {
    title: 'the named customer has a better payment than the quoted one',
    cause: 4,
    fill: (trap) => {
      trap.addBackground();
      const quoted = trap.pay({ name: trap.person() });
      const own = trap.pay({ name: trap.person() });
      trap.line(
        { counterparty: capitals(own.names), reference: `INV ${quoted.statement_id}` },
        { payments: [own], confirm: 'never', kind: 'wrong-id' },
      );
    },
  },
  {
    title: "a partial payment equals another customer's complete amount",
    cause: 4,
    fill: (trap) => {
      trap.addBackground();
      const own = trap.pay({ name: trap.person(), amount_in_cents: trap.price * 2 + 100 });
      trap.pay({ name: trap.person() });
      trap.line({ counterparty: capitals(own.names) }, { payments: [own], kind: 'partial' });
    },
  },
  {
    title: "a stranger's invoice number equals an id",
    cause: 4,
    fill: (trap) => {
      trap.addBackground();
      const payment = trap.pay({ name: trap.person() });
      trap.line(
        { counterparty: trap.company().toUpperCase(), reference: `RG ${payment.statement_id}` },
        { confirm: 'never', kind: 'stranger-equal-amount' },
      );
    },
  },
  {
    title: "a payment that is not stored, at the price of the customer's earlier one",
    cause: 4,
    fill: (trap) => {
      trap.addBackground();
      const earlier = trap.pay({ name: trap.person(), paid_on: addDays(trap.start, -30) });
      trap.line(
        { counterparty: capitals(earlier.names), reference: `INV ${earlier.statement_id + 777_777}` },
        { confirm: 'never', kind: 'missing-statement' },
      );
    },
  },
  {
    title: 'a standing order at an old price that is another price today',
    cause: 4,
    fill: (trap) => {
      trap.addBackground();
      const own = trap.pay({ name: trap.person(), amount_in_cents: trap.price + 300 });
      trap.pay({ name: trap.person() });
      trap.line(
        { counterparty: capitals(own.names), description: 'STANDING ORDER' },
        { payments: [own], kind: 'partial' },
      );
    },
  },
  {
    title: 'a missing statement whose id is next to the id of another payment of the customer',
    cause: 4,
    fill: (trap) => {
      trap.addBackground(60);
      const own = trap.pay({ name: trap.company() });
      trap.pay({
        name: trap.company(),
        statement_id: own.statement_id + 40,
        amount_in_cents: trap.price + 900,
      });
      const missing = own.statement_id + [1, 2, 5, 10, 20, 30][trap.variant]!;
      trap.line(
        { counterparty: capitals(own.names), reference: String(missing) },
        { confirm: 'never', kind: 'missing-statement' },
      );
    },
  },
  {
    title: 'a payment short by a fee, and the next payment of the customer paid twice',
    cause: 4,
    fill: (trap) => {
      trap.addBackground(60);
      const name = trap.person();
      const [first, second] = [trap.pay({ name }), trap.pay({ name, paid_on: addDays(trap.start, 4) })];
      const counterparty = capitals([name]);
      const fee = 500 + trap.variant * 100;
      const short = { counterparty, amount_in_cents: trap.price - fee, days: 2 };
      trap.line(short, { payments: [first], kind: 'short-by-fee' });
      const description = ['TRANSFER', 'SEPA CREDIT'][trap.variant % 2]!;
      trap.line({ counterparty, days: 5 }, { payments: [second], confirm: 'never', kind: 'duplicate' });
      trap.line({ counterparty, days: 7, description }, { confirm: 'never', kind: 'duplicate' });
    },
  },
];
