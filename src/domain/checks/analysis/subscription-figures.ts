import type { LocatedTransaction } from './payment-index.ts';
import type { StatementBoundary } from './statement-chain.ts';
import type { StatementFooting } from './statement-footing.ts';
import type { SubscriptionRecord } from './subscription-record.ts';

/** Figures computed from a subscription's records before any rule is applied. */
export interface SubscriptionFigures {
  readonly record: SubscriptionRecord;
  readonly id: number | null;
  /** Statement footings in the order of the statement periods. */
  readonly footings: readonly StatementFooting[];
  readonly boundaries: readonly StatementBoundary[];
  /** First occurrence of each transaction, by transaction id. */
  readonly transactionsById: ReadonlyMap<number, LocatedTransaction>;
  /** All occurrences of each transaction that occurs more than once, by transaction id. */
  readonly repeatedTransactions: ReadonlyMap<number, readonly LocatedTransaction[]>;
  /** Successful payments in the order of the statements, each one once. */
  readonly payments: readonly LocatedTransaction[];
  readonly gatewayIdDuplicates: readonly (readonly LocatedTransaction[])[];
  readonly sameDayDuplicates: readonly (readonly LocatedTransaction[])[];
}
