import type { Allocation } from '../../../billing/index.ts';
import { prepared, type WritableDb } from '../database.ts';
import { moment } from '../moment.ts';
import { noTally, type Tally, upsertInto } from '../upsert.ts';
import type { PairKey } from './pair.ts';

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
 * Stores a stretch of a pair's history, oldest first, read by requests of which the oldest began at `readAt` (ms UTC).
 * An allocation has no id: it is known by its second and its place in that second, so a stretch must hold the seconds it
 * touches whole (the service pages newest first: leave the last second of a page to the page behind it). To be called
 * inside `commit`.
 */
export function upsertAllocations(
  db: WritableDb,
  pair: PairKey,
  oldestFirst: readonly Allocation[],
  readAt: number,
): Tally {
  const tally = noTally();
  let second = Number.NaN;
  let ordinal = 0;
  for (const row of oldestFirst) {
    const at = moment(row.timestamp) ?? 0;
    ordinal = at === second ? ordinal + 1 : 0;
    second = at;
    const change = upsert(db, [
      pair.subscription_id,
      pair.component_id,
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
  if (tally.inserted + tally.changed > 0) keepPair(db, pair);
  return tally;
}

/** Puts a history read whole in the place of what is held of a pair: the way out where the chain is broken. */
export function replaceAllocations(
  db: WritableDb,
  pair: PairKey,
  oldestFirst: readonly Allocation[],
  readAt: number,
): Tally {
  prepared(db, 'DELETE FROM allocation WHERE subscription_id = ? AND component_id = ?').run(
    pair.subscription_id,
    pair.component_id,
  );
  const tally = upsertAllocations(db, pair, oldestFirst, readAt);
  keepPair(db, pair);
  return tally;
}

/** Whole quantities are stored as integers (JavaScript numbers would become floats), fractions as their text. */
export function quantityValue(quantity: number | string): bigint | string {
  return typeof quantity === 'number' ? BigInt(quantity) : quantity;
}

/** The pair's kept figures: how many allocations, the last one's moment and quantity. */
function keepPair(db: WritableDb, { subscription_id, component_id }: PairKey): void {
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
    `UPDATE pair SET allocations = ?, last_at = ?, last_at_text = ?, quantity = ?
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
