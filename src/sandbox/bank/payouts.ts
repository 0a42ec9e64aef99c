import { hashNumbers, randomTopics } from '../simulation/seeded-random.ts';
import { addDays, addWorkingDays } from './business-days.ts';
import type { CustomerPayment } from './customer-payments.ts';

/** A row of a payout report. Amounts are in cents, signed by their effect on the processor's balance. */
export interface PayoutReportRow {
  readonly category: 'charge' | 'refund' | 'dispute' | 'fee' | 'risk_reserved_funds' | 'payout';
  readonly gross: number;
  readonly fee: number;
  /** Time in UTC, for example `2026-10-01 14:03:11`. */
  readonly at: string;
  readonly source: string;
  /** Gateway id of the charge to which the row belongs; empty if there is none. */
  readonly charge: string;
  readonly description: string;
  readonly payer: string;
  /** Id of the billing service's transaction; null for the processor's own rows. */
  readonly transaction_id: number | null;
}

export interface SettledPayout {
  readonly id: string;
  /** Date on which the processor sends the payout. */
  readonly sent_on: string;
  readonly rows: readonly PayoutReportRow[];
  readonly net: number;
}

/** Number of working days from a charge to its payout. */
const PAYOUT_LAG_DAYS = 2;
const DISPUTE_FEE_CENTS = 1500;
const RESERVE_CENTS = 2500;
const USAGE_FEE_CENTS = 200;

/** Returns the processor's fee in cents: 2.9% plus 30 cents, rounded. */
const processingFee = (cents: number): number => Math.round((cents * 29) / 1000) + 30;

/**
 * Returns the payouts of a month. Each one covers the charges and refunds of one day and is sent two working days later.
 * The largest payout includes a dispute of an older charge. The second largest includes a reserve, which the last one
 * releases. The first payout includes the monthly usage fee.
 */
export function createMonthlyPayouts(
  payments: readonly CustomerPayment[],
  month: string,
  seed: number,
): SettledPayout[] {
  const cardPayments = payments.filter(({ method }) => method === 'card');
  const payoutDays = Map.groupBy(cardPayments, ({ at }) => addWorkingDays(at.slice(0, 10), PAYOUT_LAG_DAYS));
  const charges = new Map(payments.map((payment) => [payment.transaction_id, payment]));
  const drafts = [...payoutDays]
    .filter(([sent_on]) => sent_on.startsWith(month))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([sent_on, each]) => ({ sent_on, rows: each.map((payment) => reportRow(payment, charges)) }));
  const bySize = drafts.toSorted((a, b) => netAmount(b.rows) - netAmount(a.rows));
  const [largest, second] = bySize;
  const last = drafts.at(-1);
  const maxDisputed = largest === undefined ? 0 : netAmount(largest.rows) - DISPUTE_FEE_CENTS;
  const disputed = cardPayments.find(
    ({ kind, at, cents }) => kind === 'payment' && at.slice(0, 7) < month && cents < maxDisputed,
  );
  if (largest !== undefined && disputed !== undefined)
    largest.rows.push(disputeRow(disputed, largest.sent_on));
  if (second !== undefined && last !== undefined && second !== last) {
    second.rows.push(processorRow('risk_reserved_funds', -RESERVE_CENTS, second.sent_on, 'Reserve held'));
    last.rows.push(processorRow('risk_reserved_funds', RESERVE_CENTS, last.sent_on, 'Reserve released'));
  }
  drafts[0]?.rows.push(processorRow('fee', -USAGE_FEE_CENTS, drafts[0].sent_on, 'Billing - Usage Fee'));
  return drafts.map(({ sent_on, rows }) => {
    const id = `po_${hashNumbers(seed, randomTopics.bank, Number(sent_on.replaceAll('-', ''))).toString(36)}`;
    return { id, sent_on, rows, net: netAmount(rows) };
  });
}

const netAmount = (rows: readonly PayoutReportRow[]): number =>
  rows.reduce((sum, { gross, fee }) => sum + gross - fee, 0);

function reportRow(payment: CustomerPayment, charges: ReadonlyMap<number, CustomerPayment>): PayoutReportRow {
  const { kind, cents, gateway_id, payment_id, payer, transaction_id } = payment;
  const isCharge = kind === 'payment';
  return {
    category: isCharge ? 'charge' : 'refund',
    gross: cents,
    fee: isCharge ? processingFee(cents) : 0,
    at: utcText(payment.at),
    source: gateway_id,
    charge: charges.get(payment_id ?? transaction_id)?.gateway_id ?? gateway_id,
    description: isCharge ? 'Subscription payment' : 'REFUND FOR PAYMENT',
    payer,
    transaction_id,
  };
}

const disputeRow = ({ cents, gateway_id, payer }: CustomerPayment, sent_on: string): PayoutReportRow => ({
  category: 'dispute',
  gross: -cents,
  fee: DISPUTE_FEE_CENTS,
  at: `${addDays(sent_on, -1)} 09:00:00`,
  source: gateway_id.replace(/^ch_/, 'dp_'),
  charge: gateway_id,
  description: `Chargeback withdrawal for ${gateway_id}`,
  payer,
  transaction_id: null,
});

const processorRow = (
  category: PayoutReportRow['category'],
  gross: number,
  sent_on: string,
  description: string,
): PayoutReportRow => ({
  category,
  gross,
  fee: 0,
  at: `${addDays(sent_on, -1)} 12:00:00`,
  source: '',
  charge: '',
  description,
  payer: '',
  transaction_id: null,
});

const utcText = (moment: string): string => new Date(moment).toISOString().slice(0, 19).replace('T', ' ');
