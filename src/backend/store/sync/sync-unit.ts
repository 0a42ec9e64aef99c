import type { SyncPart } from '../../../contract/index.ts';
import { prepareSql, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, onConflictSql } from '../sqlite/write-row.ts';

/** Part of a sync that is read and resumed separately, for example a window of days or an allocation history. */
export interface SyncUnit<Checkpoint> {
  unit: string;
  state: string;
  checkpoint: Checkpoint;
  /** Time of the last checkpoint in UTC milliseconds. */
  updated_at: number;
}

/** Sync state of an entire sync part. Instants are UTC milliseconds. */
export interface SyncPartState<Checkpoint> {
  /** Time at which the part was last read to its end. */
  synced_at: number | null;
  /** Number of records that the service has for the part, or null if the service does not report it. */
  expected: number | null;
  complete: boolean;
  checkpoint: Checkpoint;
}

/** Saves a sync unit with its checkpoint. Must be called in the transaction that stores the unit's rows. */
export function saveSyncUnit<Checkpoint>(db: WritableDb, part: SyncPart, unit: SyncUnit<Checkpoint>): void {
  const { state, updated_at } = unit;
  const row = { part, unit: unit.unit, state, checkpoint: JSON.stringify(unit.checkpoint), updated_at };
  insertRow(db, 'sync_unit', row, onConflictSql('part, unit', 'state', 'checkpoint', 'updated_at'));
}

export function removeSyncUnit(db: WritableDb, part: SyncPart, unit: string): void {
  prepareSql(db, 'DELETE FROM sync_unit WHERE part = ? AND unit = ?').run(part, unit);
}

export function removeSyncUnits(db: WritableDb, part: SyncPart): void {
  prepareSql(db, 'DELETE FROM sync_unit WHERE part = ?').run(part);
}

/** Returns true if all sync units of the part were read completely and without failures. */
export function isEverySyncUnitDone(db: ReadableDb, part: SyncPart): boolean {
  return prepareSql(db, "SELECT 1 FROM sync_unit WHERE part = ? AND state <> 'done'").get(part) === undefined;
}

/** Returns the sync units of a part by name. `Checkpoint` is the type of the saved checkpoints. */
export function listSyncUnits<Checkpoint>(db: ReadableDb, part: SyncPart): SyncUnit<Checkpoint>[] {
  const sql = 'SELECT unit, state, checkpoint, updated_at FROM sync_unit WHERE part = ? ORDER BY unit';
  return select.rows<SyncUnit<string>>(db, sql, part).map((row) => ({
    ...row,
    checkpoint: JSON.parse(row.checkpoint) as Checkpoint,
  }));
}

/** Saves the sync state of a part. Must be called in the transaction that stores the page. */
export function saveSyncPartState<Checkpoint>(
  db: WritableDb,
  part: SyncPart,
  state: SyncPartState<Checkpoint>,
): void {
  const { synced_at, expected, complete, checkpoint } = state;
  const row = { synced_at, expected, complete: Number(complete), checkpoint: JSON.stringify(checkpoint) };
  insertRow(db, 'sync_part', { part, ...row }, onConflictSql('part', ...Object.keys(row)));
}

/** Returns the sync state of a part, or null if it has never been read. */
export function readSyncPartState<Checkpoint>(
  db: ReadableDb,
  part: SyncPart,
): SyncPartState<Checkpoint> | null {
  const sql = 'SELECT synced_at, expected, complete, checkpoint FROM sync_part WHERE part = ?';
  const row = prepareSql<{
    synced_at: number | null;
    expected: number | null;
    complete: number;
    checkpoint: string;
  }>(db, sql).get(part);
  if (row === undefined) return null;
  return { ...row, complete: row.complete === 1, checkpoint: JSON.parse(row.checkpoint) as Checkpoint };
}
