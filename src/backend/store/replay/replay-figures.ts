import type { ReplayOutcome } from '../../../contract/index.ts';
import type { StoredJob } from '../jobs/job.ts';
import { prepared, type ReadableDb } from '../sqlite/connection.ts';

export function countItems(db: ReadableDb, job: string, outcome: ReplayOutcome): number {
  return (
    prepared<number>(db, 'SELECT count(*) FROM replay_item WHERE job = ? AND outcome = ?')
      .pluck()
      .get(job, outcome) ?? 0
  );
}

/** Returns the number of webhooks that a replay posted, whatever their outcome. */
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

/** Returns the median milliseconds from post to outcome in the last replay with accepted webhooks, or null. */
export function usualTime(db: ReadableDb): number | null {
  const times = prepared<number>(
    db,
    `SELECT resolved_at - sent_at FROM replay_item
     WHERE job = (SELECT job FROM replay_job ORDER BY started_at DESC LIMIT 1) AND outcome = 'accepted'
       AND sent_at IS NOT NULL LIMIT 200`,
  )
    .pluck()
    .all();
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? null;
}

/** Returns the number of a replay's last batch, 0 before the first. */
export function lastBatch(db: ReadableDb, job: string): number {
  return (
    prepared<number | null>(db, 'SELECT max(batch) FROM replay_batch WHERE job = ?').pluck().get(job) ?? 0
  );
}

/** Returns the stored job of a replay, or null. */
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
