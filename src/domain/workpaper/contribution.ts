import type { CalendarDate, Cents } from '../ledger/index.ts';

/** What a figure has of a row: a figure is the sum of its contributions, and opens to them. */
export interface Contribution {
  /** The figure: `S2.direct`. */
  readonly figure: string;
  /** By what it is split: an account, a kind, a category; empty where by nothing. */
  readonly part: string;
  readonly currency: string;
  readonly kind: 'statement' | 'transaction' | 'payment' | 'line' | 'payout' | 'match';
  readonly id: number;
  /** The match by which it is there; several may claim their share of one row. */
  readonly match?: number;
  /** Of a transaction: the statement that lists it; it may stand on two. */
  readonly statement?: number;
  readonly day: CalendarDate | null;
  readonly cents: Cents;
}
