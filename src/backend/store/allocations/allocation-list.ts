import type { Allocation, ContractOutputs } from '../../../contract/index.ts';
import { isSameQuantity } from '../../../domain/ledger/index.ts';
import { type ListOrder, type PageRequest, planListScans, readListPage } from '../lists/keyset-pagination.ts';
import { prepareSql, type ReadableDb, type SqlValues, select } from '../sqlite/connection.ts';
import { toAllocationEntry } from './allocation-entry.ts';
import type { ComponentKey } from './subscription-component.ts';

const order: ListOrder = {
  name: 'allocations',
  columns: [
    { name: 'timestamp_ms', type: 'number' },
    { name: 'ordinal', type: 'number' },
  ],
  direction: 'desc',
};

/** Lists the allocation history of one subscription component, newest first. */
export function listAllocations(
  db: ReadableDb,
  { subscription_id, component_id, after, limit }: ComponentKey & PageRequest,
): ContractOutputs['allocations']['list'] {
  const component: SqlValues = [subscription_id, component_id];
  const scan = { from: 'allocation', where: ['subscription_id = ?', 'component_id = ?'], bound: component };
  const { keys, next } = readListPage(db, planListScans(order, [scan]), { after, limit });
  const sql = 'SELECT allocations FROM subscription_component WHERE subscription_id = ? AND component_id = ?';
  const count = () => select.value<number>(db, sql, ...component) ?? 0;
  return {
    rows: keys.map((key) => toAllocationEntry(db, findAllocation(db, component, key)!)),
    next,
    total: after === undefined ? { count: count(), exact: true } : null,
  };
}

interface StoredAllocation extends Omit<Allocation, 'chained' | 'extra'> {
  extra: string;
}

/** Returns an allocation of a subscription component by its timestamp and ordinal, or null. */
export function findAllocation(db: ReadableDb, component: SqlValues, key: SqlValues): Allocation | null {
  const storedSql = `SELECT subscription_id, component_id, timestamp, ordinal, quantity, previous_quantity, memo,
       proration_upgrade_scheme, proration_downgrade_scheme, extra FROM allocation
     WHERE subscription_id = ? AND component_id = ? AND timestamp_ms = ? AND ordinal = ?`;
  const stored = prepareSql<StoredAllocation>(db, storedSql).get(...component, ...key);
  if (stored === undefined) return null;
  const beforeSql = `SELECT quantity FROM allocation
     WHERE subscription_id = ? AND component_id = ? AND (timestamp_ms, ordinal) < (?, ?)
     ORDER BY timestamp_ms DESC, ordinal DESC LIMIT 1`;
  const before = prepareSql<number | string>(db, beforeSql)
    .pluck()
    .get(...component, ...key);
  return {
    ...stored,
    chained: before === undefined ? null : isSameQuantity(before, stored.previous_quantity),
    extra: JSON.parse(stored.extra) as Allocation['extra'],
  };
}
