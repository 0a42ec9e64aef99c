import type { Trap, TrapBuilder } from './trap-builder.ts';

/** Cause 1: a few misleading lines must not change the answers of the whole column. */
export const cliffs: readonly Trap[] = [
  {
    title: 'ids quoted on lines in another currency',
    cause: 1,
    fill: (trap) => {
      for (let n = 0; n < 100; n++) trap.addPairById(n, 'must');
      for (let n = 0; n < 3 + 3 * trap.variant; n++) {
        const payment = trap.pay({ name: trap.person(), amount_in_cents: 50_000 + n * 710 });
        trap.line(
          {
            currency: 'SEK',
            amount_in_cents: payment.amount_in_cents * 11,
            reference: `INV ${payment.statement_id}`,
          },
          { payments: [payment], confirm: 'never', kind: 'foreign-currency' },
        );
      }
    },
  },
  {
    title: 'slipped digits that hit ids of other amounts',
    cause: 1,
    fill: (trap) => {
      const others = Array.from({ length: 100 }, (_, n) =>
        trap.addPairById(n, n % 5 === 0 && n < 90 ? undefined : 'must'),
      );
      for (let n = 0; n < 3 + 3 * trap.variant; n++) {
        const payment = trap.pay({ name: trap.person(), amount_in_cents: 50_000 + n * 710 });
        const other = others[n * 5];
        trap.line(
          { amount_in_cents: payment.amount_in_cents, reference: `INV ${other?.statement_id}` },
          { payments: [payment], kind: 'slipped-id' },
        );
      }
    },
  },
  {
    title: 'foreign numbers beside the ids',
    cause: 1,
    fill: (trap) => {
      const others = Array.from({ length: 60 }, (_, n) => trap.addPairById(n, 'must'));
      for (let n = 0; n < 2 + 2 * trap.variant; n++) {
        trap.line(
          {
            amount_in_cents: -trap.random.integer(500, 9000),
            counterparty: `LIEFERANT ${trap.surname().toUpperCase()}`,
            reference: `KUNDE ${others[n * 3]?.statement_id}`,
          },
          { confirm: 'never', kind: 'stranger' },
        );
      }
    },
  },
  {
    title: 'a slipped digit hits an unpaid neighbor at the same price',
    cause: 1,
    fill: (trap) => {
      addSlip(trap, null);
    },
  },
  {
    title: 'a slipped digit hits a neighbor but the payer is named',
    cause: 1,
    fill: (trap) => {
      addSlip(trap, 'named');
    },
  },
];

/** Adds two unpaid neighbors at one price, and a line for the first that quotes the second. */
function addSlip(trap: TrapBuilder, named: 'named' | null): void {
  trap.addBackground();
  const first = trap.random.integer(1_000_000, 8_000_000) * 10;
  const own = trap.pay({ name: trap.person(), statement_id: first + 2 });
  const neighbor = trap.pay({ name: trap.person(), statement_id: first + 3 });
  const counterparty = named === null ? null : (own.names[0] ?? '').toUpperCase();
  trap.line(
    { reference: `INV ${neighbor.statement_id}`, counterparty },
    { payments: [own], confirm: 'never', kind: 'slipped-id' },
  );
}
