import type { SubscriptionRecord } from '../../domain/checks/index.ts';

/**
 * Returns the latest instant in a subscription's records by the service's clock (UTC milliseconds), or 0 if there is
 * none.
 */
export function latestInstant({ statements, webhooks, components }: SubscriptionRecord): number {
  let latest = 0;
  const see = (moment: number | null): void => {
    if (moment !== null && moment > latest) latest = moment;
  };
  for (const { opened_at, closed_at, settled_at, transactions, events } of statements) {
    see(opened_at);
    see(closed_at);
    see(settled_at);
    for (const { created_at } of transactions) see(created_at);
    for (const { created_at } of events) see(created_at);
  }
  for (const { created_at, last_sent_at, accepted_at } of webhooks) {
    see(created_at);
    see(last_sent_at);
    see(accepted_at);
  }
  for (const { allocations } of components) see(allocations.at(-1)?.timestamp ?? null);
  return latest;
}
