import type { ReadableDb } from '../store/sqlite/connection.ts';
import { lastRunAt } from '../store/sync/sync-clock.ts';

/**
 * Returns a clock (UTC milliseconds) that never shows an earlier time than the site's last sync. Stored data is dated by
 * its request, and newer data replaces older data. If the computer's clock were set back, new data would look old.
 */
export function createSteadyClock(cache: ReadableDb, now: () => number): () => number {
  const clockSetBackMs = (lastRunAt(cache) ?? 0) - now();
  if (clockSetBackMs < 0) return now;
  return () => now() + clockSetBackMs + 1;
}
