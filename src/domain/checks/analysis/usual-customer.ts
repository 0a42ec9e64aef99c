import type { SubscriptionFigures } from './subscription-figures.ts';

/** Minimum number of transactions from which a customer is the usual one. Chosen by judgment. */
const MIN_USUAL_COUNT = 3;

/** Returns the id of the customer that most of a subscription's transactions name; null if there is none. */
export function findUsualCustomerId({ footings }: Pick<SubscriptionFigures, 'footings'>): number | null {
  const named = footings.flatMap(({ transactions }) =>
    transactions.flatMap(({ customer_id }) => customer_id ?? []),
  );
  for (const [id, same] of Map.groupBy(named, (id) => id))
    if (same.length >= MIN_USUAL_COUNT && same.length > named.length / 2) return id;
  return null;
}
