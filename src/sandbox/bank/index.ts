import type { GroundTruth } from '../service/ground-truth.ts';
import { type BankBooking, createBankBookings } from './bank-bookings.ts';
import { listCustomerPayments } from './customer-payments.ts';
import { createDoubtfulTransfers } from './doubtful-transfers.ts';
import { createLedgerPostings, type LedgerPosting, ledgerAccounts } from './ledger-postings.ts';
import { createMonthlyPayouts, type PayoutReportRow, type SettledPayout } from './payouts.ts';

/** Files that the merchant's bank, card processor and accounting system export for a month. */
export interface MonthlyBankFiles {
  readonly month: string;
  /** Bank statement in the standard CSV format. */
  readonly statement: ExportedFile<BankStatementRowSource>;
  /** Itemized payout report in Stripe's format. */
  readonly payouts: ExportedFile<PayoutReportRowSource>;
  /** Account activity of the general ledger. It agrees with the billing records and the other files. */
  readonly ledger: { readonly name: string; readonly text: string };
}

interface ExportedFile<Row> {
  readonly name: string;
  readonly text: string;
  readonly rows: readonly Row[];
}

/** Billing records behind a line of the bank statement. `row` is the line's number, starting at 1. */
export interface BankStatementRowSource {
  readonly row: number;
  readonly payout_id: string | null;
  readonly transaction_id: number | null;
}

/** Billing records behind a row of the payout report. */
export interface PayoutReportRowSource extends BankStatementRowSource {
  readonly payout_id: string;
  readonly category: string;
}

/**
 * Returns the bank and processor files of a month (`YYYY-MM`). Card payments are settled in batches with a delay and
 * fees. Some customers pay by bank transfer, some lines have no reference, and some are unrelated to billing. Payments
 * settled after the month are in transit. With `doubts`, some lines need a person's decision. Throws RangeError if
 * `month` is not a month.
 */
export function createMonthlyBankFiles(
  truth: Pick<GroundTruth, 'statements'>,
  { seed = 1, month = '2026-10', doubts = false } = {},
): MonthlyBankFiles {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month))
    throw new RangeError(`month must have the form YYYY-MM, not ${month}`);
  const payments = listCustomerPayments(truth.statements(), seed);
  const payouts = createMonthlyPayouts(payments, month, seed);
  const additional = doubts ? createDoubtfulTransfers(payments, month) : [];
  const bookings = createBankBookings(payments, payouts, { month, seed, additional });
  const rows = payouts.flatMap((payout) =>
    [...payout.rows, payoutRow(payout)].map((row) => ({ payout, row })),
  );
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
    ledger: {
      name: `ledger-${month}.csv`,
      text: ledgerText(createLedgerPostings(truth.statements(), payouts, bookings, month)),
    },
  };
}

/** Returns the report row by which a payout leaves the processor's balance. */
const payoutRow = ({ id, sent_on, net }: SettledPayout): PayoutReportRow => ({
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

const statementText = (bookings: readonly BankBooking[]): string =>
  csvTable([
    ['date', 'amount', 'currency', 'description', 'reference'],
    ...bookings.map((booking) => {
      const { date, cents, description, reference } = booking;
      return [date, decimalAmount(cents), 'USD', description, reference];
    }),
  ]);

const reportText = (rows: readonly { payout: SettledPayout; row: PayoutReportRow }[]): string =>
  csvTable([
    [
      ...['automatic_payout_id', 'automatic_payout_effective_at_utc', 'balance_transaction_id'],
      ...['created_utc', 'available_on_utc', 'currency', 'gross', 'fee', 'net', 'reporting_category'],
      ...['source_id', 'description', 'charge_id', 'customer_name'],
    ],
    ...rows.map(({ payout, row }, at) => [
      ...[payout.id, `${payout.sent_on} 00:00:00`, `txn_${payout.id.slice(3)}${at}`],
      ...[row.at, `${payout.sent_on} 00:00:00`, 'usd'],
      ...[row.gross, row.fee, row.gross - row.fee].map(decimalAmount),
      ...[row.category, row.source, row.description, row.charge, row.payer],
    ]),
  ]);

const ledgerText = (postings: readonly LedgerPosting[]): string =>
  csvTable([
    ['Account', 'Account name', 'Date', 'Description', 'Debit', 'Credit'],
    ...postings.flatMap(({ date, description, debit, credit, cents }) => {
      const amount = decimalAmount(Math.abs(cents));
      const [debited, credited] = cents < 0 ? [credit, debit] : [debit, credit];
      return [
        [...ledgerAccounts[debited], date, description, amount, ''],
        [...ledgerAccounts[credited], date, description, '', amount],
      ];
    }),
  ]);

const csvTable = (rows: readonly (readonly string[])[]): string =>
  `${rows.map((row) => row.map(csvCell).join(',')).join('\n')}\n`;
const csvCell = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function decimalAmount(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
