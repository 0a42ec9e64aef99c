import type { Figures } from './account.ts';
import { AT_ONCE } from './chain.ts';
import type { EventRecord, StatementRecord } from './record.ts';

const PAYMENT_EVENTS = new Set(['payment_success', 'refund_success']);

/** Events of a statement that tell of a payment or refund no statement of the subscription has. */
export function eventsWithoutPayment(figures: Figures, statement: StatementRecord): readonly EventRecord[] {
  if (!figures.record.statements_complete) return [];
  return statement.events.filter(
    ({ key, transaction_id, created_at }) =>
      transaction_id !== null &&
      PAYMENT_EVENTS.has(key) &&
      !figures.places.has(transaction_id) &&
      (created_at === null || isHeldAt(figures, created_at)),
  );
}

/**
 * Whether our copies would show what happened at a moment: each statement whose period may hold it was read after it. A copy
 * of an open statement that is older than a payment does not prove the payment missing, and what falls into a gap between
 * statements may stand on one that is missing.
 */
export function isHeldAt({ footings, boundaries }: Figures, moment: number): boolean {
  let covered = false;
  for (const { meeting, before, after } of boundaries) {
    if (meeting !== 'gap') continue;
    const [from, to] = [before.statement.closed_at ?? 0, after.statement.opened_at ?? 0];
    if (moment > from && moment < to + AT_ONCE) return false;
  }
  for (const { statement } of footings) {
    const { opened_at, closed_at, read_at } = statement;
    if (opened_at === null || moment < opened_at - AT_ONCE) continue;
    if (closed_at !== null && moment > closed_at + AT_ONCE) continue;
    if (read_at !== null && read_at < moment + AT_ONCE) return false;
    covered = true;
  }
  return covered;
}
