import { addDays } from '../../../src/domain/ledger/index.ts';
import { toBankLetters } from '../text/name-forms.ts';
import type { Trap, TrapBuilder } from './trap-builder.ts';

const capitals = (name: string): string => toBankLetters(name).toUpperCase();

/** Cause 4: money whose payer is a customer but pays something else. */
export const thirdPartyPayers: readonly Trap[] = [
  {
    title: 'a customer pays for another customer, whose name is in the text',
    cause: 4,
    fill: (trap) => {
      trap.addBackground();
      const payer = trap.person();
      const [given = ''] = trap.givenNames(1);
      const surname = trap.surname();
      trap.pay({ name: payer });
      const own = trap.pay({ name: `${given} ${surname}`, paid_on: addDays(trap.start, trap.variant % 3) });
      const purpose = [
        `RENT FLAT 4 ${surname}`,
        `FUER ${given} ${surname}`,
        `SCHULGELD ${surname}, ${given} 3B`,
        `MEMBERSHIP OF ${given} ${surname}`,
        `WHG 12 ${surname} ${given}`,
        `BEITRAG ${given} ${surname} UND ${payer}`,
      ][trap.variant] as string;
      trap.line(
        trap.variant % 2 === 0
          ? { counterparty: capitals(payer), reference: capitals(purpose) }
          : { counterparty: payer, description: `CREDIT TRANSFER ${capitals(purpose)}` },
        { payments: [own], confirm: 'never', kind: 'name-only' },
      );
    },
  },
  {
    title: 'a chargeback quotes the id of a refund whose own line quotes it wrongly',
    cause: 4,
    fill: (trap) => {
      trap.addBackground();
      const first = trap.random.integer(1_000_000, 8_000_000) * 10;
      const own = trap.pay({ name: trap.person(), statement_id: first + 3 });
      trap.line(
        { reference: `INV ${own.statement_id}`, counterparty: capitals(own.names[0] ?? '') },
        { payments: [own], kind: 'clean' },
      );
      const refund = trap.pay({
        ...own,
        name: own.names[0] ?? '',
        id: own.id + 7_000_001,
        kind: 'refund',
        paid_on: addDays(trap.start, 8),
        amount_in_cents: -trap.price,
      });
      const word = ['CHARGEBACK', 'DISPUTE', 'RETOURE', 'RUECKLASTSCHRIFT', 'RETURN', 'CHARGEBACK'][
        trap.variant
      ];
      const outgoing = { amount_in_cents: -trap.price, description: 'DEBIT' };
      trap.line(
        { ...outgoing, days: 9 + trap.variant, reference: `${word} ${own.statement_id}` },
        { reverses: own, confirm: 'never', kind: 'chargeback' },
      );
      trap.line(
        { ...outgoing, days: 10, reference: `ERSTATTUNG ${first + 5 + (trap.variant % 4)}` },
        { payments: [refund], confirm: 'never', kind: 'refund' },
      );
    },
  },
  {
    title: "a wire for two customers is the total of a day, but another day's payment has the amount as well",
    cause: 4,
    fill: (trap) => {
      for (let n = 0; n < 5; n++) addDayTotal(trap, 4 * n, 90_000 + n * 1311);
      const day = 30;
      const [other, own] = [0, 700].map((more) =>
        trap.pay({
          name: trap.person(),
          amount_in_cents: trap.price + more,
          paid_on: addDays(trap.start, day),
        }),
      );
      const earlier = addDays(trap.start, day - 1 - (trap.variant % 2));
      const swapped = trap.pay({ name: trap.person(), paid_on: earlier });
      const known = trap.pay({ name: trap.person(), paid_on: earlier, amount_in_cents: trap.price + 11 });
      trap.line(
        { days: day, amount_in_cents: known.amount_in_cents, reference: `INV ${known.statement_id}` },
        { payments: [known], kind: 'id-only' },
      );
      trap.line(
        { days: day + 1, amount_in_cents: (other?.amount_in_cents ?? 0) + (own?.amount_in_cents ?? 0) },
        { payments: own === undefined ? [] : [own, swapped], confirm: 'never', kind: 'combined' },
      );
    },
  },
];

/** Adds two payments of one day and the anonymous line that pays both. */
function addDayTotal(trap: TrapBuilder, day: number, cents: number): void {
  const payments = [cents, 2 * cents + 37].map((amount_in_cents) =>
    trap.pay({ name: trap.person(), amount_in_cents, paid_on: addDays(trap.start, day) }),
  );
  trap.line({ days: day + 1, amount_in_cents: 3 * cents + 37 }, { payments, kind: 'combined' });
}
