import { prepare, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { addSubscriptions } from '../statements/subscription.ts';

export type HistoryState = 'complete' | 'waiting' | 'missing' | 'problem';
export type ComponentSource = 'webhook' | 'statement' | 'user' | 'file';

export interface ComponentKey {
  subscription_id: number;
  component_id: number;
}

/** A sign of a subscription component and, with `changed_hint_at` (UTC milliseconds), that its history may have grown. */
export interface ComponentHint extends ComponentKey {
  source: ComponentSource;
  component_name: string | null;
  changed_hint_at: number | null;
}

/** Adds a subscription component or updates its name and hint, in a transaction. Returns true if it was new. */
export function recordSubscriptionComponent(db: WritableDb, hint: ComponentHint): boolean {
  const { subscription_id, component_id, component_name, changed_hint_at, source } = hint;
  const sql = `INSERT INTO subscription_component (subscription_id, component_id, component_name, state, source, changed_hint_at)
     VALUES (?, ?, ?, 'waiting', ?, ?) ON CONFLICT (subscription_id, component_id) DO NOTHING`;
  const { changes } = prepare(db, sql).run(
    subscription_id,
    component_id,
    component_name,
    source,
    changed_hint_at,
  );
  if (changes === 1) {
    addSubscriptions(db, [subscription_id]);
    return true;
  }
  if (component_name !== null) {
    const updateSubscriptionComponent = `UPDATE subscription_component SET component_name = ? WHERE subscription_id = ? AND component_id = ? AND component_name IS NOT ?`;
    prepare(db, updateSubscriptionComponent).run(
      component_name,
      subscription_id,
      component_id,
      component_name,
    );
  }
  if (changed_hint_at !== null) {
    prepare(
      db,
      `UPDATE subscription_component SET changed_hint_at = ? WHERE subscription_id = ? AND component_id = ? AND ifnull(changed_hint_at, -1) < ?`,
    ).run(changed_hint_at, subscription_id, component_id, changed_hint_at);
  }
  return false;
}

/** Saves the result of reading a history. `readAt` is the start of the request for its newest page, UTC milliseconds. */
export function setHistoryState(
  db: WritableDb,
  component: ComponentKey,
  state: HistoryState,
  readAt: number,
): void {
  const sql =
    'UPDATE subscription_component SET state = ?, read_at = ? WHERE subscription_id = ? AND component_id = ?';
  prepare(db, sql).run(state, readAt, component.subscription_id, component.component_id);
}

/** Returns true if stored data shows that a subscription exists: a statement or a history. */
export function isKnownSubscription(db: ReadableDb, subscription: number): boolean {
  const sql = `SELECT EXISTS (SELECT 1 FROM statement WHERE subscription_id = ?)
         OR EXISTS (SELECT 1 FROM subscription_component WHERE subscription_id = ? AND state = 'complete')`;
  return prepare<number>(db, sql).pluck().get(subscription, subscription) === 1;
}

/** Returns the name of a component on a subscription, or null if it is not known. */
export function findComponentName(
  cache: ReadableDb,
  subscription: number | null,
  component: number | null,
): string | null {
  const sql =
    'SELECT component_name FROM subscription_component WHERE subscription_id = ? AND component_id = ?';
  return select.value<string>(cache, sql, subscription, component);
}

/** Returns the customer of a subscription, or null if none is known. */
export function findCustomerName(cache: ReadableDb, subscription: number | null): string | null {
  const sql = "SELECT nullif(customer_name, '') FROM subscription WHERE subscription_id = ?";
  return select.value<string>(cache, sql, subscription);
}
