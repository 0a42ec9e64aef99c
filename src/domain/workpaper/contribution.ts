import type { CalendarDate, Cents } from '../ledger/index.ts';

/** The share of one row in a figure. A figure is the sum of its contributions. */
export interface Contribution {
  /** Id of the figure, for example `S2.direct`. */
  readonly figure: string;
  /** Account, kind or category by which the figure is split. Empty if it is not split. */
  readonly part: string;
  readonly currency: string;
  readonly kind: 'statement' | 'transaction' | 'payment' | 'line' | 'payout' | 'match';
  readonly id: number;
  /** Id of the match that causes the contribution. Several matches may each claim a part of one row. */
  readonly match?: number;
  /** For a transaction: id of the statement that lists it, because two statements may list the same transaction. */
  readonly statement?: number;
  readonly day: CalendarDate | null;
  readonly cents: Cents;
}
