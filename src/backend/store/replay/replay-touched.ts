import { prepared, type ReadableDb } from '../sqlite/connection.ts';

/** Returns webhooks that ended replays posted since `from` (UTC milliseconds) without seeing their outcome. */
export function touchedByReplays(db: ReadableDb, from: number): number[] {
  return prepared<number>(
    db,
    `SELECT DISTINCT webhook_id FROM replay_item JOIN replay_job USING (job)
     WHERE outcome IN ('sending', 'queued', 'unresolved') AND sent_at >= ? AND replay_job.state <> 'running'`,
  )
    .pluck()
    .all(from);
}
