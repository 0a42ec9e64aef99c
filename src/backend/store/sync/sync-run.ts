import type { ErrorValue, SyncRun } from '../../../contract/index.ts';
import { prepared, type WritableDb } from '../sqlite/connection.ts';

/** A stored sync. Instants are UTC milliseconds. */
export interface StoredRun {
  job: string;
  started_at: number;
  ended_at: number | null;
  state: SyncRun['state'];
  requests: SyncRun['requests'];
  rows: SyncRun['rows'];
  bytes: number;
  complete: boolean;
  error: ErrorValue | null;
}

/** Saves the start, progress or end of a sync. */
export function saveRun(db: WritableDb, run: StoredRun): void {
  prepared(
    db,
    `INSERT INTO sync_run (job, started_at, ended_at, state, requests, rows, bytes, complete, error)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (job) DO UPDATE SET ended_at = excluded.ended_at, state = excluded.state,
       requests = excluded.requests, rows = excluded.rows, bytes = excluded.bytes, complete = excluded.complete,
       error = excluded.error`,
  ).run(
    run.job,
    run.started_at,
    run.ended_at,
    run.state,
    JSON.stringify(run.requests),
    JSON.stringify(run.rows),
    run.bytes,
    Number(run.complete),
    run.error === null ? null : JSON.stringify(run.error),
  );
}

/** Marks syncs of a crashed process as interrupted. Returns their number. */
export function interruptRuns(db: WritableDb, at: number): number {
  return prepared(db, "UPDATE sync_run SET state = 'interrupted', ended_at = ? WHERE state = 'running'").run(
    at,
  ).changes;
}
