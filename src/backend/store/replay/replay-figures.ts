import type { ContractOutputs, ReplayOutcome } from '../../../contract/index.ts';
import { toDeliveryErrorGroup } from '../../../domain/webhooks/delivery-error-group.ts';
import type { StoredJob } from '../jobs/job.ts';
import type { StoredJobRow } from '../jobs/job-list.ts';
import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';

export function countReplayItems(db: ReadableDb, job: string, outcome: ReplayOutcome): number {
  const sql = 'SELECT count(*) FROM replay_item WHERE job = ? AND outcome = ?';
  return select.value<number>(db, sql, job, outcome) ?? 0;
}

/** Returns the number of webhooks that a replay has sent, regardless of their outcome. */
export function countSentReplayItems(db: ReadableDb, job: string): number {
  const sql =
    "SELECT count(*) FROM replay_item WHERE job = ? AND outcome NOT IN ('waiting', 'refused') AND batch IS NOT NULL";
  return select.value<number>(db, sql, job) ?? 0;
}

/**
 * Returns the median milliseconds from sending to acceptance in the latest replay, or null if no webhook was accepted.
 * `address` selects local deliveries to this address; null selects replays through the service.
 */
export function findMedianDeliveryTime(db: ReadableDb, address: string | null): number | null {
  const sql = `SELECT resolved_at - sent_at FROM replay_item
     WHERE job = (SELECT job FROM replay_job JOIN replay_plan ON replay_plan.id = plan
                  WHERE address IS ? ORDER BY started_at DESC LIMIT 1)
       AND outcome = 'accepted' AND sent_at IS NOT NULL LIMIT 200`;
  const times = select.values<number>(db, sql, address);
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? null;
}

/** Returns the number of a replay's last batch, or 0 if it has none. */
export function findLastReplayBatchNumber(db: ReadableDb, job: string): number {
  return select.value<number>(db, 'SELECT max(batch) FROM replay_batch WHERE job = ?', job) ?? 0;
}

/** Returns the stored job of a replay, or null if it does not exist. */
export function findStoredReplayJob(db: ReadableDb, id: string): StoredJob | null {
  const sql = 'SELECT * FROM job WHERE id = ?';
  const row = prepareSql<StoredJobRow>(db, sql).get(id);
  if (row === undefined) return null;
  return {
    ...row,
    progress: JSON.parse(row.progress) as StoredJob['progress'],
    error: row.error === null ? null : (JSON.parse(row.error) as StoredJob['error']),
  };
}

/** Returns webhooks with an unknown outcome that inactive replays have sent since `from` (UTC milliseconds). */
export function listWebhooksWithUnknownOutcome(db: ReadableDb, from: number): number[] {
  const sql = `SELECT DISTINCT webhook_id FROM replay_item JOIN replay_job USING (job)
     WHERE outcome IN ('sending', 'queued', 'unresolved') AND sent_at >= ? AND replay_job.state <> 'running'`;
  return select.values<number>(db, sql, from);
}

/** Returns the webhooks that a replay could not deliver, grouped by normalized error, most frequent first. */
export function listReplayErrors(books: ReadableDb, job: string): ContractOutputs['replay']['errors'] {
  const sql = `SELECT last_error, count(*) AS count FROM replay_item INDEXED BY replay_item_outcome
     WHERE job = ? AND outcome IN ('failed', 'refused', 'unresolved') GROUP BY last_error`;
  const texts = select.rows<{ last_error: string | null; count: number }>(books, sql, job);
  return [...Map.groupBy(texts, ({ last_error }) => toDeliveryErrorGroup(last_error))]
    .map(([error, of]) => ({
      error,
      count: of.reduce((sum, { count }) => sum + count, 0),
      example: of[0]?.last_error ?? '',
    }))
    .sort((a, b) => b.count - a.count || (a.error < b.error ? -1 : 1));
}
