import type { StatementRecord } from './subscription-record.ts';

/** Returns the ids that a subscription's transactions name in `payment_id` but that none of its statements contains. */
export function listCrossSubscriptionPaymentIds(statements: readonly StatementRecord[]): ReadonlySet<number> {
  const own = new Set<number>();
  const named = new Set<number>();
  for (const { transactions } of statements)
    for (const { id, payment_id } of transactions) {
      own.add(id);
      if (payment_id !== null) named.add(payment_id);
    }
  return named.difference(own);
}
