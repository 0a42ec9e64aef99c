import { addDays } from '../../../src/domain/ledger/index.ts';
import type { MatchPayment } from '../../../src/domain/matching/index.ts';
import type { Trap, TrapBuilder } from './trap-builder.ts';

const capitals = (names: readonly string[]): string => (names[0] ?? '').toUpperCase();

/** Adds a customer's payment with the line that pays it. */
function addPaid(trap: TrapBuilder, fields: Partial<MatchPayment> = {}): MatchPayment {
  const payment = trap.pay({ name: trap.person(), ...fields });
  trap.line(
    { counterparty: capitals(payment.names), reference: String(payment.statement_id) },
    { payments: [payment], kind: 'clean' },
  );
  return payment;
}

const addRefund = (trap: TrapBuilder, name: string, fields: Partial<MatchPayment> = {}): MatchPayment =>
  trap.pay({ name, kind: 'refund', amount_in_cents: -trap.price, ...fields });

/** Adds two customers, and an anonymous or named line whose text says that no customer has paid. */
function addOtherIncome(trap: TrapBuilder, texts: readonly string[]): void {
  trap.addBackground();
  trap.pay({ name: trap.person() });
  trap.line(
    { description: texts[trap.variant % texts.length] as string },
    { confirm: 'never', kind: 'stranger-equal-amount' },
  );
}

/** Adds a wire whose amount after a deduction equals another customer's payment. */
function addDeduction(trap: TrapBuilder, due: number, text: (own: MatchPayment) => string): void {
  trap.addBackground();
  const own = trap.pay({ name: trap.company(), amount_in_cents: due });
  trap.pay({ name: trap.person() });
  trap.line({ description: text(own) }, { payments: [own], kind: 'short-by-fee' });
}

