import { prepared, type ReadableDb } from '../database.ts';

/** The latest moment that a sync noted, ms UTC; null before the first. */
export function lastRunAt(db: ReadableDb): number | null {
  return (
    prepared<number | null>(db, 'SELECT max(max(started_at, ifnull(ended_at, 0))) FROM sync_run')
      .pluck()
      .get() ?? null
  );
}
