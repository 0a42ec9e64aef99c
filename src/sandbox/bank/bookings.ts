import { fraction, hash, topic } from '../world/random.ts';
import { later, workingDay } from './days.ts';
import type { SettledPayout } from './payouts.ts';
import type { Taking } from './takings.ts';

/** A line of the merchant's bank statement, and what it is for. */
export interface Booking {
  readonly date: string;
  readonly cents: number;
  readonly description: string;
  readonly reference: string;
  readonly payout_id: string | null;
  readonly transaction_id: number | null;
}

/** Part of the payouts whose line names the payout, part that the bank books a day late, part of the transfers with a reference. */
const NAMED_PAYOUTS = 0.7;
const LATE = 0.2;
const NAMED_TRANSFERS = 0.6;
/** Part of the others that tell the payer. */
const TOLD_PAYERS = 0.5;

/** The month's lines: payouts, transfers of customers, and what else goes on in an account. In the order of their days. */
export function bookingsOf(
  takings: readonly Taking[],
  payouts: readonly SettledPayout[],
  month: string,
  seed: number,
): Booking[] {
  const transfers = takings.filter(({ way }) => way === 'transfer');
  const all = [
    ...payouts.map((payout) => ofPayout(payout, seed)),
    ...transfers.map((taking) => ofTransfer(taking, seed)),
    ...others(month),
  ];
  return all
    .filter(({ date, cents }) => date.startsWith(month) && cents !== 0)
    .map((booking, at) => ({ booking, draw: hash(seed, topic.bank, at, 9) }))
    .toSorted((a, b) =>
      a.booking.date === b.booking.date ? a.draw - b.draw : a.booking.date < b.booking.date ? -1 : 1,
    )
    .map(({ booking }) => booking);
}

function ofPayout({ id, sent_on, net }: SettledPayout, seed: number): Booking {
  const draw = (what: number) => fraction(seed, topic.bank, Number(sent_on.replaceAll('-', '')), what);
  const code = hash(seed, topic.bank, Number(sent_on.replaceAll('-', '')), 3)
    .toString(36)
    .toUpperCase();
  return {
    date: draw(1) < LATE ? workingDay(later(sent_on, 1), 0) : sent_on,
    cents: net,
    description: `STRIPE TRANSFER ST-${code}`,
    reference: draw(2) < NAMED_PAYOUTS ? id : '',
    payout_id: id,
    transaction_id: null,
  };
}

function ofTransfer({ at, cents, payer, statement_id, transaction_id }: Taking, seed: number): Booking {
  const lag = hash(seed, topic.bank, transaction_id, 4) % 4;
  const named = fraction(seed, topic.bank, transaction_id, 5) < NAMED_TRANSFERS;
  const way = cents < 0 ? 'OUTGOING TRANSFER' : 'INCOMING TRANSFER';
  return {
    date: workingDay(later(at.slice(0, 10), lag), 0),
    cents,
    description:
      named || fraction(seed, topic.bank, transaction_id, 6) < TOLD_PAYERS
        ? `${way} ${payer.toUpperCase()}`
        : way,
    reference: named ? `STMT ${statement_id}` : '',
    payout_id: null,
    transaction_id,
  };
}

/** What no statement knows of; one of them has the price of a subscription. */
function others(month: string): Booking[] {
  const on = (day: string, cents: number, description: string): Booking => ({
    date: workingDay(`${month}-${day}`, 0),
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
