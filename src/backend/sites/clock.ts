import type { ReadableDb } from '../store/database.ts';
import { lastRunAt } from '../store/sync/sync-clock.ts';

/**
 * Our clock for a site's requests, ms UTC: it never shows less than at an earlier run. What is held says when it was asked
 * for, and an earlier answer never overwrites a later one; were the computer's clock set back, all that is new would seem
 * to be old.
 */
export function steadyClock(cache: ReadableDb, now: () => number): () => number {
  const back = (lastRunAt(cache) ?? 0) - now();
  if (back < 0) return now;
  return () => now() + back + 1;
}
