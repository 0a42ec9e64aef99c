import type { Truth } from '../truth.ts';
import { type Booking, bookingsOf } from './bookings.ts';
import { type PayoutRow, payoutsOf, type SettledPayout } from './payouts.ts';
import { takingsOf } from './takings.ts';

/** What the merchant's bank and card processor say of a month, as the files they give out. */
export interface BankFiles {
  readonly month: string;
  /** The bank's statement as the standard CSV. */
  readonly statement: {
    readonly name: string;
    readonly text: string;
    readonly rows: readonly StatementMeaning[];
  };
  /** The processor's payout report, itemized, as Stripe makes it. */
  readonly payouts: { readonly name: string; readonly text: string; readonly rows: readonly ReportMeaning[] };
}

/** What a line of the statement is for; `row` counts from 1. */
export interface StatementMeaning {
  readonly row: number;
  readonly payout_id: string | null;
  readonly transaction_id: number | null;
}

export interface ReportMeaning {
  readonly row: number;
  readonly payout_id: string;
  readonly category: string;
  readonly transaction_id: number | null;
}

/**
 * The files of a month (`2026-10`): cards are settled in batches with lags and fees, some customers pay by transfer, some lines have no
 * reference, some are foreign to the billing service. What is settled after the month is on its way. The same truth and seed give
 * the same files. RangeError for a text that is no month.
 */
export function bankFiles(truth: Pick<Truth, 'statements'>, { seed = 1, month = '2026-10' } = {}): BankFiles {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) throw new RangeError(`not a month: ${month}`);
  const takings = takingsOf(truth.statements(), seed);
  const payouts = payoutsOf(takings, month, seed);
  const bookings = bookingsOf(takings, payouts, month, seed);
  const rows = payouts.flatMap((payout) => [...payout.rows, closing(payout)].map((row) => ({ payout, row })));
  return {
    month,
    statement: {
      name: `bank-${month}.csv`,
      text: statementText(bookings),
      rows: bookings.map(({ payout_id, transaction_id }, at) => ({ row: at + 1, payout_id, transaction_id })),
    },
    payouts: {
      name: `payouts-${month}.csv`,
      text: reportText(rows),
      rows: rows.map(({ payout, row: { category, transaction_id } }, at) => ({
        row: at + 1,
        payout_id: payout.id,
        category,
        transaction_id,
      })),
    },
  };
}

/** The row by which a payout leaves the processor's balance. */
const closing = ({ id, sent_on, net }: SettledPayout): PayoutRow => ({
  category: 'payout',
  gross: -net,
  fee: 0,
  at: `${sent_on} 00:00:00`,
  source: id,
  charge: '',
  description: 'STRIPE PAYOUT',
  payer: '',
  transaction_id: null,
});

const statementText = (bookings: readonly Booking[]): string =>
  table([
    ['date', 'amount', 'currency', 'description', 'reference'],
    ...bookings.map(({ date, cents, description, reference }) => [
      date,
      decimal(cents),
      'USD',
      description,
      reference,
    ]),
  ]);

const reportText = (rows: readonly { payout: SettledPayout; row: PayoutRow }[]): string =>
  table([
    [
      'automatic_payout_id',
      'automatic_payout_effective_at_utc',
      'balance_transaction_id',
      'created_utc',
      'available_on_utc',
      'currency',
      'gross',
      'fee',
      'net',
      'reporting_category',
      'source_id',
      'description',
      'charge_id',
      'customer_name',
    ],
    ...rows.map(({ payout, row }, at) => [
      payout.id,
      `${payout.sent_on} 00:00:00`,
      `txn_${payout.id.slice(3)}${at}`,
      row.at,
      `${payout.sent_on} 00:00:00`,
      'usd',
      decimal(row.gross),
      decimal(row.fee),
      decimal(row.gross - row.fee),
      row.category,
      row.source,
      row.description,
      row.charge,
      row.payer,
    ]),
  ]);

const table = (rows: readonly (readonly string[])[]): string =>
  `${rows.map((row) => row.map(cell).join(',')).join('\n')}\n`;
const cell = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function decimal(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
