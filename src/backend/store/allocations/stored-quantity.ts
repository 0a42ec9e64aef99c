import type { LocalComponentState } from '../../../domain/allocations/index.ts';
import { prepared, type ReadableDb } from '../sqlite/connection.ts';
import type { ComponentKey, HistoryState } from './subscription-component.ts';

/**
 * Returns what a preview needs about a subscription component: whether its history is stored, and the quantity in effect.
 */
export function findStoredQuantity(db: ReadableDb, component: ComponentKey): LocalComponentState {
  const stored = prepared<{ state: HistoryState; quantity: number | string | null }>(
    db,
    'SELECT state, quantity FROM subscription_component WHERE subscription_id = ? AND component_id = ?',
  ).get(component.subscription_id, component.component_id);
  if (stored?.state === 'complete') return { state: 'known', quantity: stored.quantity };
  return { state: stored?.state === 'missing' ? 'missing' : 'unknown', quantity: null };
}
