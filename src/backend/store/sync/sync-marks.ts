import type { SyncPart } from '../../../contract/index.ts';
import { prepared, type ReadableDb, type WritableDb } from '../sqlite/connection.ts';

/** Returns the checkpoints of a part's units whose names have this prefix. */
export function unitsNamed<Checkpoint>(db: ReadableDb, part: SyncPart, beginning: string): Checkpoint[] {
  return prepared<string>(
    db,
    'SELECT checkpoint FROM sync_unit WHERE part = ? AND unit >= ? AND unit < ? ORDER BY unit',
  )
    .pluck()
    .all(part, beginning, `${beginning}\u{10ffff}`)
    .map((checkpoint) => JSON.parse(checkpoint) as Checkpoint);
}

/** Returns those of unfinished units saved before `at` (UTC milliseconds). */
export function unitsLeftBefore<Checkpoint>(
  db: ReadableDb,
  part: SyncPart,
  beginning: string,
  at: number,
): Checkpoint[] {
  return prepared<string>(
    db,
    `SELECT checkpoint FROM sync_unit WHERE part = ? AND unit >= ? AND unit < ? AND state <> 'done' AND updated_at < ?
     ORDER BY unit`,
  )
    .pluck()
    .all(part, beginning, `${beginning}\u{10ffff}`, at)
    .map((checkpoint) => JSON.parse(checkpoint) as Checkpoint);
}

/** Deletes a unit unless it was saved at or after `at` (UTC milliseconds). */
export function dropUnitBefore(db: WritableDb, part: SyncPart, unit: string, at: number): void {
  prepared(db, 'DELETE FROM sync_unit WHERE part = ? AND unit = ? AND updated_at < ?').run(part, unit, at);
}
