import { hash, topic } from '../world/random.ts';
import { later, workingDay } from './days.ts';
import type { Taking } from './takings.ts';

/** A row of a payout, in cents of the processor's balance. */
export interface PayoutRow {
  readonly category: 'charge' | 'refund' | 'dispute' | 'fee' | 'risk_reserved_funds' | 'payout';
  readonly gross: number;
  readonly fee: number;
  /** When, in UTC: `2026-10-01 14:03:11`. */
  readonly at: string;
  readonly source: string;
  /** The charge it is about; empty for none. */
  readonly charge: string;
  readonly description: string;
  readonly payer: string;
  /** The transaction it is in the billing service; null for the processor's own. */
  readonly transaction_id: number | null;
}

export interface SettledPayout {
  readonly id: string;
  /** The day the processor sends it. */
  readonly sent_on: string;
  readonly rows: readonly PayoutRow[];
  readonly net: number;
}

/** Working days from a charge to its payout. */
const LAG = 2;
const DISPUTE_FEE = 1500;
const RESERVE = 2500;
const USAGE_FEE = 200;

/** The processor's price: 2.9 % and 30 cents, in whole cents. */
const feeOf = (cents: number): number => Math.round((cents * 29) / 1000) + 30;

/**
 * The payouts a card processor sends in a month: one for the charges and refunds of a day, two working days later. The largest bears a
 * dispute of an older charge, the second largest a reserve that the last one gives back, the first the month's usage fee.
 */
export function payoutsOf(takings: readonly Taking[], month: string, seed: number): SettledPayout[] {
  const days = new Map<string, Taking[]>();
  for (const taking of takings) {
    if (taking.way !== 'card') continue;
    const sent = workingDay(taking.at.slice(0, 10), LAG);
    if (!sent.startsWith(month)) continue;
    const day = days.get(sent);
    if (day === undefined) days.set(sent, [taking]);
    else day.push(taking);
  }
  const charges = new Map(takings.map((taking) => [taking.transaction_id, taking]));
  const drafts = [...days]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([sent_on, each]) => ({ sent_on, rows: each.map((taking) => rowOf(taking, charges)) }));
  const bySize = drafts.toSorted((a, b) => sumOf(b.rows) - sumOf(a.rows));
  const [largest, second] = bySize;
  const last = drafts.at(-1);
  const bearable = largest === undefined ? 0 : sumOf(largest.rows) - DISPUTE_FEE;
  const disputed = takings.find(
    ({ kind, way, at, cents }) =>
      kind === 'payment' && way === 'card' && at.slice(0, 7) < month && cents < bearable,
  );
  if (largest !== undefined && disputed !== undefined)
    largest.rows.push(disputeOf(disputed, largest.sent_on));
  if (second !== undefined && last !== undefined && second !== last) {
    second.rows.push(own('risk_reserved_funds', -RESERVE, second.sent_on, 'Reserve held'));
    last.rows.push(own('risk_reserved_funds', RESERVE, last.sent_on, 'Reserve released'));
  }
  drafts[0]?.rows.push(own('fee', -USAGE_FEE, drafts[0].sent_on, 'Billing - Usage Fee'));
  return drafts.map(({ sent_on, rows }) => {
    const id = `po_${hash(seed, topic.bank, Number(sent_on.replaceAll('-', ''))).toString(36)}`;
    return { id, sent_on, rows, net: sumOf(rows) };
  });
}

const sumOf = (rows: readonly PayoutRow[]): number =>
  rows.reduce((sum, { gross, fee }) => sum + gross - fee, 0);

function rowOf(taking: Taking, charges: ReadonlyMap<number, Taking>): PayoutRow {
  const { kind, cents, gateway_id, payment_id, payer, transaction_id } = taking;
  const isCharge = kind === 'payment';
  return {
    category: isCharge ? 'charge' : 'refund',
    gross: cents,
    fee: isCharge ? feeOf(cents) : 0,
    at: utcText(taking.at),
    source: gateway_id,
    charge: charges.get(payment_id ?? transaction_id)?.gateway_id ?? gateway_id,
    description: isCharge ? 'Subscription payment' : 'REFUND FOR PAYMENT',
    payer,
    transaction_id,
  };
}

function disputeOf({ cents, gateway_id, payer }: Taking, sent_on: string): PayoutRow {
  const at = `${later(sent_on, -1)} 09:00:00`;
  const source = gateway_id.replace(/^ch_/, 'dp_');
  const description = `Chargeback withdrawal for ${gateway_id}`;
  return {
    category: 'dispute',
    gross: -cents,
    fee: DISPUTE_FEE,
    at,
    source,
    charge: gateway_id,
    description,
    payer,
    transaction_id: null,
  };
}

const own = (
  category: PayoutRow['category'],
  gross: number,
  sent_on: string,
  description: string,
): PayoutRow => ({
  category,
  gross,
  fee: 0,
  at: `${later(sent_on, -1)} 12:00:00`,
  source: '',
  charge: '',
  description,
  payer: '',
  transaction_id: null,
});

const utcText = (moment: string): string => new Date(moment).toISOString().slice(0, 19).replace('T', ' ');
