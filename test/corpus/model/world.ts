import type { CalendarDate } from '../../../src/domain/ledger/index.ts';
import type {
  MatchAccount,
  MatchLine,
  MatchPayment,
  MatchPayout,
} from '../../../src/domain/matching/index.ts';

/** Everyday situations and errors that a labelled line can contain. A line can have several. */
export const lineClasses = [
  'clean',
  'id-only',
  'name-only',
  'amount-only',
  'customer-number',
  'slipped-id',
  'cut-id',
  'wrong-id',
  'date-like-id',
  'truncated-name',
  'initials',
  'surname-only',
  'short-by-fee',
  'foreign-currency',
  'late',
  'partial',
  'combined',
  'batch',
  'refund',
  'chargeback',
  'return',
  'duplicate',
  'stranger',
  'stranger-equal-amount',
  'stranger-namesake',
  'stranger-payout',
  'missing-statement',
  'processor-payment',
  'payout',
] as const;
export type LineClass = (typeof lineClasses)[number];

/** True answer for a bank line. All parts are empty for a stranger, a line that no stored payment explains. */
export interface LineLabel {
  readonly line: number;
  /** Ids of all payments that the line pays, completely or in part. */
  readonly payments: readonly number[];
  /** Payment that a chargeback or a return takes back. */
  readonly reverses: number | null;
  /** Payout that the line belongs to, for deposits and for payout and fee lines of a report. */
  readonly payout_id: string | null;
  readonly classes: readonly LineClass[];
}

/** Properties of a world that its author states, for example so that an oracle needs not learn them. */
export interface WorldFacts {
  /** Minimum and maximum number of days from a payment to its line, except for lines of class `late`. */
  readonly lag_from_days: number;
  readonly lag_to_days: number;
  /** Width at which the bank cuts payer names; null if it does not cut them. */
  readonly name_width: number | null;
  /** Largest fee in cents that a bank deducts from a wire. */
  readonly max_fee_in_cents: number;
}

/** Billing records and bank lines with the true answer for each line. */
export interface World {
  readonly generator: string;
  readonly seed: number;
  readonly facts: WorldFacts;
  /** Randomly drawn parameters, for information only. */
  readonly parameters: Readonly<Record<string, number | string | boolean | null>>;
  readonly accounts: readonly MatchAccount[];
  readonly payments: readonly MatchPayment[];
  readonly lines: readonly MatchLine[];
  readonly payouts: readonly MatchPayout[];
  /** Labels in the order of the lines. */
  readonly labels: readonly LineLabel[];
}

/** A customer of a generated world. */
export interface Customer {
  readonly subscription: number;
  /** Name as billed, for example `Odile O'Connor`. */
  readonly name: string;
  readonly company: boolean;
  readonly since: CalendarDate;
}
