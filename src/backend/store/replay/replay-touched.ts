import { prepared, type ReadableDb } from '../database.ts';

/** Webhooks that replays which no longer run sent since `from` (ms UTC), without having seen what became of them. */
export function touchedByReplays(db: ReadableDb, from: number): number[] {
  return prepared<number>(
    db,
    `SELECT DISTINCT webhook_id FROM replay_item JOIN replay_job USING (job)
     WHERE outcome IN ('sending', 'queued', 'unresolved') AND sent_at >= ? AND replay_job.state <> 'running'`,
  )
    .pluck()
    .all(from);
}
