import type { BankBooking } from './bank-bookings.ts';
import { addDays, addWorkingDays } from './business-days.ts';
import type { CustomerPayment } from './customer-payments.ts';

/** Transfer of a doubtful case. `day` is its day of the month. Omitted texts are empty. */
interface DoubtfulTransfer {
  readonly day: number;
  readonly cents: number;
  readonly payer?: string;
  /** Id of the statement that the transfer names. */
  readonly statement?: number;
  /** Id of the payment that the transfer pays; omitted if it pays none, or several. */
  readonly payment?: number;
}

/**
 * Kind of doubt with the customer payments that it needs. `late`: of the last days before the month. `old`: of the weeks
 * before. `transfer`: of the month, with a bank line of its own.
 */
interface DoubtfulCase {
  readonly pool: 'late' | 'old' | 'transfer';
  readonly count?: number;
  isSuitable?(payment: CustomerPayment): boolean;
  create(...payments: readonly CustomerPayment[]): readonly DoubtfulTransfer[];
}

const LATE_DAYS = 12;
const OLD_DAYS = 31;
/** Approximate length of the month before. */
const PREVIOUS_MONTH_DAYS = 30;
const BANK_FEE_CENTS = 110;

const dayOf = (at: string): number => Number(at.slice(8, 10));
const getNames = (payer: string): readonly string[] => payer.split(' ');

const cases: readonly DoubtfulCase[] = [
  // The customer pays twice, and no transfer names a statement.
  { pool: 'transfer', create: (one) => [{ day: dayOf(one.at) + 4, cents: one.cents, payer: one.payer }] },
  // The transfer contains only the initial of the customer's first name.
  {
    pool: 'late',
    isSuitable: ({ payer }) => getNames(payer).length === 2 && !payer.includes('&'),
    create: ({ cents, payer, transaction_id: payment }) => {
      const [first = '', last = ''] = getNames(payer);
      return [{ day: 1, cents, payer: `${first[0]} ${last}`, payment }];
    },
  },
  // One transfer pays two customers' statements and names neither.
  {
    pool: 'late',
    count: 2,
    create: (...payments) => [{ day: 2, cents: payments.reduce((sum, { cents }) => sum + cents, 0) }],
  },
  // Two transfers name the same statement.
  {
    pool: 'late',
    create: ({ cents, payer, statement_id: statement }) => [
      { day: 1, cents, payer, statement },
      { day: 2, cents, payer, statement },
    ],
  },
  // Two transfers without a name have the amount of one payment.
  {
    pool: 'late',
    create: ({ cents }) => [
      { day: 1, cents },
      { day: 2, cents },
    ],
  },
  // The transfer arrives about twelve days after the payment was recorded.
  {
    pool: 'late',
    create: ({ at, cents, payer, transaction_id: payment }) => [
      { day: dayOf(at) + 12 - PREVIOUS_MONTH_DAYS, cents, payer, payment },
    ],
  },
  // A bank deducted its fee.
  {
    pool: 'old',
    isSuitable: ({ cents }) => cents > 20 * BANK_FEE_CENTS,
    create: ({ cents, payer, statement_id: statement, transaction_id: payment }) => [
      { day: 5, cents: cents - BANK_FEE_CENTS, payer, statement, payment },
    ],
  },
  // Somebody else pays for the customer.
  {
    pool: 'old',
    create: ({ cents, statement_id: statement, transaction_id: payment }) => [
      { day: 5, cents, payer: 'Holloway Bookkeeping', statement, payment },
    ],
  },
  // The customer pays half of a statement.
  {
    pool: 'old',
    isSuitable: ({ cents }) => cents > 100,
    create: ({ cents, payer, statement_id: statement, transaction_id: payment }) => [
      { day: 6, cents: Math.floor(cents / 2), payer, statement, payment },
    ],
  },
];

/**
 * Returns bank lines that need a person's decision, one case per kind of doubt. They pay customer payments of the month
 * before, whose bank lines are in no file, or a payment of the month again. A kind is omitted if no payment suits it.
 */
export function createDoubtfulTransfers(payments: readonly CustomerPayment[], month: string): BankBooking[] {
  const start = `${month}-01`;
  const received = payments.filter(({ kind, cents }) => kind === 'payment' && cents > 0).toReversed();
  const transfers = received.filter(({ at, method }) => at.startsWith(month) && method === 'transfer');
  const paying = new Set(transfers.map(({ subscription_id }) => subscription_id));
  const earlier = received.filter(
    ({ at, subscription_id }) =>
      at < start && at >= addDays(start, -OLD_DAYS) && !paying.has(subscription_id),
  );
  const isLate = ({ at }: CustomerPayment) => at >= addDays(start, -LATE_DAYS);
  const pools = {
    transfer: takeOncePerCustomer(transfers),
    late: takeOncePerCustomer(earlier.filter(isLate)),
    old: takeOncePerCustomer(earlier.filter((payment) => !isLate(payment))),
  };
  return cases.flatMap(({ pool, count = 1, isSuitable = () => true, create }) => {
    const chosen = pools[pool].filter(isSuitable).slice(0, count);
    if (chosen.length < count) return [];
    pools[pool] = pools[pool].filter((payment) => !chosen.includes(payment));
    return create(...chosen).map((transfer) => toBooking(transfer, start));
  });
}

function toBooking({ day, cents, payer, statement, payment }: DoubtfulTransfer, start: string): BankBooking {
  return {
    date: addWorkingDays(addDays(start, day - 1), 0),
    cents,
    description: `INCOMING TRANSFER ${payer?.toUpperCase() ?? ''}`.trim(),
    reference: statement === undefined ? '' : `STMT ${statement}`,
    payout_id: null,
    transaction_id: payment ?? null,
  };
}

/** Returns the first payment of each customer, so that each doubt has one cause. */
function takeOncePerCustomer(payments: readonly CustomerPayment[]): CustomerPayment[] {
  const seen = new Set<number>();
  return payments.filter(({ subscription_id }) => !seen.has(subscription_id) && seen.add(subscription_id));
}
