import type { SyncPart } from '../../../contract/index.ts';
import { prepared, type ReadableDb, type WritableDb } from '../database.ts';

/** What the units of a part keep whose names begin so. */
export function unitsNamed<Checkpoint>(db: ReadableDb, part: SyncPart, beginning: string): Checkpoint[] {
  return prepared<string>(
    db,
    'SELECT checkpoint FROM sync_unit WHERE part = ? AND unit >= ? AND unit < ? ORDER BY unit',
  )
    .pluck()
    .all(part, beginning, `${beginning}\u{10ffff}`)
    .map((checkpoint) => JSON.parse(checkpoint) as Checkpoint);
}

/** The same of those that are not done and were written before `at` (ms UTC). */
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

/** Drops a unit, unless it was written at `at` (ms UTC) or later. */
export function dropUnitBefore(db: WritableDb, part: SyncPart, unit: string, at: number): void {
  prepared(db, 'DELETE FROM sync_unit WHERE part = ? AND unit = ? AND updated_at < ?').run(part, unit, at);
}
