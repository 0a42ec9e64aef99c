import { addDays } from '../../../src/domain/ledger/index.ts';
import type { Trap, TrapBuilder } from './trap-builder.ts';

const capitals = (names: readonly string[]): string => (names[0] ?? '').toUpperCase();

/** Adds payments whose lines quote their ids and arrive after the given numbers of days. */
function addLags(trap: TrapBuilder, lags: readonly number[]): void {
  for (const [n, days] of lags.entries()) {
    const amount_in_cents = 300_000 + n * 1013;
    const payment = trap.pay({ name: trap.person(), amount_in_cents });
    trap.line(
      {
        days,
        amount_in_cents,
        reference: String(payment.statement_id),
        counterparty: capitals(payment.names),
      },
      { payments: [payment], kind: days > 10 ? 'late' : 'clean' },
    );
  }
}

/** Returns lags of two or three days. */
const usual = (trap: TrapBuilder, count: number): number[] =>
  Array.from({ length: count }, () => trap.random.integer(2, 3));

/** Cause 6: an outlier does not make a wide window plausible. */
export const arrivalWindows: readonly Trap[] = [
  {
    title: 'one late payment widens the window for an anonymous line',
    cause: 6,
    fill: (trap) => {
      const late = trap.random.integer(35, 60);
      addLags(trap, [...usual(trap, trap.variant), late]);
      trap.pay({ name: trap.person() });
      trap.line({ days: late - 1 }, { confirm: 'never', kind: 'stranger-equal-amount' });
    },
  },
  {
    title: "one late payment widens the window to the customer's next month",
    cause: 6,
    fill: (trap) => {
      addLags(trap, [...usual(trap, 1 + trap.variant), trap.random.integer(36, 50)]);
      const last = trap.pay({ name: trap.person() });
      trap.line(
        { days: 33, counterparty: capitals(last.names) },
        { confirm: 'never', kind: 'missing-statement' },
      );
    },
  },
  {
    title: 'two outliers among ten',
    cause: 6,
    fill: (trap) => {
      const late = trap.random.integer(30, 45);
      addLags(trap, [...usual(trap, 8), late, late + 9]);
      trap.pay({ name: trap.person() });
      trap.line({ days: late + 4 }, { confirm: 'never', kind: 'stranger-equal-amount' });
    },
  },
  {
    title: 'money that arrived long before the payment',
    cause: 6,
    fill: (trap) => {
      addLags(trap, usual(trap, 4 + 3 * trap.variant));
      trap.pay({ name: trap.person(), paid_on: addDays(trap.start, 30) });
      trap.line(
        { days: 30 - trap.random.integer(9, 20) },
        { confirm: 'never', kind: 'stranger-equal-amount' },
      );
    },
  },
  {
    title: 'a slipped id imitates a late payment',
    cause: 6,
    fill: (trap) => {
      const first = trap.random.integer(1_000_000, 8_000_000) * 10;
      addLags(trap, usual(trap, 3 + trap.variant));
      trap.pay({ name: trap.person(), statement_id: first + 4, paid_on: addDays(trap.start, -45) });
      const own = trap.pay({ name: trap.person(), statement_id: first + 5 });
      trap.line(
        { reference: String(first + 4), counterparty: capitals(own.names) },
        { payments: [own], kind: 'slipped-id' },
      );
    },
  },
  {
    title: 'a slipped id imitates a late payment of an anonymous payer',
    cause: 6,
    fill: (trap) => {
      const first = trap.random.integer(1_000_000, 8_000_000) * 10;
      addLags(trap, usual(trap, 1 + trap.variant));
      trap.pay({ name: trap.person(), statement_id: first + 4, paid_on: addDays(trap.start, -45) });
      const own = trap.pay({ name: trap.person(), statement_id: first + 5 });
      trap.line({ reference: String(first + 4) }, { payments: [own], confirm: 'never', kind: 'slipped-id' });
    },
  },
  {
    title: 'an anonymous line at a rare amount, long after the payment, with few other matches',
    cause: 6,
    fill: (trap) => {
      addLags(trap, usual(trap, 2 + trap.variant));
      trap.pay({ name: trap.person() });
      trap.line({ days: trap.random.integer(25, 60) }, { confirm: 'never', kind: 'stranger-equal-amount' });
    },
  },
  {
    title: "the customer's name a month after the only stored payment, with few other matches",
    cause: 6,
    fill: (trap) => {
      addLags(trap, usual(trap, trap.variant));
      const last = trap.pay({ name: trap.person() });
      trap.line(
        { days: trap.random.integer(28, 33), counterparty: capitals(last.names) },
        { confirm: 'never', kind: 'missing-statement' },
      );
    },
  },
  {
    title: 'a month late for three customers, with few other matches',
    cause: 6,
    fill: (trap) => {
      addLags(trap, usual(trap, trap.variant));
      for (let n = 0; n < 3; n++) {
        const amount_in_cents = trap.price + n * 500;
        const last = trap.pay({ name: trap.person(), amount_in_cents });
        trap.line(
          { days: trap.random.integer(29, 32), amount_in_cents, counterparty: capitals(last.names) },
          { confirm: 'never', kind: 'missing-statement' },
        );
      }
    },
  },
];
