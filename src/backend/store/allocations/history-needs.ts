import type { Allocation } from '../../../billing/index.ts';
import { prepared, type ReadableDb } from '../sqlite/connection.ts';
import type { ComponentKey, ComponentSource, HistoryState } from './subscription-component.ts';

export interface HistoryNeed extends ComponentKey {
  state: HistoryState;
  allocations: number;
}

/**
 * Returns the subscription components whose history must be read: never read, reported as changed since, or followed by a
 * person and last read before `stale` (UTC milliseconds, local clock). One that the service does not know is requested
 * again only after a new sign of it.
 */
export function listHistoriesToRead(db: ReadableDb, stale: number): HistoryNeed[] {
  return prepared<HistoryNeed>(
    db,
    `SELECT subscription_id, component_id, state, allocations FROM subscription_component
     WHERE state = 'waiting' OR state = 'problem' OR read_at IS NULL OR read_at <= changed_hint_at
       OR (source IN ('user', 'file') AND state = 'complete' AND read_at < ?)
     ORDER BY changed_hint_at DESC, row`,
  ).all(stale);
}

/** Returns all subscription components, for a sync that reads everything again. */
export function allComponents(db: ReadableDb): HistoryNeed[] {
  return prepared<HistoryNeed>(
    db,
    'SELECT subscription_id, component_id, state, allocations FROM subscription_component ORDER BY row',
  ).all();
}

/** Returns a subscription component and how it was discovered, or null if it is not followed. */
export function findSubscriptionComponent(
  db: ReadableDb,
  component: ComponentKey,
): (HistoryNeed & { source: ComponentSource; read_at: number | null }) | null {
  return (
    prepared<HistoryNeed & { source: ComponentSource; read_at: number | null }>(
      db,
      `SELECT subscription_id, component_id, state, allocations, source, read_at FROM subscription_component
       WHERE subscription_id = ? AND component_id = ?`,
    ).get(component.subscription_id, component.component_id) ?? null
  );
}

/** Returns the stored history of a subscription component, newest first, as the service sent it. */
export function storedAllocations(db: ReadableDb, component: ComponentKey): Allocation[] {
  return prepared<Omit<Allocation, 'extra'> & { extra: string }>(
    db,
    `SELECT subscription_id, component_id, timestamp, quantity, previous_quantity, memo, proration_upgrade_scheme,
       proration_downgrade_scheme, extra
     FROM allocation WHERE subscription_id = ? AND component_id = ? ORDER BY timestamp_ms DESC, ordinal DESC`,
  )
    .all(component.subscription_id, component.component_id)
    .map((row) => ({ ...row, extra: JSON.parse(row.extra) as Allocation['extra'] }));
}

export function countSubscriptionComponents(db: ReadableDb): number {
  return (
    prepared<number>(db, "SELECT count(*) FROM subscription_component WHERE state <> 'missing'")
      .pluck()
      .get() ?? 0
  );
}
