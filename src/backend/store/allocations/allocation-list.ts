import type { Allocation, Outputs } from '../../../contract/index.ts';
import { isSameQuantity } from '../../../domain/ledger/index.ts';
import { type Order, readPage } from '../lists/keyset-pagination.ts';
import { prepared, type ReadableDb, type Values } from '../sqlite/connection.ts';
import { withBelongings } from './allocation-belongings.ts';
import type { ComponentKey } from './subscription-component.ts';

const order: Order = {
  name: 'allocations',
  columns: [
    { name: 'timestamp_ms', type: 'number' },
    { name: 'ordinal', type: 'number' },
  ],
  direction: 'desc',
};

/** Lists the history of one subscription component, newest first. */
export function listAllocations(
  db: ReadableDb,
  {
    subscription_id,
    component_id,
    after,
    limit,
  }: ComponentKey & { after?: string | undefined; limit: number },
): Outputs['allocations']['list'] {
  const component: Values = [subscription_id, component_id];
  const branch = { from: 'allocation', where: ['subscription_id = ?', 'component_id = ?'], bound: component };
  const reading = { order, groups: [{ lead: [], branches: [branch] }], edge: null };
  const { keys, next } = readPage(db, reading, { after, limit });
  const count = prepared<number>(
    db,
    'SELECT allocations FROM subscription_component WHERE subscription_id = ? AND component_id = ?',
  ).pluck();
  return {
    rows: keys.map((key) => withBelongings(db, allocationAt(db, component, key)!)),
    next,
    total: after === undefined ? { count: count.get(...component) ?? 0, exact: true } : null,
  };
}

interface StoredAllocation extends Omit<Allocation, 'chained' | 'extra'> {
  extra: string;
}

/** Returns the allocation of a subscription component by timestamp and ordinal, or null. */
export function allocationAt(db: ReadableDb, component: Values, key: Values): Allocation | null {
  const stored = prepared<StoredAllocation>(
    db,
    `SELECT subscription_id, component_id, timestamp, ordinal, quantity, previous_quantity, memo,
       proration_upgrade_scheme, proration_downgrade_scheme, extra FROM allocation
     WHERE subscription_id = ? AND component_id = ? AND timestamp_ms = ? AND ordinal = ?`,
  ).get(...component, ...key);
  if (stored === undefined) return null;
  const before = prepared<number | string>(
    db,
    `SELECT quantity FROM allocation
     WHERE subscription_id = ? AND component_id = ? AND (timestamp_ms, ordinal) < (?, ?)
     ORDER BY timestamp_ms DESC, ordinal DESC LIMIT 1`,
  )
    .pluck()
    .get(...component, ...key);
  return {
    ...stored,
    chained: before === undefined ? null : isSameQuantity(before, stored.previous_quantity),
    extra: JSON.parse(stored.extra) as Allocation['extra'],
  };
}
