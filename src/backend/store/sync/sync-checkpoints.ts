import type { SyncPart } from '../../../contract/index.ts';
import { prepare, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';

/** Returns the checkpoints of a part's units whose names have this prefix. */
export function listCheckpointsByPrefix<Checkpoint>(
  db: ReadableDb,
  part: SyncPart,
  prefix: string,
): Checkpoint[] {
  const sql = 'SELECT checkpoint FROM sync_unit WHERE part = ? AND unit >= ? AND unit < ? ORDER BY unit';
  return select
    .values<string>(db, sql, part, prefix, `${prefix}\u{10ffff}`)
    .map((checkpoint) => JSON.parse(checkpoint) as Checkpoint);
}

/** Returns those of unfinished units saved before `at` (UTC milliseconds). */
export function listOpenCheckpointsBefore<Checkpoint>(
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

/** Deletes a unit unless it was saved at or after `at` (UTC milliseconds). */
export function removeUnitSavedBefore(db: WritableDb, part: SyncPart, unit: string, at: number): void {
  prepare(db, 'DELETE FROM sync_unit WHERE part = ? AND unit = ? AND updated_at < ?').run(part, unit, at);
}
