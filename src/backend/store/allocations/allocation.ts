import type { Allocation } from '../../../billing/index.ts';
import { parseTimestamp } from '../../shared/timestamps.ts';
import { prepared, type WritableDb } from '../sqlite/connection.ts';
import { noTally, type Tally, upsertInto } from '../sqlite/upsert.ts';
import type { ComponentKey } from './subscription-component.ts';

const upsert = upsertInto({
  table: 'allocation',
  key: ['subscription_id', 'component_id', 'timestamp_ms', 'ordinal'],
  steady: [],
  volatile: [
    ...['timestamp', 'quantity', 'previous_quantity', 'memo'],
    ...['proration_upgrade_scheme', 'proration_downgrade_scheme', 'extra'],
  ],
});

/**
 * Stores part of a subscription component's history, oldest first, from requests of which the oldest started at `readAt`
 * (UTC milliseconds). An allocation has no id and is identified by its second and its index in that second. The part must
 * therefore contain complete seconds: pages are newest first, so the last second of a page belongs to the next one. Must
 * be called inside `commit`.
 */
export function upsertAllocations(
  db: WritableDb,
  component: ComponentKey,
  oldestFirst: readonly Allocation[],
  readAt: number,
): Tally {
  const tally = noTally();
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
      quantityValue(row.quantity),
      quantityValue(row.previous_quantity),
      row.memo,
      row.proration_upgrade_scheme,
      row.proration_downgrade_scheme,
      JSON.stringify(row.extra),
      readAt,
    ]);
    tally[change] += 1;
  }
  if (tally.inserted + tally.changed > 0) keepComponent(db, component);
  return tally;
}

/**
 * Replaces the stored history of a subscription component by a completely read one, for example if its chain is broken.
 */
export function replaceAllocations(
  db: WritableDb,
  component: ComponentKey,
  oldestFirst: readonly Allocation[],
  readAt: number,
): Tally {
  prepared(db, 'DELETE FROM allocation WHERE subscription_id = ? AND component_id = ?').run(
    component.subscription_id,
    component.component_id,
  );
  const tally = upsertAllocations(db, component, oldestFirst, readAt);
  keepComponent(db, component);
  return tally;
}

/**
 * Returns the value to store: integers as bigint, because JavaScript numbers would be stored as floats, and fractions as
 * text.
 */
export function quantityValue(quantity: number | string): bigint | string {
  return typeof quantity === 'number' ? BigInt(quantity) : quantity;
}

/** Updates the stored figures of a subscription component: number of allocations, time and quantity of the last one. */
function keepComponent(db: WritableDb, { subscription_id, component_id }: ComponentKey): void {
  const newest = prepared<{ timestamp_ms: number; timestamp: string; quantity: number | string }>(
    db,
    `SELECT timestamp_ms, timestamp, quantity FROM allocation WHERE subscription_id = ? AND component_id = ?
     ORDER BY timestamp_ms DESC, ordinal DESC LIMIT 1`,
  ).get(subscription_id, component_id);
  const count = prepared<number>(
    db,
    'SELECT count(*) FROM allocation WHERE subscription_id = ? AND component_id = ?',
  )
    .pluck()
    .get(subscription_id, component_id);
  prepared(
    db,
    `UPDATE subscription_component SET allocations = ?, last_at = ?, last_at_text = ?, quantity = ?
     WHERE subscription_id = ? AND component_id = ?`,
  ).run(
    count ?? 0,
    newest?.timestamp_ms ?? 0,
    newest?.timestamp ?? null,
    newest === undefined ? null : quantityValue(newest.quantity),
    subscription_id,
    component_id,
  );
}
