import type { Allocation } from '../../../billing/index.ts';
import type { LocalComponentState } from '../../../domain/allocations/index.ts';
import { prepare, type ReadableDb, select } from '../sqlite/connection.ts';
import type { ComponentKey, ComponentSource, HistoryState } from './subscription-component.ts';

export interface HistoryNeed extends ComponentKey {
  state: HistoryState;
  allocations: number;
}

/** Returns components to read: unread, reported as changed, or followed and last read before `stale` (UTC ms). */
export function listHistoriesToRead(db: ReadableDb, stale: number): HistoryNeed[] {
  const sql = `SELECT subscription_id, component_id, state, allocations FROM subscription_component
     WHERE state = 'waiting' OR state = 'problem' OR read_at IS NULL OR read_at <= changed_hint_at
       OR (source IN ('user', 'file') AND state = 'complete' AND read_at < ?)
     ORDER BY changed_hint_at DESC, row`;
  return select.rows<HistoryNeed>(db, sql, stale);
}

/** Returns all subscription components, for a sync that reads everything again. */
export function listAllComponents(db: ReadableDb): HistoryNeed[] {
  const sql =
    'SELECT subscription_id, component_id, state, allocations FROM subscription_component ORDER BY row';
  return select.rows<HistoryNeed>(db, sql);
}

/** Returns a subscription component and how it was discovered, or null if it is not followed. */
export function findSubscriptionComponent(
  db: ReadableDb,
  component: ComponentKey,
): (HistoryNeed & { source: ComponentSource; read_at: number | null }) | null {
  const sql = `SELECT subscription_id, component_id, state, allocations, source, read_at FROM subscription_component
       WHERE subscription_id = ? AND component_id = ?`;
  return select.row<HistoryNeed & { source: ComponentSource; read_at: number | null }>(
    db,
    sql,
    component.subscription_id,
    component.component_id,
  );
}

/** Returns the stored history of a subscription component, newest first, as the service sent it. */
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

/** Returns the state of a subscription component's history is stored, and the quantity in effect. */
export function findStoredQuantity(db: ReadableDb, component: ComponentKey): LocalComponentState {
  const sql =
    'SELECT state, quantity FROM subscription_component WHERE subscription_id = ? AND component_id = ?';
  const stored = prepare<{ state: HistoryState; quantity: number | string | null }>(db, sql).get(
    component.subscription_id,
    component.component_id,
  );
  if (stored?.state === 'complete') return { state: 'known', quantity: stored.quantity };
  return { state: stored?.state === 'missing' ? 'missing' : 'unknown', quantity: null };
}
