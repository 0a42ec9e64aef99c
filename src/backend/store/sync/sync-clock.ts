import { prepared, type ReadableDb } from '../sqlite/connection.ts';

/** Returns the latest instant recorded by a sync (UTC milliseconds), or null before the first. */
export function lastRunAt(db: ReadableDb): number | null {
  return (
    prepared<number | null>(db, 'SELECT max(max(started_at, ifnull(ended_at, 0))) FROM sync_run')
      .pluck()
      .get() ?? null
  );
}
