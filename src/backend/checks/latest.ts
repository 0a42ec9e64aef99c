import type { SubscriptionRecord } from '../../domain/tieout/index.ts';

/** The latest moment that anything of a subscription tells of, by the service’s clock (ms UTC); 0 where nothing does. */
export function latestOf({ statements, webhooks, components }: SubscriptionRecord): number {
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
