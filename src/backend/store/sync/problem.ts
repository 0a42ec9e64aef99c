import type { ReadProblem } from '../../../billing/index.ts';
import type { SyncPart } from '../../../contract/index.ts';
import { prepared, type WritableDb } from '../sqlite/connection.ts';

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
export function keepProblem(db: WritableDb, problem: NewProblem): void {
  prepared(
    db,
    `INSERT INTO problem (part, location, reason, raw, seen_at, job) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (part, location) DO UPDATE SET reason = excluded.reason, raw = excluded.raw, seen_at = excluded.seen_at,
       job = excluded.job`,
  ).run(problem.part, problem.location, problem.reason, cut(problem.raw), problem.seen_at, problem.job);
}

/** Deletes the problem of a location that was read successfully. Returns true if there was one. */
export function solveProblem(db: WritableDb, part: SyncPart, location: string): boolean {
  return prepared(db, 'DELETE FROM problem WHERE part = ? AND location = ?').run(part, location).changes > 0;
}

/** Deletes the problems of a part with this reason. */
export function solveReason(db: WritableDb, part: SyncPart, reason: string): void {
  prepared(db, 'DELETE FROM problem WHERE part = ? AND reason = ?').run(part, reason);
}

function cut(raw: string | null): string | null {
  if (raw === null || Buffer.byteLength(raw) <= RAW_CAP) return raw;
  return new TextDecoder().decode(Buffer.from(raw).subarray(0, RAW_CAP), { stream: true });
}
