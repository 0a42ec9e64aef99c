import type { Allocation } from '../../../billing/index.ts';
import type { LocalComponentState } from '../../../domain/allocations/index.ts';
import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';
import type {
  AllocationHistoryState,
  ComponentDiscoverySource,
  ComponentKey,
} from './subscription-component.ts';

export interface AllocationHistoryToRead extends ComponentKey {
  state: AllocationHistoryState;
  allocations: number;
}

/** Returns histories that are unread, failed, reported as changed, or last read before `stale` (UTC milliseconds). */
export function listAllocationHistoriesToRead(db: ReadableDb, stale: number): AllocationHistoryToRead[] {
  const sql = `SELECT subscription_id, component_id, state, allocations FROM subscription_component
     WHERE state = 'waiting' OR state = 'problem' OR read_at IS NULL OR read_at <= changed_hint_at
       OR (source IN ('user', 'file') AND state = 'complete' AND read_at < ?)
     ORDER BY changed_hint_at DESC, row`;
  return select.rows<AllocationHistoryToRead>(db, sql, stale);
}

/** Returns the allocation histories of all subscription components, for a sync that reads everything again. */
export function listAllAllocationHistories(db: ReadableDb): AllocationHistoryToRead[] {
  const sql =
    'SELECT subscription_id, component_id, state, allocations FROM subscription_component ORDER BY row';
  return select.rows<AllocationHistoryToRead>(db, sql);
}

/** Returns a subscription component and how it was discovered, or null if it is not known. */
export function findSubscriptionComponent(
  db: ReadableDb,
  component: ComponentKey,
): (AllocationHistoryToRead & { source: ComponentDiscoverySource; read_at: number | null }) | null {
  const sql = `SELECT subscription_id, component_id, state, allocations, source, read_at FROM subscription_component
       WHERE subscription_id = ? AND component_id = ?`;
  return select.row<AllocationHistoryToRead & { source: ComponentDiscoverySource; read_at: number | null }>(
    db,
    sql,
    component.subscription_id,
    component.component_id,
  );
}

/** Returns the stored allocations of a subscription component, newest first, as the service sent them. */
export function listStoredAllocations(db: ReadableDb, component: ComponentKey): Allocation[] {
  const sql = `SELECT subscription_id, component_id, timestamp, quantity, previous_quantity, memo, proration_upgrade_scheme,
       proration_downgrade_scheme, extra
     FROM allocation WHERE subscription_id = ? AND component_id = ? ORDER BY timestamp_ms DESC, ordinal DESC`;
  return select
    .rows<Omit<Allocation, 'extra'> & { extra: string }>(
      db,
      sql,
      component.subscription_id,
      component.component_id,
    )
    .map((row) => ({ ...row, extra: JSON.parse(row.extra) as Allocation['extra'] }));
}

export function countSubscriptionComponents(db: ReadableDb): number {
  const sql = "SELECT count(*) FROM subscription_component WHERE state <> 'missing'";
  return select.value<number>(db, sql) ?? 0;
}

/** Returns the stored quantity of a subscription component, and whether its history is known, missing or unknown. */
export function findLocalComponentState(db: ReadableDb, component: ComponentKey): LocalComponentState {
  const sql =
    'SELECT state, quantity FROM subscription_component WHERE subscription_id = ? AND component_id = ?';
  const stored = prepareSql<{ state: AllocationHistoryState; quantity: number | string | null }>(db, sql).get(
    component.subscription_id,
    component.component_id,
  );
  if (stored?.state === 'complete') return { state: 'known', quantity: stored.quantity };
  return { state: stored?.state === 'missing' ? 'missing' : 'unknown', quantity: null };
}
