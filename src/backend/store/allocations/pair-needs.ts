import type { Allocation } from '../../../billing/index.ts';
import { prepared, type ReadableDb } from '../database.ts';
import type { PairKey, PairSource, PairState } from './pair.ts';

export interface PairNeed extends PairKey {
  state: PairState;
  allocations: number;
}

/**
 * The pairs whose history is to be read: never read, told of since they were, or followed by hand and last read before
 * `stale` (ms UTC, our clock). One that the service does not know is asked for again only when something tells of it.
 */
export function pairsToRead(db: ReadableDb, stale: number): PairNeed[] {
  return prepared<PairNeed>(
    db,
    `SELECT subscription_id, component_id, state, allocations FROM pair
     WHERE state = 'waiting' OR state = 'problem' OR read_at IS NULL OR read_at <= hinted_at
       OR (source IN ('user', 'file') AND state = 'held' AND read_at < ?)
     ORDER BY hinted_at DESC, row`,
  ).all(stale);
}

/** All pairs: for a sync that reads everything again. */
export function allPairs(db: ReadableDb): PairNeed[] {
  return prepared<PairNeed>(
    db,
    'SELECT subscription_id, component_id, state, allocations FROM pair ORDER BY row',
  ).all();
}

/** One pair and how it came to be followed; null where it is not. */
export function pairOf(
  db: ReadableDb,
  pair: PairKey,
): (PairNeed & { source: PairSource; read_at: number | null }) | null {
  return (
    prepared<PairNeed & { source: PairSource; read_at: number | null }>(
      db,
      `SELECT subscription_id, component_id, state, allocations, source, read_at FROM pair
       WHERE subscription_id = ? AND component_id = ?`,
    ).get(pair.subscription_id, pair.component_id) ?? null
  );
}

/** The history held of a pair, newest first, as the service sent it. */
export function heldAllocations(db: ReadableDb, pair: PairKey): Allocation[] {
  return prepared<Omit<Allocation, 'extra'> & { extra: string }>(
    db,
    `SELECT subscription_id, component_id, timestamp, quantity, previous_quantity, memo, proration_upgrade_scheme,
       proration_downgrade_scheme, extra
     FROM allocation WHERE subscription_id = ? AND component_id = ? ORDER BY timestamp_ms DESC, ordinal DESC`,
  )
    .all(pair.subscription_id, pair.component_id)
    .map((row) => ({ ...row, extra: JSON.parse(row.extra) as Allocation['extra'] }));
}

export function countPairs(db: ReadableDb): number {
  return prepared<number>(db, "SELECT count(*) FROM pair WHERE state <> 'missing'").pluck().get() ?? 0;
}
