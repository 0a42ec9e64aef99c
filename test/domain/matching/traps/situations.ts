import type { MatchLine, MatchPayment } from '../../../../src/domain/matching/index.ts';
import type { SampleRows } from '../sample-rows.ts';
import type { TrapRows, TrapVariant } from './variants.ts';

type Trap = (rows: TrapRows, variant: TrapVariant) => SampleRows;

/** Changes the last digit of an id but one. */
const slip = (id: number): number => id + (Math.floor(id / 10) % 10 === 9 ? -10 : 10);

const only = (payments: readonly MatchPayment[], line: MatchLine): SampleRows => ({
  payments,
  lines: [line],
});

function withHistory(rows: TrapRows, { payments, lines }: SampleRows, count = 40): SampleRows {
  const history = rows.history(count);
  return { payments: [...history.payments, ...payments], lines: [...history.lines, ...lines] };
}

/** Everyday situations in which no match of line 1 is proved. */
export const traps: readonly (readonly [title: string, trap: Trap])[] = [
  [
    'the name of a longer company, cut by the bank, equals a customer',
    (rows, { company, companyCut, longerCompany }) =>
      only(
        [rows.payment(company)],
        rows.line({ counterparty: longerCompany.slice(0, companyCut).toUpperCase() }),
      ),
  ],
  [
    'the cut name fits two customers with the same price',
    (rows, { company, companyCut, longerCompany, id }) =>
      only(
        [rows.payment(company), rows.payment(longerCompany, { id: id + 77_777 }, 1)],
        rows.line({ counterparty: longerCompany.slice(0, companyCut).toUpperCase() }),
      ),
  ],
  [
    'the cut name fits one customer, the exact reference another',
    (rows, { company, person, id }) =>
      only(
        [rows.payment(company), rows.payment(person, { id: id + 77_777 })],
        rows.line({ counterparty: company.toUpperCase(), reference: String(id + 77_777) }),
      ),
  ],
  [
    'a hotel whose cut name ends with the initial of a customer’s first name',
    (rows, { family, sameInitial }) =>
      only(
        [rows.payment(`${sameInitial[0]} ${family}`)],
        rows.line({ counterparty: `HOTEL ${family} ${sameInitial[0]?.[0]}`.toUpperCase() }),
      ),
  ],
  [
    'a hotel in the text whose name ends with the initial of a customer’s first name',
    (rows, { family, sameInitial }) =>
      only(
        [rows.payment(`${sameInitial[0]} ${family}`)],
        rows.line({ description: `HOTEL ${family} ${sameInitial[0]?.[0]}`.toUpperCase() }),
      ),
  ],
  [
    'a stranger with a customer’s family name and particle',
    (rows, { particle, firstNames }) =>
      only(
        [rows.payment(`${firstNames[0]} ${particle}`)],
        rows.line({ counterparty: `${firstNames[1]} ${particle}` }),
      ),
  ],
  [
    'a stranger with a customer’s family name and particle in the text',
    (rows, { particle, firstNames }) =>
      only(
        [rows.payment(`${firstNames[0]} ${particle}`)],
        rows.line({ description: `SEPA credit ${firstNames[1]} ${particle}`.toUpperCase() }),
      ),
  ],
  [
    'an initial that fits two customers with the same price',
    (rows, { family, sameInitial, id }) =>
      only(
        [
          rows.payment(`${sameInitial[0]} ${family}`),
          rows.payment(`${sameInitial[1]} ${family}`, { id: id + 77_777 }),
        ],
        rows.line({ counterparty: `${sameInitial[0]?.[0]}. ${family}` }),
      ),
  ],
  [
    'a relative with the same family name',
    (rows, { family, sameInitial }) =>
      only(
        [rows.payment(`${sameInitial[0]} ${family}`)],
        rows.line({ counterparty: `${sameInitial[1]} ${family}` }),
      ),
  ],
  [
    'a rare amount from another named payer',
    (rows, { person, stranger, cents }) =>
      only(
        [rows.payment(person, { amount_in_cents: cents + 37 })],
        rows.line({ counterparty: stranger, amount_in_cents: cents + 37 }),
      ),
  ],
  [
    'a rare amount from another payer named in the text',
    (rows, { person, stranger, cents }) =>
      only(
        [rows.payment(person, { amount_in_cents: cents + 37 })],
        rows.line({ description: `Credit from ${stranger}`, amount_in_cents: cents + 37 }),
      ),
  ],
  [
    'an exact reference from another named payer',
    (rows, { person, stranger, id }) =>
      only([rows.payment(person)], rows.line({ counterparty: stranger, reference: `INV ${id}` })),
  ],
  [
    'a wire short by a fee that equals another customer’s amount',
    (rows, { person, other, cents, feeCents, id }) =>
      only(
        [
          rows.payment(person, { amount_in_cents: cents + feeCents }),
          rows.payment(other, { id: id + 77_777 }),
        ],
        rows.line({ counterparty: person }),
      ),
  ],
  [
    'a wire short by a fee, with the payer in the text',
    (rows, { person, other, cents, feeCents, id }) =>
      only(
        [
          rows.payment(person, { amount_in_cents: cents + feeCents }),
          rows.payment(other, { id: id + 77_777 }),
        ],
        rows.line({ description: `WIRE IN ${person.toUpperCase()}` }),
      ),
  ],
  [
    'a rent paid out that equals a customer’s refund',
    (rows, { person, cents }) =>
      only(
        [rows.payment(person, { kind: 'refund', amount_in_cents: -cents })],
        rows.line({ amount_in_cents: -cents, description: 'Office rent', counterparty: null }),
      ),
  ],
  [
    'a rent paid to a landlord that equals a customer’s refund',
    (rows, { person, stranger, cents }) =>
      only(
        [rows.payment(person, { kind: 'refund', amount_in_cents: -cents })],
        rows.line({ amount_in_cents: -cents, description: 'Rent', counterparty: stranger }),
      ),
  ],
  [
    'an old reference against name, amount and lag',
    (rows, { person, other, id, cents }) =>
      only(
        [rows.payment(other, { amount_in_cents: cents }, -45), rows.payment(person, { id: id + 77_777 })],
        rows.line({ reference: String(id), counterparty: person }),
      ),
  ],
  [
    'last month’s reference on this month’s payment',
    (rows, { person, id }) =>
      only(
        [
          rows.payment(person, {}, -30),
          rows.payment(person, { id: id + 77_777, subscription_id: id + 7_000_000 }),
        ],
        rows.line({ reference: String(id), counterparty: person }),
      ),
  ],
  [
    'a chargeback with a slipped id',
    (rows, { person, other, id, cents }) => ({
      payments: [rows.payment(person), rows.payment(other, { id: slip(id) })],
      lines: [
        rows.line({ id: 2, reference: String(id), counterparty: person }),
        rows.line({ id: 3, reference: String(slip(id)), counterparty: other }),
        rows.line(
          {
            amount_in_cents: -cents,
            reference: String(slip(id)),
            counterparty: person,
            description: 'Chargeback',
            kind: 'chargeback',
          },
          20,
        ),
      ],
    }),
  ],
  [
    'a chargeback with a slipped id and no name',
    (rows, { person, other, id, cents }) => ({
      payments: [rows.payment(person), rows.payment(other, { id: slip(id) })],
      lines: [
        rows.line({ id: 2, reference: String(id), counterparty: person }),
        rows.line({ id: 3, reference: String(slip(id)), counterparty: other }),
        rows.line({ amount_in_cents: -cents, reference: String(slip(id)), kind: 'chargeback' }, 20),
      ],
    }),
  ],
  [
    'one wire with two ids, one of them slipped to another customer',
    (rows, { person, other, id, cents }) =>
      only(
        [
          rows.payment(person, { id: id + 1000, subscription_id: 1 }),
          rows.payment(person, { id, amount_in_cents: cents + 500, subscription_id: 1 }),
          rows.payment(other, { id: slip(id), amount_in_cents: cents + 500, subscription_id: 2 }),
        ],
        rows.line({
          description: `Invoices ${id + 1000} and ${slip(id)}`,
          amount_in_cents: cents * 2 + 500,
        }),
      ),
  ],
  [
    'one wire with two ids and the name of another payer',
    (rows, { person, other, id, cents }) =>
      only(
        [
          rows.payment(person, { id: id + 1000, subscription_id: 1 }),
          rows.payment(person, { id: id + 5005, subscription_id: 1 }),
        ],
        rows.line({
          description: `Invoices ${id + 1000} and ${id + 5005}`,
          amount_in_cents: cents * 2,
          counterparty: other,
        }),
      ),
  ],
  [
    'a slipped id that hits a neighbor with the same price',
    (rows, { person, other, id }) =>
      only(
        [rows.payment(person), rows.payment(other, { id: slip(id) })],
        rows.line({ reference: String(slip(id)) }),
      ),
  ],
  [
    'a date that reads as a statement id',
    (rows, { person, other, paidOn, id }) =>
      only(
        [
          rows.payment(person, { statement_id: Number(paidOn.replaceAll('-', '')) }),
          rows.payment(other, { id: id + 77_777 }),
        ],
        rows.line({ description: `Payment ${paidOn.split('-').join('')}` }),
      ),
  ],
  [
    'a date with periods that reads as a statement id',
    (rows, { person, other, paidOn, id }) =>
      only(
        [
          rows.payment(person, { statement_id: Number(paidOn.split('-').reverse().join('')) }),
          rows.payment(other, { id: id + 77_777 }),
        ],
        rows.line({ description: `Invoice of ${paidOn.split('-').reverse().join('.')}` }),
      ),
  ],
  [
    'an id cut by the bank that equals another id',
    (rows, { person, other, id }) =>
      only(
        [rows.payment(person), rows.payment(other, { id: Math.floor(id / 10) })],
        rows.line({ description: `PAYMENT OF INVOICE ${Math.floor(id / 10)}` }),
      ),
  ],
  [
    'an outlier among few lags',
    (rows, { person, other, id, cents }) => {
      const history = rows.history(6);
      const late = rows.payment(other, { id: id + 99_991, amount_in_cents: cents + 11 }, -21);
      return {
        payments: [...history.payments, late, rows.payment(person, {}, -16)],
        lines: [
          ...history.lines,
          rows.line({
            id: 2,
            reference: String(late.id),
            counterparty: other,
            amount_in_cents: cents + 11,
            booked_on: rows.day(0),
          }),
          rows.line({}, 3),
        ],
      };
    },
  ],
  [
    'a stranger’s own reference with a customer’s amount',
    (rows, { person, id }) =>
      withHistory(rows, only([rows.payment(person)], rows.line({ reference: String(id + 33_333_333) }))),
  ],
  [
    'a stranger among many lines that name their payer',
    (rows, { person, stranger }) =>
      withHistory(rows, only([rows.payment(person)], rows.line({ counterparty: stranger }))),
  ],
];
