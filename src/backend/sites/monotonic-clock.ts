import type { ReadableDb } from '../store/sqlite/connection.ts';
import { findLastSyncTime } from '../store/sync/sync-run.ts';

/**
 * Returns a clock (UTC milliseconds) that is never behind the site's last sync. The request time decides which data is
 * newer, so a clock that was set back would make new data look old.
 */
export function createMonotonicClock(cache: ReadableDb, now: () => number): () => number {
  const clockSetBackMs = (findLastSyncTime(cache) ?? 0) - now();
  if (clockSetBackMs < 0) return now;
  return () => now() + clockSetBackMs + 1;
}
