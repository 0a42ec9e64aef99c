import type { ErrorValue, Job, JobProgress } from '../../../contract/index.ts';
import { prepareSql, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, onConflictSql } from '../sqlite/write-row.ts';

/** A job as stored in the site's books. Instants are UTC milliseconds. */
export interface StoredJob {
  id: string;
  kind: Job['kind'];
  state: Job['state'];
  started_at: number;
  ended_at: number | null;
  progress: JobProgress[];
  rate: number | null;
  remaining_ms: number | null;
  summary: string | null;
  error: ErrorValue | null;
}

/** Saves the start, progress or end of a job. */
export function saveJob(db: WritableDb, job: StoredJob): void {
  const { id, kind, state, started_at, ended_at, progress, rate, remaining_ms, summary, error } = job;
  const status = { state, ended_at, progress: JSON.stringify(progress), rate, remaining_ms, summary };
  const row = { id, kind, started_at, ...status, error: error === null ? null : JSON.stringify(error) };
  insertRow(db, 'job', row, onConflictSql('id', ...Object.keys(status), 'error'));
}

/** Marks a crashed process's jobs, including replays that the breaker paused, as interrupted. Returns their ids. */
export function interruptJobs(db: WritableDb, at: number): string[] {
  const sql = `UPDATE job SET state = 'interrupted', ended_at = ?, rate = NULL, remaining_ms = NULL
     WHERE state = 'running'
       OR (state = 'paused' AND id IN (SELECT job FROM replay_job WHERE state = 'paused' AND paused_by = 'breaker'))
     RETURNING id`;
  return select.values<string>(db, sql, at);
}

/** Returns true if any job is marked as running, even if its process has crashed. */
export function isAnyJobRunning(books: ReadableDb): boolean {
  return prepareSql(books, "SELECT 1 FROM job WHERE state = 'running' LIMIT 1").get() !== undefined;
}

/** Returns the newest running job that checks records (a check, or a sync at its end), or null. */
export function findRunningCheckJob(books: ReadableDb): string | null {
  const newest =
    "SELECT id FROM job WHERE state = 'running' AND kind IN ('check', 'sync') ORDER BY started_at DESC LIMIT 1";
  return select.value<string>(books, newest);
}
