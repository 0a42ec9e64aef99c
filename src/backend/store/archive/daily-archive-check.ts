import { prepareSql, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';

/**
 * Progress of the daily archive check: last checked file, number of files left today, and when they became due (UTC
 * milliseconds).
 */
export interface DailyArchiveCheckProgress {
  after: string;
  due: number;
  granted_at: number;
}

export function getDailyArchiveCheck(books: ReadableDb): DailyArchiveCheckProgress | null {
  const sql = 'SELECT "after", due, granted_at FROM archive_daily_check';
  return select.row<DailyArchiveCheckProgress>(books, sql);
}

export function saveDailyArchiveCheck(
  books: WritableDb,
  { after, due, granted_at }: DailyArchiveCheckProgress,
): void {
  const sql = `INSERT INTO archive_daily_check (one, "after", due, granted_at) VALUES (1, ?, ?, ?)
     ON CONFLICT (one) DO UPDATE SET "after" = excluded."after", due = excluded.due, granted_at = excluded.granted_at`;
  prepareSql(books, sql).run(after, due, granted_at);
}

/** Returns the number of archived files. A file shared by several statements counts once. */
export function countArchiveFiles(cache: ReadableDb): number {
  return select.value<number>(cache, 'SELECT count(DISTINCT sha256) FROM pdf') ?? 0;
}

/** Returns the archived files after `after` in hash order. Starts over at the end. */
export function listArchiveFilesAfter(cache: ReadableDb, after: string, limit: number): string[] {
  const sql = 'SELECT DISTINCT sha256 FROM pdf WHERE sha256 > ? ORDER BY sha256 LIMIT ?';
  const next = prepareSql<string>(cache, sql).pluck();
  const found = next.all(after, limit);
  if (found.length === limit || after === '') return found;
  // Continues from the first file, but returns no file twice.
  const begun = next.all('', limit - found.length).filter((sha256) => sha256 <= after);
  return [...found, ...begun];
}
