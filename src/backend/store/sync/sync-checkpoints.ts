import type { SyncPart } from '../../../contract/index.ts';
import { prepareSql, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';

/** Returns the checkpoints of a part's sync units whose names start with this prefix. */
export function listSyncCheckpointsByPrefix<Checkpoint>(
  db: ReadableDb,
  part: SyncPart,
  prefix: string,
): Checkpoint[] {
  const sql = 'SELECT checkpoint FROM sync_unit WHERE part = ? AND unit >= ? AND unit < ? ORDER BY unit';
  return select
    .values<string>(db, sql, part, prefix, `${prefix}\u{10ffff}`)
    .map((checkpoint) => JSON.parse(checkpoint) as Checkpoint);
}

/** Returns the checkpoints of unfinished sync units with this prefix saved before `at` (UTC milliseconds). */
export function listCheckpointsBefore<Checkpoint>(
  db: ReadableDb,
  part: SyncPart,
  prefix: string,
  at: number,
): Checkpoint[] {
  const sql = `SELECT checkpoint FROM sync_unit WHERE part = ? AND unit >= ? AND unit < ? AND state <> 'done' AND updated_at < ?
     ORDER BY unit`;
  return select
    .values<string>(db, sql, part, prefix, `${prefix}\u{10ffff}`, at)
    .map((checkpoint) => JSON.parse(checkpoint) as Checkpoint);
}

/** Deletes a sync unit unless it was saved at or after `at` (UTC milliseconds). */
export function removeSyncUnitSavedBefore(db: WritableDb, part: SyncPart, unit: string, at: number): void {
  prepareSql(db, 'DELETE FROM sync_unit WHERE part = ? AND unit = ? AND updated_at < ?').run(part, unit, at);
}
