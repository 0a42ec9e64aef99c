import type { SyncPart } from '../../../contract/index.ts';
import { prepare, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, updateOnConflict } from '../sqlite/write-row.ts';

/** A piece of a part that is read and resumed separately: a window of days, the newest part, an allocation history. */
export interface SyncUnit<Checkpoint> {
  unit: string;
  state: string;
  checkpoint: Checkpoint;
  /** UTC milliseconds. */
  updated_at: number;
}

/** Overall sync state of a part. Instants are UTC milliseconds. */
export interface SyncPartState<Checkpoint> {
  /** When it was last read to its end. */
  synced_at: number | null;
  /** Number of records that the service is known to have, or null if it cannot be known. */
  expected: number | null;
  complete: boolean;
  checkpoint: Checkpoint;
}

/** Saves a unit's checkpoint. Must be called in the same transaction as its rows. */
export function saveUnit<Checkpoint>(db: WritableDb, part: SyncPart, unit: SyncUnit<Checkpoint>): void {
  const { state, updated_at } = unit;
  const row = { part, unit: unit.unit, state, checkpoint: JSON.stringify(unit.checkpoint), updated_at };
  insertRow(db, 'sync_unit', row, updateOnConflict('part, unit', 'state', 'checkpoint', 'updated_at'));
}

export function removeUnit(db: WritableDb, part: SyncPart, unit: string): void {
  prepare(db, 'DELETE FROM sync_unit WHERE part = ? AND unit = ?').run(part, unit);
}

export function removeUnits(db: WritableDb, part: SyncPart): void {
  prepare(db, 'DELETE FROM sync_unit WHERE part = ?').run(part);
}

/** Returns true if a part was read completely and without failures. */
export function isEveryUnitDone(db: ReadableDb, part: SyncPart): boolean {
  return prepare(db, "SELECT 1 FROM sync_unit WHERE part = ? AND state <> 'done'").get(part) === undefined;
}

/** Returns the units of a part by name. `Checkpoint` is the type that the caller saved. */
export function listUnits<Checkpoint>(db: ReadableDb, part: SyncPart): SyncUnit<Checkpoint>[] {
  const sql = 'SELECT unit, state, checkpoint, updated_at FROM sync_unit WHERE part = ? ORDER BY unit';
  return select.rows<SyncUnit<string>>(db, sql, part).map((row) => ({
    ...row,
    checkpoint: JSON.parse(row.checkpoint) as Checkpoint,
  }));
}

/** Saves the progress of a part. Must be called in the commit that stores the page. */
export function savePart<Checkpoint>(db: WritableDb, part: SyncPart, state: SyncPartState<Checkpoint>): void {
  const { synced_at, expected, complete, checkpoint } = state;
  const row = { synced_at, expected, complete: Number(complete), checkpoint: JSON.stringify(checkpoint) };
  insertRow(db, 'sync_part', { part, ...row }, updateOnConflict('part', ...Object.keys(row)));
}

/** Returns null before the part was first read. */
export function readPartState<Checkpoint>(db: ReadableDb, part: SyncPart): SyncPartState<Checkpoint> | null {
  const sql = 'SELECT synced_at, expected, complete, checkpoint FROM sync_part WHERE part = ?';
  const row = prepare<{
    synced_at: number | null;
    expected: number | null;
    complete: number;
    checkpoint: string;
  }>(db, sql).get(part);
  if (row === undefined) return null;
  return { ...row, complete: row.complete === 1, checkpoint: JSON.parse(row.checkpoint) as Checkpoint };
}
