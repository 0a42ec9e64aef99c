import type { PairSight } from '../../../domain/allocations/index.ts';
import { prepared, type ReadableDb } from '../database.ts';
import type { PairKey, PairState } from './pair.ts';

/** What is held of a pair for a preview: whether its history is, and the quantity in effect. */
export function pairSight(db: ReadableDb, pair: PairKey): PairSight {
  const stored = prepared<{ state: PairState; quantity: number | string | null }>(
    db,
    'SELECT state, quantity FROM pair WHERE subscription_id = ? AND component_id = ?',
  ).get(pair.subscription_id, pair.component_id);
  if (stored?.state === 'held') return { state: 'known', quantity: stored.quantity };
  return { state: stored?.state === 'missing' ? 'missing' : 'unknown', quantity: null };
}
