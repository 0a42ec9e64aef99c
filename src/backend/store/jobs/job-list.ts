import type { Job } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { prepared, type ReadableDb } from '../sqlite/connection.ts';

interface StoredJobRow {
  id: string;
  kind: Job['kind'];
  state: Job['state'];
  started_at: number;
  ended_at: number | null;
  progress: string;
  rate: number | null;
  remaining_ms: number | null;
  summary: string | null;
  error: string | null;
}

/** Returns at most `limit` jobs of a site: running and paused ones first, then the newest. */
export function listJobs(books: ReadableDb, site: string, limit: number): Job[] {
  const live = prepared<StoredJobRow>(
    books,
    "SELECT * FROM job WHERE state IN ('running', 'paused') ORDER BY started_at DESC, id DESC LIMIT ?",
  ).all(limit);
  const ended = prepared<StoredJobRow>(
    books,
    `SELECT * FROM job WHERE state NOT IN ('running', 'paused') ORDER BY started_at DESC, id DESC LIMIT ?`,
  ).all(limit - live.length);
  return [...live, ...ended].map((row) => shownJob(row, site));
}

/** Returns null if the job does not exist. */
export function jobOf(books: ReadableDb, site: string, id: string): Job | null {
  const row = prepared<StoredJobRow>(books, 'SELECT * FROM job WHERE id = ?').get(id);
  return row === undefined ? null : shownJob(row, site);
}

function shownJob(row: StoredJobRow, site: string): Job {
  return {
    ...row,
    site,
    started_at: formatTimestamp(row.started_at),
    ended_at: formatTimestamp(row.ended_at),
    progress: JSON.parse(row.progress) as Job['progress'],
    error: row.error === null ? null : (JSON.parse(row.error) as Job['error']),
  };
}
