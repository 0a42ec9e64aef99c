import { SAME_TIME_TOLERANCE_MS } from './statement-chain.ts';
import type { StatementFooting } from './statement-footing.ts';
import type { SubscriptionFigures } from './subscription-figures.ts';
import type { EventRecord, StatementRecord } from './subscription-record.ts';

const PAYMENT_EVENTS = new Set(['payment_success', 'refund_success']);

/** Returns a statement's payment and refund events without a transaction on any of the subscription's statements. */
export function findEventsWithoutPayment(
  figures: SubscriptionFigures,
  statement: StatementRecord,
): readonly EventRecord[] {
  if (!figures.record.statements_complete) return [];
  return statement.events.filter(
    ({ key, transaction_id, created_at }) =>
      transaction_id !== null &&
      PAYMENT_EVENTS.has(key) &&
      !figures.transactionsById.has(transaction_id) &&
      (created_at === null || isCoveredByStatements(figures, created_at)),
  );
}

/**
 * Returns true if an event at this time must be on a stored statement: every statement whose period may contain the
 * event was read after it. An event in a gap may be on a missing statement.
 */
export function isCoveredByStatements({ footings, boundaries }: SubscriptionFigures, at: number): boolean {
  const isInGap = boundaries.some(
    ({ transition, before, after }) =>
      transition === 'gap' &&
      at > (before.statement.closed_at ?? 0) &&
      at < (after.statement.opened_at ?? 0) + SAME_TIME_TOLERANCE_MS,
  );
  if (isInGap) return false;
  const covering = footings.filter(({ statement: { opened_at, closed_at } }) => {
    const end = closed_at ?? Number.POSITIVE_INFINITY;
    return (
      opened_at !== null && at >= opened_at - SAME_TIME_TOLERANCE_MS && at <= end + SAME_TIME_TOLERANCE_MS
    );
  });
  const isReadLater = ({ statement: { read_at } }: StatementFooting): boolean =>
    read_at === null || read_at >= at + SAME_TIME_TOLERANCE_MS;
  return covering.length > 0 && covering.every(isReadLater);
}
