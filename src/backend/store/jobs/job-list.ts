import type { Job } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';
import type { StoredJob } from './job.ts';

/** A row of the `job` table, with its JSON columns as text. */
export type StoredJobRow = Omit<StoredJob, 'progress' | 'error'> & { progress: string; error: string | null };

/** Returns at most `limit` jobs of a site: running and paused jobs first, then the newest. */
export function listJobs(books: ReadableDb, site: string, limit: number): Job[] {
  const list = (states: string, count: number) => {
    const sql = `SELECT * FROM job WHERE state ${states} ORDER BY started_at DESC, id DESC LIMIT ?`;
    return select.rows<StoredJobRow>(books, sql, count);
  };
  const live = list("IN ('running', 'paused')", limit);
  const ended = list("NOT IN ('running', 'paused')", limit - live.length);
  return [...live, ...ended].map((row) => toJob(row, site));
}

export function getJob(books: ReadableDb, site: string, id: string): Job | null {
  const row = prepareSql<StoredJobRow>(books, 'SELECT * FROM job WHERE id = ?').get(id);
  return row === undefined ? null : toJob(row, site);
}

function toJob(row: StoredJobRow, site: string): Job {
  return {
    ...row,
    site,
    started_at: formatTimestamp(row.started_at),
    ended_at: formatTimestamp(row.ended_at),
    progress: JSON.parse(row.progress) as Job['progress'],
    error: row.error === null ? null : (JSON.parse(row.error) as Job['error']),
  };
}
