import type { SyncPart } from '../../../contract/index.ts';
import { prepared, type ReadableDb, type WritableDb } from '../database.ts';

/** A piece of a part that is read by itself and resumes by itself: a window of days, a tail, a pair. */
export interface SyncUnit<Checkpoint> {
  unit: string;
  state: string;
  checkpoint: Checkpoint;
  /** ms UTC. */
  updated_at: number;
}

/** Where a part stands as a whole. Instants in ms UTC. */
export interface SyncPartState<Checkpoint> {
  /** When it was last read to its end. */
  synced_at: number | null;
  /** How many the service is known to have; null where it cannot be known. */
  expected: number | null;
  complete: boolean;
  checkpoint: Checkpoint;
}

/** Writes a unit's checkpoint: in the same `commit` as the rows it accounts for. */
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

/** Whether nothing of a part is still to be read, and nothing of it failed. */
export function isEveryUnitDone(db: ReadableDb, part: SyncPart): boolean {
  return prepared(db, "SELECT 1 FROM sync_unit WHERE part = ? AND state <> 'done'").get(part) === undefined;
}

/** The units of a part in the order of their names. `Checkpoint` is what the caller saved there. */
export function unitsOf<Checkpoint>(db: ReadableDb, part: SyncPart): SyncUnit<Checkpoint>[] {
  return prepared<SyncUnit<string>>(
    db,
    'SELECT unit, state, checkpoint, updated_at FROM sync_unit WHERE part = ? ORDER BY unit',
  )
    .all(part)
    .map((row) => ({ ...row, checkpoint: JSON.parse(row.checkpoint) as Checkpoint }));
}

/** Keeps how far a part is. To be called in the commit that stores the page it is about. */
export function savePart<Checkpoint>(db: WritableDb, part: SyncPart, state: SyncPartState<Checkpoint>): void {
  prepared(
    db,
    `INSERT INTO sync_part (part, synced_at, expected, complete, checkpoint) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (part) DO UPDATE SET synced_at = excluded.synced_at, expected = excluded.expected,
       complete = excluded.complete, checkpoint = excluded.checkpoint`,
  ).run(part, state.synced_at, state.expected, Number(state.complete), JSON.stringify(state.checkpoint));
}

/** Null before the part was first read. */
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
