import type { SyncPart } from '../../../contract/index.ts';
import { prepared, type ReadableDb, type WritableDb } from '../sqlite/connection.ts';

/** A piece of a part that is read and resumed separately: a window of days, the newest part, an allocation history. */
export interface SyncUnit<Checkpoint> {
  unit: string;
  state: string;
  checkpoint: Checkpoint;
  /** UTC milliseconds. */
  updated_at: number;
}

/** State of a part as a whole. Instants are UTC milliseconds. */
export interface SyncPartState<Checkpoint> {
  /** When it was last read to its end. */
  synced_at: number | null;
  /** Number of records that the service is known to have, or null if it cannot be known. */
  expected: number | null;
  complete: boolean;
  checkpoint: Checkpoint;
}

/** Saves a unit's checkpoint. Must be called in the same `commit` as its rows. */
export function saveUnit<Checkpoint>(db: WritableDb, part: SyncPart, unit: SyncUnit<Checkpoint>): void {
  prepared(
    db,
    `INSERT INTO sync_unit (part, unit, state, checkpoint, updated_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (part, unit) DO UPDATE SET state = excluded.state, checkpoint = excluded.checkpoint,
       updated_at = excluded.updated_at`,
  ).run(part, unit.unit, unit.state, JSON.stringify(unit.checkpoint), unit.updated_at);
}

export function dropUnit(db: WritableDb, part: SyncPart, unit: string): void {
  prepared(db, 'DELETE FROM sync_unit WHERE part = ? AND unit = ?').run(part, unit);
}

export function dropUnits(db: WritableDb, part: SyncPart): void {
  prepared(db, 'DELETE FROM sync_unit WHERE part = ?').run(part);
}

/** Returns true if nothing of a part is left to read or has failed. */
export function isEveryUnitDone(db: ReadableDb, part: SyncPart): boolean {
  return prepared(db, "SELECT 1 FROM sync_unit WHERE part = ? AND state <> 'done'").get(part) === undefined;
}

/** Returns the units of a part by name. `Checkpoint` is the type that the caller saved. */
export function unitsOf<Checkpoint>(db: ReadableDb, part: SyncPart): SyncUnit<Checkpoint>[] {
  return prepared<SyncUnit<string>>(
    db,
    'SELECT unit, state, checkpoint, updated_at FROM sync_unit WHERE part = ? ORDER BY unit',
  )
    .all(part)
    .map((row) => ({ ...row, checkpoint: JSON.parse(row.checkpoint) as Checkpoint }));
}

/** Saves the progress of a part. Must be called in the commit that stores the page. */
export function savePart<Checkpoint>(db: WritableDb, part: SyncPart, state: SyncPartState<Checkpoint>): void {
  prepared(
    db,
    `INSERT INTO sync_part (part, synced_at, expected, complete, checkpoint) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (part) DO UPDATE SET synced_at = excluded.synced_at, expected = excluded.expected,
       complete = excluded.complete, checkpoint = excluded.checkpoint`,
  ).run(part, state.synced_at, state.expected, Number(state.complete), JSON.stringify(state.checkpoint));
}

/** Returns null before the part was first read. */
export function partState<Checkpoint>(db: ReadableDb, part: SyncPart): SyncPartState<Checkpoint> | null {
  const row = prepared<{
    synced_at: number | null;
    expected: number | null;
    complete: number;
    checkpoint: string;
  }>(db, 'SELECT synced_at, expected, complete, checkpoint FROM sync_part WHERE part = ?').get(part);
  if (row === undefined) return null;
  return { ...row, complete: row.complete === 1, checkpoint: JSON.parse(row.checkpoint) as Checkpoint };
}
