import type { Allocation, Outputs } from '../../../contract/index.ts';
import { sameQuantity } from '../../../domain/ledger/index.ts';
import { prepared, type ReadableDb, type Values } from '../database.ts';
import { type Order, readPage } from '../keyset.ts';
import { withBelongings } from './allocation-belongings.ts';
import type { PairKey } from './pair.ts';

const order: Order = {
  name: 'allocations',
  columns: [
    { name: 'timestamp_ms', type: 'number' },
    { name: 'ordinal', type: 'number' },
  ],
  direction: 'desc',
};

/** The history of one pair, newest first. */
export function listAllocations(
  db: ReadableDb,
  { subscription_id, component_id, after, limit }: PairKey & { after?: string | undefined; limit: number },
): Outputs['allocations']['list'] {
  const pair: Values = [subscription_id, component_id];
  const branch = { from: 'allocation', where: ['subscription_id = ?', 'component_id = ?'], bound: pair };
  const reading = { order, groups: [{ lead: [], branches: [branch] }], edge: null };
  const { keys, next } = readPage(db, reading, { after, limit });
  const count = prepared<number>(
    db,
    'SELECT allocations FROM pair WHERE subscription_id = ? AND component_id = ?',
  ).pluck();
  return {
    rows: keys.map((key) => withBelongings(db, allocationAt(db, pair, key)!)),
    next,
    total: after === undefined ? { count: count.get(...pair) ?? 0, exact: true } : null,
  };
}

interface StoredAllocation extends Omit<Allocation, 'chained' | 'extra'> {
  extra: string;
}

/** The allocation of a pair (subscription, component) at a place (timestamp, ordinal); null where none is held. */
export function allocationAt(db: ReadableDb, pair: Values, key: Values): Allocation | null {
  const stored = prepared<StoredAllocation>(
    db,
    `SELECT subscription_id, component_id, timestamp, ordinal, quantity, previous_quantity, memo,
       proration_upgrade_scheme, proration_downgrade_scheme, extra FROM allocation
     WHERE subscription_id = ? AND component_id = ? AND timestamp_ms = ? AND ordinal = ?`,
  ).get(...pair, ...key);
  if (stored === undefined) return null;
  const before = prepared<number | string>(
    db,
    `SELECT quantity FROM allocation
     WHERE subscription_id = ? AND component_id = ? AND (timestamp_ms, ordinal) < (?, ?)
     ORDER BY timestamp_ms DESC, ordinal DESC LIMIT 1`,
  )
    .pluck()
    .get(...pair, ...key);
  return {
    ...stored,
    chained: before === undefined ? null : sameQuantity(before, stored.previous_quantity),
    extra: JSON.parse(stored.extra) as Allocation['extra'],
  };
}
