import type { ReadableDb } from '../store/sqlite/connection.ts';
import { lastRunAt } from '../store/sync/sync-clock.ts';

/**
 * Returns a clock for a site's requests (UTC milliseconds) that never shows less than in an earlier run. Stored data is
 * dated by its request, and earlier answers never replace later ones. If the computer's clock were set back, new data
 * would seem old.
 */
export function createSteadyClock(cache: ReadableDb, now: () => number): () => number {
  const back = (lastRunAt(cache) ?? 0) - now();
  if (back < 0) return now;
  return () => now() + back + 1;
}
