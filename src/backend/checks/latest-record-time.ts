import type { SubscriptionRecord } from '../../domain/checks/index.ts';

/**
 * Returns the latest time in a subscription's records, in UTC milliseconds by the service's clock. Returns 0 if it has
 * no records.
 */
export function findLatestRecordTime({ statements, webhooks, components }: SubscriptionRecord): number {
  let latest = 0;
  const update = (moment: number | null): void => {
    if (moment !== null && moment > latest) latest = moment;
  };
  for (const { opened_at, closed_at, settled_at, transactions, events } of statements) {
    for (const time of [opened_at, closed_at, settled_at]) update(time);
    for (const { created_at } of transactions) update(created_at);
    for (const { created_at } of events) update(created_at);
  }
  for (const { created_at, last_sent_at, accepted_at } of webhooks) {
    for (const time of [created_at, last_sent_at, accepted_at]) update(time);
  }
  for (const { allocations } of components) update(allocations.at(-1)?.timestamp ?? null);
  return latest;
}
