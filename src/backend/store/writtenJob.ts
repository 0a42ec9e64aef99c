import type { ErrorValue, Job, Progress } from '../../contract/index.ts';
import { prepared, type ReadableDb } from './database.ts';
import type { StoredJob } from './job.ts';

type Row = Omit<StoredJob, 'progress' | 'error'> & { progress: string; error: string | null };

/** A job as it was last written down; null where there is none of this id. */
export function writtenJob(db: ReadableDb, id: string): StoredJob | null {
  const row = prepared<Row>(db, 'SELECT * FROM job WHERE id = ?').get(id);
  if (row === undefined) return null;
  return {
    ...row,
    progress: JSON.parse(row.progress) as Progress[],
    error: row.error === null ? null : (JSON.parse(row.error) as ErrorValue),
  };
}

/** A job of a site as the contract shows it. */
export function shownJob(site: string, job: StoredJob): Job {
  return {
    ...job,
    site,
    started_at: new Date(job.started_at).toISOString(),
    ended_at: job.ended_at === null ? null : new Date(job.ended_at).toISOString(),
    progress: job.progress.map((part) => ({ ...part })),
  };
}
