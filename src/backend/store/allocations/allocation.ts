import type { Allocation } from '../../../billing/index.ts';
import { parseTimestamp } from '../../shared/timestamps.ts';
import { prepareSql, type WritableDb } from '../sqlite/connection.ts';
import { createRowChangeCounts, createRowUpsert, type RowChangeCounts } from '../sqlite/row-upsert.ts';
import type { ComponentKey } from './subscription-component.ts';

const upsert = createRowUpsert({
  table: 'allocation',
  key: ['subscription_id', 'component_id', 'timestamp_ms', 'ordinal'],
  stable: [],
  volatile: [
    ...['timestamp', 'quantity', 'previous_quantity', 'memo'],
    ...['proration_upgrade_scheme', 'proration_downgrade_scheme', 'extra'],
  ],
});

/**
 * Stores consecutive allocations of a subscription component, oldest first. `readAt` is the start of the oldest request
 * (UTC milliseconds). Allocations have no id; the time in seconds and the index within that second identify them.
 * Callers must therefore pass complete seconds and leave a page's last second to the next page. Must be called in a
 * transaction.
 */
export function upsertAllocations(
  db: WritableDb,
  component: ComponentKey,
  oldestFirst: readonly Allocation[],
  readAt: number,
): RowChangeCounts {
  const tally = createRowChangeCounts();
  let second = Number.NaN;
  let ordinal = 0;
  for (const row of oldestFirst) {
    const at = parseTimestamp(row.timestamp) ?? 0;
    ordinal = at === second ? ordinal + 1 : 0;
    second = at;
    const change = upsert(db, [
      component.subscription_id,
      component.component_id,
      at,
      ordinal,
      row.timestamp,
      toStoredQuantity(row.quantity),
      toStoredQuantity(row.previous_quantity),
      row.memo,
      row.proration_upgrade_scheme,
      row.proration_downgrade_scheme,
      JSON.stringify(row.extra),
      readAt,
    ]);
    tally[change] += 1;
  }
  if (tally.inserted + tally.changed > 0) updateComponentFigures(db, component);
  return tally;
}

/** Replaces a stored allocation history with the complete history from the service, for example if it has gaps. */
export function replaceAllocations(
  db: WritableDb,
  component: ComponentKey,
  oldestFirst: readonly Allocation[],
  readAt: number,
): RowChangeCounts {
  prepareSql(db, 'DELETE FROM allocation WHERE subscription_id = ? AND component_id = ?').run(
    component.subscription_id,
    component.component_id,
  );
  const tally = upsertAllocations(db, component, oldestFirst, readAt);
  updateComponentFigures(db, component);
  return tally;
}

/**
 * Converts a quantity for storage. Integers become bigint, because the driver binds numbers as floats. Other quantities
 * become text.
 */
export function toStoredQuantity(quantity: number | string): bigint | string {
  return typeof quantity === 'number' ? BigInt(quantity) : quantity;
}

/** Updates a subscription component's number of allocations, and the time and quantity of its last allocation. */
function updateComponentFigures(db: WritableDb, { subscription_id, component_id }: ComponentKey): void {
  const newestSql = `SELECT timestamp_ms, timestamp, quantity FROM allocation WHERE subscription_id = ? AND component_id = ?
     ORDER BY timestamp_ms DESC, ordinal DESC LIMIT 1`;
  const newest = prepareSql<{ timestamp_ms: number; timestamp: string; quantity: number | string }>(
    db,
    newestSql,
  ).get(subscription_id, component_id);
  const countSql = 'SELECT count(*) FROM allocation WHERE subscription_id = ? AND component_id = ?';
  const count = prepareSql<number>(db, countSql).pluck().get(subscription_id, component_id);
  const sql = `UPDATE subscription_component SET allocations = ?, last_at = ?, last_at_text = ?, quantity = ?
     WHERE subscription_id = ? AND component_id = ?`;
  prepareSql(db, sql).run(
    count ?? 0,
    newest?.timestamp_ms ?? 0,
    newest?.timestamp ?? null,
    newest === undefined ? null : toStoredQuantity(newest.quantity),
    subscription_id,
    component_id,
  );
}
