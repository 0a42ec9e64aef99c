import type { Job } from '../../../contract/index.ts';
import { prepared, type ReadableDb } from '../database.ts';
import { isoMoment } from '../moment.ts';

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

/** The jobs of a site: those that run or are paused first, then the newest; `limit` at most. */
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

/** Null where there was no such job. */
export function jobOf(books: ReadableDb, site: string, id: string): Job | null {
  const row = prepared<StoredJobRow>(books, 'SELECT * FROM job WHERE id = ?').get(id);
  return row === undefined ? null : shownJob(row, site);
}

function shownJob(row: StoredJobRow, site: string): Job {
  return {
    ...row,
    site,
    started_at: isoMoment(row.started_at),
    ended_at: isoMoment(row.ended_at),
    progress: JSON.parse(row.progress) as Job['progress'],
    error: row.error === null ? null : (JSON.parse(row.error) as Job['error']),
  };
}