/** Cause 4: wires, fees, currencies, refunds, reversals and duplicates. */
export const moneyMovements: readonly Trap[] = [
  {
    title: "a wire after a correspondent bank's fee, with the payer in the text",
    cause: 4,
    fill: (trap) =>
      addDeduction(trap, trap.price + [700, 1200, 1800, 2200, 3500, 4000][trap.variant]!, (own) =>
        `WIRE IN BEN ${capitals(own.names)}`.replace('BEN ', trap.variant % 2 === 0 ? '' : 'ORIG '),
      ),
  },
  {
    title: "a cash discount makes another customer's amount",
    cause: 4,
    fill: (trap) =>
      addDeduction(
        trap,
        Math.round(trap.price / 0.98),
        (own) => `INV ${own.statement_id} 2% SKONTO ${capitals(own.names)}`,
      ),
  },
  {
    title: "an exchange makes another customer's amount",
    cause: 4,
    fill: (trap) => {
      trap.addBackground();
      const foreign = trap.currency === 'USD' ? 'GBP' : 'USD';
      const own = trap.pay({ name: trap.company(), currency: foreign, amount_in_cents: trap.price + 4111 });
      trap.pay({ name: trap.person() });
      const paid = `${foreign} ${(own.amount_in_cents / 100).toFixed(2)}`;
      trap.line(
        {
          description: `${paid} RATE 1.${trap.random.integer(1000, 9999)}`,
          reference: trap.variant % 2 === 0 ? `INV ${own.statement_id}` : null,
          counterparty: trap.variant < 3 ? capitals(own.names) : null,
        },
        { payments: [own], confirm: 'never', kind: 'foreign-currency' },
      );
    },
  },
  {
    title: 'the same number of cents in another currency, with the exact id',
    cause: 4,
    fill: (trap) => {
      trap.addBackground();
      const own = trap.pay({ name: trap.person() });
      const currency = trap.currency === 'CHF' ? 'EUR' : 'CHF';
      trap.line(
        { currency, reference: `INV ${own.statement_id}`, counterparty: capitals(own.names) },
        { payments: [own], confirm: 'never', kind: 'foreign-currency' },
      );
    },
  },
  {
    title: "one wire for two invoices equals another customer's amount",
    cause: 4,
    fill: (trap) => {
      trap.addBackground();
      const name = trap.company();
      const one = trap.pay({ name, amount_in_cents: trap.price - 900 });
      const two = trap.pay({ name, amount_in_cents: 900 });
      trap.pay({ name: trap.person() });
      trap.line(
        {
          counterparty: trap.variant % 2 === 0 ? capitals([name]) : null,
          reference: `${one.statement_id} ${two.statement_id}`,
        },
        { payments: [one, two], kind: 'combined' },
      );
    },
  },
  {
    title: 'one wire names two ids of its customer, one of them slipped to an open third',
    cause: 4,
    fill: (trap) => {
      trap.addBackground();
      const name = trap.company();
      const first = trap.random.integer(1_000_000, 8_000_000) * 10;
      const fields = { name, subscription_id: 55_001 };
      const one = trap.pay({ ...fields, statement_id: first + 1, amount_in_cents: trap.price + 2000 });
      const two = trap.pay({ ...fields, statement_id: first + 2 });
      const third = trap.pay({ ...fields, statement_id: first + 6 });
      trap.line(
        {
          amount_in_cents: one.amount_in_cents + two.amount_in_cents,
          counterparty: capitals([name]),
          reference: `INV ${one.statement_id} ${third.statement_id}`,
        },
        { payments: [one, two], confirm: 'never', kind: 'combined' },
      );
    },
  },
  {
    title: 'one wire names a paid id beside two open ones',
    cause: 4,
    fill: (trap) => {
      trap.addBackground();
      const name = trap.company();
      const paid = addPaid(trap, { names: [name] });
      const one = trap.pay({ name, amount_in_cents: trap.price + 500 });
      const two = trap.pay({ name, amount_in_cents: trap.price + 800 });
      trap.line(
        {
          days: 4,
          amount_in_cents: one.amount_in_cents + two.amount_in_cents,
          counterparty: capitals([name]),
          reference: `${paid.statement_id} ${one.statement_id} ${two.statement_id}`,
        },
        { payments: [one, two], kind: 'combined' },
      );
    },
  },
  {
    title: 'a wire returned to us equals an open payment',
    cause: 4,
    fill: (trap) =>
      addOtherIncome(trap, [
        'RETURNED WIRE',
        'WIRE RETURN REJECT',
        'RUECKZAHLUNG UEBERWEISUNG',
        'REMBOURSEMENT VIREMENT',
        'PAYMENT RETURNED',
        'REVERSAL OF DIRECT DEBIT',
      ]),
  },
  {
    title: 'interest, grants and tax refunds equal an open payment',
    cause: 4,
    fill: (trap) =>
      addOtherIncome(trap, [
        'INTEREST CREDIT',
        'FINANZAMT ERSTATTUNG',
        'TAX REFUND',
        'SUBVENTION REGION',
        'ZINSEN GUTSCHRIFT',
        'LOAN DRAWDOWN',
      ]),
  },
  {
    title: 'a transfer between own accounts equals an open payment',
    cause: 4,
    fill: (trap) =>
      addOtherIncome(trap, [
        'TRANSFER FROM SAVINGS',
        'UMBUCHUNG TAGESGELD',
        'VIREMENT INTERNE',
        'OWN FUNDS',
        'TRASPASO PROPIO',
        'SWEEP',
      ]),
  },
  {
    title: "a salary paid to a customer's namesake equals the customer's refund",
    cause: 4,
    fill: (trap) => {
      trap.addBackground();
      const name = trap.person();
      addRefund(trap, name);
      const surname = name.slice(name.indexOf(' ') + 1);
      trap.line(
        {
          amount_in_cents: -trap.price,
          description: ['SALARY', 'GEHALT', 'SALAIRE', 'NOMINA', 'LOHN', 'WAGES'][trap.variant] as string,
          counterparty: `${trap.givenNames(1)[0]} ${surname}`.toUpperCase(),
        },
        { confirm: 'never', kind: 'stranger-payout' },
      );
    },
  },
  {
    title: "a supplier's invoice number equals the id of a refund",
    cause: 4,
    fill: (trap) => {
      trap.addBackground();
      const refund = addRefund(trap, trap.person());
      trap.line(
        {
          amount_in_cents: -trap.price,
          description: `RENT INVOICE ${refund.statement_id}`,
          counterparty: trap.company().toUpperCase(),
        },
        { confirm: 'never', kind: 'stranger-payout' },
      );
    },
  },
  {
    title: 'two refunds of one amount to the named customer',
    cause: 4,
    fill: (trap) => {
      trap.addBackground();
      const name = trap.person();
      const own = addRefund(trap, name, { paid_on: addDays(trap.start, 1), subscription_id: 66_001 });
      addRefund(trap, name, { subscription_id: 66_002 });
      trap.line(
        { days: 3, amount_in_cents: -trap.price, description: 'REFUND', counterparty: capitals([name]) },
        { payments: [own], confirm: 'never', kind: 'refund' },
      );
    },
  },
  {
    title: 'a chargeback with a slipped id and no name, both payments paid',
    cause: 4,
    fill: (trap) => {
      trap.addBackground();
      const first = trap.random.integer(1_000_000, 8_000_000) * 10;
      const own = addPaid(trap, { statement_id: first + 2 });
      const hit = addPaid(trap, { statement_id: first + 9 });
      trap.line(
        {
          days: 12 + trap.variant,
          kind: 'chargeback',
          amount_in_cents: -trap.price,
          description: `${['DISPUTE', 'CHARGEBACK', 'RETOURE'][trap.variant % 3]} ${hit.statement_id}`,
        },
        { reverses: own, confirm: 'never', kind: 'chargeback' },
      );
    },
  },
  {
    title: 'a chargeback names another payer than the customer of its id',
    cause: 4,
    fill: (trap) => {
      trap.addBackground();
      const own = addPaid(trap);
      const other = addPaid(trap);
      trap.line(
        {
          days: 14,
          kind: 'chargeback',
          amount_in_cents: -trap.price,
          description:
            trap.variant % 2 === 0
              ? `RETURN ${other.statement_id}`
              : `RETURN ${other.statement_id} ${capitals(own.names)}`,
          counterparty: trap.variant % 2 === 0 ? capitals(own.names) : null,
        },
        { reverses: own, confirm: 'never', kind: 'chargeback' },
      );
    },
  },
  {
    title: "a supplier's reversed direct debit equals an open payment",
    cause: 4,
    fill: (trap) => {
      trap.addBackground();
      trap.pay({ name: trap.person() });
      trap.line(
        {
          description: ['RUECKLASTSCHRIFT', 'REJET PRELEVEMENT', 'DIRECT DEBIT REVERSAL'][
            trap.variant % 3
          ] as string,
          counterparty: trap.variant % 2 === 0 ? trap.company().toUpperCase() : null,
        },
        { confirm: 'never', kind: 'stranger-equal-amount' },
      );
    },
  },
  ...(['id', 'name', 'nothing'] as const).map(
    (evidence): Trap => ({
      title: `the bank writes one line twice, with ${evidence === 'id' ? 'the id' : evidence === 'name' ? 'the name' : 'no evidence'}`,
      cause: 4,
      fill: (trap) => {
        trap.addBackground();
        const own = trap.pay({ name: trap.person() });
        const fields = {
          reference: evidence === 'id' ? `INV ${own.statement_id}` : null,
          counterparty: evidence === 'name' ? capitals(own.names) : null,
        };
        const days = trap.variant < 3 ? 2 : 3;
        trap.line({ ...fields, days: 2 }, { payments: [own], confirm: 'never', kind: 'duplicate' });
        trap.line({ ...fields, days }, { confirm: 'never', kind: 'duplicate' });
      },
    }),
  ),
  {
    title: 'a customer pays twice, and the second time without a name',
    cause: 4,
    fill: (trap) => {
      trap.addBackground();
      const own = trap.pay({ name: trap.person() });
      const first = { counterparty: capitals(own.names) };
      const second = { description: 'CREDIT TRANSFER' };
      const [one, two] = trap.variant % 2 === 0 ? [first, second] : [second, first];
      trap.line({ ...one, days: 1 }, { payments: [own], confirm: 'never', kind: 'duplicate' });
      trap.line({ ...two, days: 3 }, { confirm: 'never', kind: 'duplicate' });
    },
  },
  {
    title: 'two subscriptions of one customer at one price, one line with the name',
    cause: 4,
    fill: (trap) => {
      trap.addBackground();
      const name = trap.variant % 2 === 0 ? trap.person() : trap.company();
      const own = trap.pay({ name, subscription_id: 44_001 });
      trap.pay({ name, subscription_id: 44_002, paid_on: addDays(trap.start, trap.variant % 3) });
      trap.line(
        { days: 3, counterparty: capitals([name]) },
        { payments: [own], confirm: 'never', kind: 'name-only' },
      );
    },
  },
  {
    title: 'one amount covers two equal sums of quoted ids',
    cause: 4,
    fill: (trap) => {
      trap.addBackground();
      const name = trap.company();
      const payments = [500, 1000, 500].map((more) =>
        trap.pay({ name, amount_in_cents: trap.price + more, subscription_id: 33_001 }),
      );
      const [one, two] = payments as [MatchPayment, MatchPayment];
      trap.line(
        {
          amount_in_cents: one.amount_in_cents + two.amount_in_cents,
          counterparty: capitals([name]),
          reference: payments.map(({ statement_id }) => statement_id).join(' '),
        },
        { payments: [one, two], confirm: 'never', kind: 'combined' },
      );
    },
  },
  {
    title: 'an early outlier widens the window to the line before the payment',
    cause: 6,
    fill: (trap) => {
      for (let n = 0; n < 2 + trap.variant; n++)
        addPaid(trap, { amount_in_cents: trap.price + 7000 + n * 13 });
      const early = trap.pay({ name: trap.person(), amount_in_cents: trap.price + 99 });
      trap.line(
        {
          days: -9,
          amount_in_cents: early.amount_in_cents,
          reference: String(early.statement_id),
          counterparty: capitals(early.names),
        },
        { payments: [early], kind: 'clean' },
      );
      trap.pay({ name: trap.person() });
      trap.line({ days: -8 }, { confirm: 'never', kind: 'stranger-equal-amount' });
    },
  },
];
