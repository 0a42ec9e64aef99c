import type { JsonRecord } from '../render/json-records.ts';
import type { BankBooking } from './bank-bookings.ts';
import type { PayoutReportRow, SettledPayout } from './payouts.ts';

/** A balanced posting of the merchant's general ledger. The amount is in cents; a negative one swaps debit and credit. */
export interface LedgerPosting {
  readonly date: string;
  readonly description: string;
  readonly debit: LedgerAccountName;
  readonly credit: LedgerAccountName;
  readonly cents: number;
}

/** Chart of accounts of the sandbox's merchant. */
export const ledgerAccounts = {
  bank: ['1000', 'Bank account'],
  receivables: ['1200', 'Accounts receivable'],
  received: ['1210', 'Payments received'],
  clearing: ['1250', 'Card clearing'],
  transit: ['1260', 'Cash in transit'],
  reserve: ['1270', 'Reserve at the card processor'],
  other: ['2900', 'Unrelated movements'],
  revenue: ['4000', 'Subscription revenue'],
  fees: ['6855', 'Card processing fees'],
  chargebacks: ['6860', 'Chargebacks'],
} as const;
type LedgerAccountName = keyof typeof ledgerAccounts;

/** Accounts that balance the rows of a payout report by category. Charges and refunds balance with payments received. */
const REPORT_ACCOUNTS: Readonly<Partial<Record<PayoutReportRow['category'], LedgerAccountName>>> = {
  dispute: 'chargebacks',
  fee: 'fees',
  risk_reserved_funds: 'reserve',
};

/**
 * Returns the postings of a month by date: the statements at their closing, the processor's rows, the payouts when they are
 * sent, and the lines of the bank statement.
 */
export function createLedgerPostings(
  statements: Iterable<JsonRecord>,
  payouts: readonly SettledPayout[],
  bookings: readonly BankBooking[],
  month: string,
): LedgerPosting[] {
  const postings = [
    ...[...statements].flatMap(postStatement),
    ...payouts.flatMap(postPayout),
    ...bookings.map(postBooking),
  ];
  return postings
    .filter(({ date, cents }) => date.startsWith(month) && cents !== 0)
    .toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
}

function postStatement({ id, closed_at, transactions }: JsonRecord): LedgerPosting[] {
  if (closed_at === null) return [];
  const date = String(closed_at).slice(0, 10);
  const post = (debit: LedgerAccountName, credit: LedgerAccountName, cents: number): LedgerPosting => ({
    ...{ date, description: `Statement ${String(id)}`, debit, credit, cents },
  });
  return (transactions as JsonRecord[]).flatMap(({ transaction_type, amount_in_cents, success }) => {
    const cents = Number(amount_in_cents);
    switch (transaction_type) {
      case 'charge':
      case 'adjustment':
        return [post('receivables', 'revenue', cents)];
      case 'credit':
        return [post('receivables', 'revenue', -Math.abs(cents))];
      case 'payment':
        return success === true ? [post('received', 'receivables', cents)] : [];
      default:
        return [];
    }
  });
}

const postPayout = ({ id, sent_on, rows, net }: SettledPayout): LedgerPosting[] => [
  ...rows.flatMap(({ at, category, gross, fee, description }): LedgerPosting[] => {
    const row = { date: at.slice(0, 10), description };
    const account = REPORT_ACCOUNTS[category] ?? 'received';
    return [
      { ...row, debit: 'clearing', credit: account, cents: gross },
      { ...row, debit: 'fees', credit: 'clearing', cents: fee },
    ];
  }),
  { date: sent_on, description: `Payout ${id}`, debit: 'transit', credit: 'clearing', cents: net },
];

const postBooking = ({
  date,
  cents,
  description,
  payout_id,
  transaction_id,
}: BankBooking): LedgerPosting => ({
  ...{ date, description, debit: 'bank', cents },
  credit: payout_id !== null ? 'transit' : transaction_id !== null ? 'received' : 'other',
});
