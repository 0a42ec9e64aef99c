import { prepareSql, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { addSubscriptions } from '../statements/subscription.ts';

export type AllocationHistoryState = 'complete' | 'waiting' | 'missing' | 'problem';
export type ComponentDiscoverySource = 'webhook' | 'statement' | 'user' | 'file';

export interface ComponentKey {
  subscription_id: number;
  component_id: number;
}

/**
 * Hint that a subscription component exists. `changed_hint_at` is the time (UTC milliseconds) at which its history may
 * have grown.
 */
export interface SubscriptionComponentHint extends ComponentKey {
  source: ComponentDiscoverySource;
  component_name: string | null;
  changed_hint_at: number | null;
}

/**
 * Adds a subscription component or updates its name and hint. Must be called in a transaction. Returns true if the
 * component is new.
 */
export function recordSubscriptionComponent(db: WritableDb, hint: SubscriptionComponentHint): boolean {
  const { subscription_id, component_id, component_name, changed_hint_at, source } = hint;
  const sql = `INSERT INTO subscription_component (subscription_id, component_id, component_name, state, source, changed_hint_at)
     VALUES (?, ?, ?, 'waiting', ?, ?) ON CONFLICT (subscription_id, component_id) DO NOTHING`;
  const { changes } = prepareSql(db, sql).run(
    subscription_id,
    component_id,
    component_name,
    source,
    changed_hint_at,
  );
  if (changes === 1) {
    // Only webhooks and statements prove that a subscription exists. People and files may name an invalid id.
    if (source === 'webhook' || source === 'statement') addSubscriptions(db, [subscription_id]);
    return true;
  }
  if (component_name !== null) {
    const updateSubscriptionComponent = `UPDATE subscription_component SET component_name = ? WHERE subscription_id = ? AND component_id = ? AND component_name IS NOT ?`;
    prepareSql(db, updateSubscriptionComponent).run(
      component_name,
      subscription_id,
      component_id,
      component_name,
    );
  }
  if (changed_hint_at !== null) {
    prepareSql(
      db,
      `UPDATE subscription_component SET changed_hint_at = ? WHERE subscription_id = ? AND component_id = ? AND ifnull(changed_hint_at, -1) < ?`,
    ).run(changed_hint_at, subscription_id, component_id, changed_hint_at);
  }
  return false;
}

/** Saves the read state of a history. `readAt` is the start of the newest page's request (UTC milliseconds). */
export function setAllocationHistoryState(
  db: WritableDb,
  component: ComponentKey,
  state: AllocationHistoryState,
  readAt: number,
): void {
  const sql =
    'UPDATE subscription_component SET state = ?, read_at = ? WHERE subscription_id = ? AND component_id = ?';
  prepareSql(db, sql).run(state, readAt, component.subscription_id, component.component_id);
  if (state === 'complete') addSubscriptions(db, [component.subscription_id]);
}

/** Returns true if a stored statement or allocation history shows that a subscription exists. */
export function isKnownSubscription(db: ReadableDb, subscription: number): boolean {
  const sql = `SELECT EXISTS (SELECT 1 FROM statement WHERE subscription_id = ?)
         OR EXISTS (SELECT 1 FROM subscription_component WHERE subscription_id = ? AND state = 'complete')`;
  return prepareSql<number>(db, sql).pluck().get(subscription, subscription) === 1;
}

/**
 * SQL expression for a component's name. Names are the same on all subscriptions, so a missing name is taken from
 * another subscription. The index answers `max` without a scan.
 */
export const COMPONENT_NAME_SQL = `coalesce(subscription_component.component_name, (SELECT max(named.component_name)
  FROM subscription_component AS named WHERE named.component_id = subscription_component.component_id))`;

/** Returns the name of a component, or null if it is not known on any subscription. */
export function findComponentName(
  cache: ReadableDb,
  subscription: number | null,
  component: number | null,
): string | null {
  const own =
    'SELECT component_name FROM subscription_component WHERE subscription_id = ? AND component_id = ?';
  const any = 'SELECT max(component_name) FROM subscription_component WHERE component_id = ?';
  return (
    select.value<string>(cache, own, subscription, component) ?? select.value<string>(cache, any, component)
  );
}

/** Returns the customer name of a subscription, or null if it is not known. */
export function findCustomerName(cache: ReadableDb, subscription: number | null): string | null {
  const sql = "SELECT nullif(customer_name, '') FROM subscription WHERE subscription_id = ?";
  return select.value<string>(cache, sql, subscription);
}
