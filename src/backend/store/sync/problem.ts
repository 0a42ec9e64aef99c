import type { Problem } from '../../../billing/index.ts';
import type { SyncPart } from '../../../contract/index.ts';
import { prepared, type WritableDb } from '../database.ts';

/** The most of an unreadable thing that is kept, in UTF-8 bytes. */
const RAW_CAP = 64 * 1024;

export interface NewProblem extends Pick<Problem, 'place' | 'reason'> {
  part: SyncPart;
  raw: string | null;
  /** ms UTC. */
  seen_at: number;
  job: string | null;
}

/** Keeps a problem; one place has one problem, the last seen. */
export function keepProblem(db: WritableDb, problem: NewProblem): void {
  prepared(
    db,
    `INSERT INTO problem (part, place, reason, raw, seen_at, job) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (part, place) DO UPDATE SET reason = excluded.reason, raw = excluded.raw, seen_at = excluded.seen_at,
       job = excluded.job`,
  ).run(problem.part, problem.place, problem.reason, cut(problem.raw), problem.seen_at, problem.job);
}

/** Removes the problem of a place that was read well since. */
export function solveProblem(db: WritableDb, part: SyncPart, place: string): boolean {
  return prepared(db, 'DELETE FROM problem WHERE part = ? AND place = ?').run(part, place).changes > 0;
}

/** Removes the problems of a part that have this reason. */
export function solveReason(db: WritableDb, part: SyncPart, reason: string): void {
  prepared(db, 'DELETE FROM problem WHERE part = ? AND reason = ?').run(part, reason);
}

function cut(raw: string | null): string | null {
  if (raw === null || Buffer.byteLength(raw) <= RAW_CAP) return raw;
  return new TextDecoder().decode(Buffer.from(raw).subarray(0, RAW_CAP), { stream: true });
}
