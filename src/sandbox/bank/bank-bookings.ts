import { hashNumbers, randomFraction, randomTopics } from '../simulation/seeded-random.ts';
import { addDays, addWorkingDays } from './business-days.ts';
import type { CustomerPayment } from './customer-payments.ts';
import type { SettledPayout } from './payouts.ts';

/** A line of the merchant's bank statement, with the billing records behind it. */
export interface BankBooking {
  readonly date: string;
  readonly cents: number;
  readonly description: string;
  readonly reference: string;
  readonly payout_id: string | null;
  readonly transaction_id: number | null;
}

/** Share of the payouts whose bank line contains the payout id. */
const PAYOUT_ID_SHARE = 0.7;
const LATE_BOOKING_SHARE = 0.2;
const REFERENCE_SHARE = 0.6;
/** Share of the transfers without a reference that contain the payer's name. */
const PAYER_NAME_SHARE = 0.5;

interface BankBookingOptions {
  readonly month: string;
  readonly seed: number;
  /** Further lines of the month. */
  readonly additional: readonly BankBooking[];
}

/** Returns the bank lines of a month, sorted by date: payouts, customer transfers and unrelated movements. */
export function createBankBookings(
  payments: readonly CustomerPayment[],
  payouts: readonly SettledPayout[],
  { month, seed, additional }: BankBookingOptions,
): BankBooking[] {
  const transfers = payments.filter(({ method }) => method === 'transfer');
  const all = [
    ...payouts.map((payout) => payoutBooking(payout, seed)),
    ...transfers.map((payment) => transferBooking(payment, seed)),
    ...unrelatedBookings(month),
    ...additional,
  ];
  return all
    .filter(({ date, cents }) => date.startsWith(month) && cents !== 0)
    .map((booking, at) => ({ booking, draw: hashNumbers(seed, randomTopics.bank, at, 9) }))
    .toSorted(({ booking: a, draw }, { booking: b, draw: otherDraw }) =>
      a.date === b.date ? draw - otherDraw : a.date < b.date ? -1 : 1,
    )
    .map(({ booking }) => booking);
}

function payoutBooking({ id, sent_on, net }: SettledPayout, seed: number): BankBooking {
  const day = Number(sent_on.replaceAll('-', ''));
  const draw = (n: number) => randomFraction(seed, randomTopics.bank, day, n);
  const code = hashNumbers(seed, randomTopics.bank, day, 3).toString(36).toUpperCase();
  return {
    date: draw(1) < LATE_BOOKING_SHARE ? addWorkingDays(addDays(sent_on, 1), 0) : sent_on,
    cents: net,
    description: `STRIPE TRANSFER ST-${code}`,
    reference: draw(2) < PAYOUT_ID_SHARE ? id : '',
    payout_id: id,
    transaction_id: null,
  };
}

function transferBooking(
  { at, cents, payer, statement_id, transaction_id }: CustomerPayment,
  seed: number,
): BankBooking {
  const lag = hashNumbers(seed, randomTopics.bank, transaction_id, 4) % 4;
  const hasReference = randomFraction(seed, randomTopics.bank, transaction_id, 5) < REFERENCE_SHARE;
  const hasPayer =
    hasReference || randomFraction(seed, randomTopics.bank, transaction_id, 6) < PAYER_NAME_SHARE;
  const direction = cents < 0 ? 'OUTGOING TRANSFER' : 'INCOMING TRANSFER';
  return {
    date: addWorkingDays(addDays(at.slice(0, 10), lag), 0),
    cents,
    description: hasPayer ? `${direction} ${payer.toUpperCase()}` : direction,
    reference: hasReference ? `STMT ${statement_id}` : '',
    payout_id: null,
    transaction_id,
  };
}

/** Returns bank lines that are unrelated to billing. The amount of one deliberately equals a subscription's price. */
function unrelatedBookings(month: string): BankBooking[] {
  const on = (day: string, cents: number, description: string): BankBooking => ({
    date: addWorkingDays(`${month}-${day}`, 0),
    cents,
    description,
    reference: '',
    payout_id: null,
    transaction_id: null,
  });
  return [
    on('01', -240_000, 'RENT HARBOR LOFTS'),
    on('05', 500_000, 'OWNER CONTRIBUTION'),
    on('08', -1_899, 'CARD PURCHASE OFFICE SUPPLY'),
    on('12', 9_900, 'INCOMING TRANSFER NORTHWIND TRADERS'),
    on('15', -1_284_350, 'PAYROLL'),
    on('19', -6_420, 'CARD PURCHASE CLOUD HOSTING'),
    on('22', 9_900, 'INCOMING TRANSFER NORTHWIND TRADERS'),
    on('28', -1_284_350, 'PAYROLL'),
    on('28', -2_500, 'MONTHLY SERVICE FEE'),
    on('28', 312, 'INTEREST'),
  ];
}
