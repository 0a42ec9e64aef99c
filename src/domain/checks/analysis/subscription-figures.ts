import type { LocatedTransaction } from './payment-index.ts';
import type { StatementBoundary } from './statement-chain.ts';
import type { StatementFooting } from './statement-footing.ts';
import type { SubscriptionRecord } from './subscription-record.ts';

/** Figures computed from one subscription's record, before any rule is applied. */
export interface SubscriptionFigures {
  readonly record: SubscriptionRecord;
  readonly id: number | null;
  /** Footed statements in the order of their periods. */
  readonly footings: readonly StatementFooting[];
  readonly boundaries: readonly StatementBoundary[];
  /** First occurrence of each transaction by its id. */
  readonly transactionsById: ReadonlyMap<number, LocatedTransaction>;
  /** All occurrences of transactions that occur more than once. */
  readonly repeatedTransactions: ReadonlyMap<number, readonly LocatedTransaction[]>;
  /** Successful payments, each once, in the order of the statements. */
  readonly payments: readonly LocatedTransaction[];
  readonly gatewayIdDuplicates: readonly (readonly LocatedTransaction[])[];
  readonly sameDayDuplicates: readonly (readonly LocatedTransaction[])[];
}
