import type { ReplayOutcome } from '../../contract/index.ts';
import { prepared, type ReadableDb } from './database.ts';
import type { StoredJob } from './job.ts';

export function countItems(db: ReadableDb, job: string, outcome: ReplayOutcome): number {
  return (
    prepared<number>(db, 'SELECT count(*) FROM replay_item WHERE job = ? AND outcome = ?')
      .pluck()
      .get(job, outcome) ?? 0
  );
}

/** Webhooks of a replay that were posted, whatever became of them. */
export function countSent(db: ReadableDb, job: string): number {
  return (
    prepared<number>(
      db,
      "SELECT count(*) FROM replay_item WHERE job = ? AND outcome NOT IN ('waiting', 'refused') AND batch IS NOT NULL",
    )
      .pluck()
      .get(job) ?? 0
  );
}

/** The number of a replay's last batch; 0 before the first. */
export function lastBatch(db: ReadableDb, job: string): number {
  return (
    prepared<number | null>(db, 'SELECT max(batch) FROM replay_batch WHERE job = ?').pluck().get(job) ?? 0
  );
}

/** The job of a replay as it was last written down; null where there is none. */
export function writtenJob(db: ReadableDb, id: string): StoredJob | null {
  const row = prepared<Omit<StoredJob, 'progress' | 'error'> & { progress: string; error: string | null }>(
    db,
    'SELECT * FROM job WHERE id = ?',
  ).get(id);
  if (row === undefined) return null;
  return {
    ...row,
    progress: JSON.parse(row.progress) as StoredJob['progress'],
    error: row.error === null ? null : (JSON.parse(row.error) as StoredJob['error']),
  };
}
