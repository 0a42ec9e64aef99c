import type { ErrorValue, Job, Progress } from '../../../contract/index.ts';
import { prepared, type ReadableDb, type WritableDb } from '../sqlite/connection.ts';

/** A job as stored in the site's books.db. Instants are UTC milliseconds. */
export interface StoredJob {
  id: string;
  kind: Job['kind'];
  state: Job['state'];
  started_at: number;
  ended_at: number | null;
  progress: Progress[];
  rate: number | null;
  remaining_ms: number | null;
  summary: string | null;
  error: ErrorValue | null;
}

/** Saves the start, progress or end of a job. */
export function saveJob(db: WritableDb, job: StoredJob): void {
  prepared(
    db,
    `INSERT INTO job (id, kind, state, started_at, ended_at, progress, rate, remaining_ms, summary, error)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET state = excluded.state, ended_at = excluded.ended_at, progress = excluded.progress,
       rate = excluded.rate, remaining_ms = excluded.remaining_ms, summary = excluded.summary, error = excluded.error`,
  ).run(
    job.id,
    job.kind,
    job.state,
    job.started_at,
    job.ended_at,
    JSON.stringify(job.progress),
    job.rate,
    job.remaining_ms,
    job.summary,
    job.error === null ? null : JSON.stringify(job.error),
  );
}

/**
 * Marks jobs of a crashed process as interrupted, and a replay that would have continued automatically. Returns their
 * ids.
 */
export function interruptJobs(db: WritableDb, at: number): string[] {
  return prepared<string>(
    db,
    `UPDATE job SET state = 'interrupted', ended_at = ?, rate = NULL, remaining_ms = NULL
     WHERE state = 'running'
       OR (state = 'paused' AND id IN (SELECT job FROM replay_job WHERE state = 'paused' AND paused_by = 'breaker'))
     RETURNING id`,
  )
    .pluck()
    .all(at);
}

/** Returns true if a job is marked as running. The site's lock shows whether a process is working on it. */
export function isAnyRunning(books: ReadableDb): boolean {
  return prepared(books, "SELECT 1 FROM job WHERE state = 'running' LIMIT 1").get() !== undefined;
}

/** Returns the running job that checks records (a check, or a sync at its end), or null. */
export function checkingJob(books: ReadableDb): string | null {
  const newest =
    "SELECT id FROM job WHERE state = 'running' AND kind IN ('check', 'sync') ORDER BY started_at DESC LIMIT 1";
  return prepared<string>(books, newest).pluck().get() ?? null;
}
