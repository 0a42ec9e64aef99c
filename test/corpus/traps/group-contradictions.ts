import { addDays } from '../../../src/domain/ledger/index.ts';
import type { MatchPayment } from '../../../src/domain/matching/index.ts';
import type { Trap, TrapBuilder } from './trap-builder.ts';

const capitals = (names: readonly string[]): string => (names[0] ?? '').toUpperCase();

/** Adds two payments of one customer, one wire for both, and the neighbor that a slipped id hits. */
function addSlippedWire(trap: TrapBuilder, sameAmount: boolean): void {
  trap.addBackground();
  const name = trap.company();
  const first = trap.random.integer(1_000_000, 8_000_000) * 10;
  const one = trap.pay({ name, statement_id: first + 1 });
  const two = trap.pay({ name, statement_id: first + 2, amount_in_cents: trap.price + 1700 });
  const hit = trap.pay({
    name: trap.company(),
    statement_id: first + 7,
    amount_in_cents: sameAmount ? two.amount_in_cents : trap.price + 4500,
  });
  trap.line(
    {
      amount_in_cents: one.amount_in_cents + two.amount_in_cents,
      counterparty: trap.variant % 2 === 0 ? capitals(one.names) : null,
      reference: `INV ${one.statement_id} ${hit.statement_id}`,
    },
    { payments: [one, two], kind: 'combined' },
  );
}

/** Adds a customer's payment with its line, to be taken back. */
function addPaid(trap: TrapBuilder, fields: Partial<MatchPayment> = {}): MatchPayment {
  const payment = trap.pay({ name: trap.person(), ...fields });
  trap.line(
    { counterparty: capitals(payment.names), reference: String(payment.statement_id) },
    { payments: [payment], kind: 'clean' },
  );
  return payment;
}

/** Cause 4, groups and reversals: the doubts about pairs apply to them as well. */
export const groupContradictions: readonly Trap[] = [
  {
    title: 'one wire names two ids, one of them slipped to an equal amount',
    cause: 4,
    fill: (trap) => addSlippedWire(trap, true),
  },
  {
    title: 'one wire names two ids, one of them slipped to another amount',
    cause: 4,
    fill: (trap) => addSlippedWire(trap, false),
  },
  {
    title: 'one wire quotes two ids of other customers than its payer',
    cause: 4,
    fill: (trap) => {
      trap.addBackground();
      const payments = [trap.pay({ name: trap.company() }), trap.pay({ name: trap.company() })];
      trap.line(
        {
          amount_in_cents: 2 * trap.price,
          counterparty: trap.company().toUpperCase(),
          reference: payments.map(({ statement_id }) => statement_id).join('/'),
        },
        { confirm: 'never', kind: 'stranger-equal-amount' },
      );
    },
  },
  {
    title: "one payer's amount is the sum of two other customers' payments",
    cause: 4,
    fill: (trap) => {
      trap.addBackground();
      trap.pay({ name: trap.person() });
      trap.pay({ name: trap.person(), amount_in_cents: trap.price + 37 });
      trap.line(
        { amount_in_cents: 2 * trap.price + 37, counterparty: trap.person().toUpperCase() },
        { confirm: 'never', kind: 'stranger' },
      );
    },
  },
  {
    title: 'two sums of the named customer are equal',
    cause: 4,
    fill: (trap) => {
      trap.addBackground();
      const name = trap.company();
      const payments = [0, 100, 200, 300].map((more) =>
        trap.pay({ name, amount_in_cents: trap.price + more }),
      );
      const [one, , , four] = payments;
      trap.line(
        { amount_in_cents: 2 * trap.price + 300, counterparty: name.toUpperCase() },
        {
          payments: one === undefined || four === undefined ? [] : [one, four],
          confirm: 'never',
          kind: 'combined',
        },
      );
    },
  },
  {
    title: "a chargeback with a slipped id names the payer, the id hits the neighbor's payment",
    cause: 4,
    fill: (trap) => {
      trap.addBackground();
      const first = trap.random.integer(1_000_000, 8_000_000) * 10;
      const own = addPaid(trap, { statement_id: first + 1 });
      const neighbor = addPaid(trap, { statement_id: first + 2 });
      trap.line(
        {
          days: 15,
          kind: 'chargeback',
          amount_in_cents: -trap.price,
          description: `CHARGEBACK ${neighbor.statement_id}`,
          counterparty: capitals(own.names),
        },
        { reverses: own, kind: 'chargeback' },
      );
    },
  },
  {
    title: 'a returned direct debit without an id fits two customers',
    cause: 4,
    fill: (trap) => {
      trap.addBackground();
      const own = addPaid(trap);
      addPaid(trap);
      trap.line(
        { days: 6, amount_in_cents: -trap.price, description: 'RETURN DIRECT DEBIT' },
        { reverses: own, confirm: 'never', kind: 'return' },
      );
    },
  },
  {
    title: "a return names its payer, and only another customer's refund has the amount",
    cause: 4,
    fill: (trap) => {
      trap.addBackground();
      const own = addPaid(trap);
      trap.pay({
        name: trap.person(),
        kind: 'refund',
        amount_in_cents: -trap.price,
        paid_on: addDays(trap.start, 4),
      });
      trap.line(
        {
          days: 6,
          amount_in_cents: -trap.price,
          description: 'RETURN DIRECT DEBIT',
          counterparty: capitals(own.names),
        },
        { reverses: own, kind: 'return' },
      );
    },
  },
];
