import type { ErrorValue, Job, Progress } from '../../../contract/index.ts';
import { prepared, type ReadableDb, type WritableDb } from '../database.ts';

/** A job of a site as books.db keeps it; the site is the file's. Instants in ms UTC. */
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

/** Writes a job's beginning, progress and end. */
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
 * Jobs that a process left running when it ended: they are interrupted, as is a replay that would have gone on by itself. Gives
 * their ids.
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

/** Whether a job is written down as running; whether somebody works on it, its site's lock tells. */
export function isAnyRunning(books: ReadableDb): boolean {
  return prepared(books, "SELECT 1 FROM job WHERE state = 'running' LIMIT 1").get() !== undefined;
}

/** The job that checks now, as a check does, and a sync at its end; null where none does. */
export function checkingJob(books: ReadableDb): string | null {
  const newest =
    "SELECT id FROM job WHERE state = 'running' AND kind IN ('check', 'sync') ORDER BY started_at DESC LIMIT 1";
  return prepared<string>(books, newest).pluck().get() ?? null;
}
