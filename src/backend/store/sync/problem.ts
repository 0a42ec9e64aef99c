import type { ReadProblem } from '../../../billing/index.ts';
import type { SyncPart } from '../../../contract/index.ts';
import { prepare, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, updateOnConflict } from '../sqlite/write-row.ts';

/** Maximum stored size of unreadable content, in UTF-8 bytes. */
const RAW_CAP = 64 * 1024;

export interface NewProblem extends Pick<ReadProblem, 'reason'> {
  location: string;
  part: SyncPart;
  raw: string | null;
  /** UTC milliseconds. */
  seen_at: number;
  job: string | null;
}

/** Saves a problem. A location has one problem, the latest. */
export function saveProblem(db: WritableDb, problem: NewProblem): void {
  const { part, location, reason, raw, seen_at, job } = problem;
  const row = { part, location, reason, raw: truncateRaw(raw), seen_at, job };
  insertRow(db, 'problem', row, updateOnConflict('part, location', 'reason', 'raw', 'seen_at', 'job'));
}

/** Deletes the problem of a location that was read successfully. Returns true if there was one. */
export function removeProblem(db: WritableDb, part: SyncPart, location: string): boolean {
  return prepare(db, 'DELETE FROM problem WHERE part = ? AND location = ?').run(part, location).changes > 0;
}

/** Deletes the problems of a part with this reason. */
export function removeProblemsWithReason(db: WritableDb, part: SyncPart, reason: string): void {
  prepare(db, 'DELETE FROM problem WHERE part = ? AND reason = ?').run(part, reason);
}

function truncateRaw(raw: string | null): string | null {
  if (raw === null || Buffer.byteLength(raw) <= RAW_CAP) return raw;
  return new TextDecoder().decode(Buffer.from(raw).subarray(0, RAW_CAP), { stream: true });
}

/** Returns the locations of a part's problems. */
export function listProblemLocations(db: ReadableDb, part: SyncPart): string[] {
  return select.values<string>(db, 'SELECT location FROM problem WHERE part = ? ORDER BY id', part);
}
