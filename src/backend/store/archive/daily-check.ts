import { prepare, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';

/** Progress of the daily check: the last file read is `after`. `granted_at` is UTC milliseconds. */
export interface DailyCheckProgress {
  after: string;
  due: number;
  granted_at: number;
}

export function getDailyCheck(books: ReadableDb): DailyCheckProgress | null {
  const sql = 'SELECT "after", due, granted_at FROM archive_daily_check';
  return select.row<DailyCheckProgress>(books, sql);
}

export function saveDailyCheck(books: WritableDb, { after, due, granted_at }: DailyCheckProgress): void {
  const sql = `INSERT INTO archive_daily_check (one, "after", due, granted_at) VALUES (1, ?, ?, ?)
     ON CONFLICT (one) DO UPDATE SET "after" = excluded."after", due = excluded.due, granted_at = excluded.granted_at`;
  prepare(books, sql).run(after, due, granted_at);
}

/** Returns the number of files. A file shared by several statements counts once. */
export function countArchiveFiles(cache: ReadableDb): number {
  return select.value<number>(cache, 'SELECT count(DISTINCT sha256) FROM pdf') ?? 0;
}

/** Returns the next files after one in order of their hashes, starting over at the end. */
export function listFilesAfter(cache: ReadableDb, after: string, limit: number): string[] {
  const sql = 'SELECT DISTINCT sha256 FROM pdf WHERE sha256 > ? ORDER BY sha256 LIMIT ?';
  const next = prepare<string>(cache, sql).pluck();
  const found = next.all(after, limit);
  if (found.length === limit || after === '') return found;
  // Continue from the start, but return no file twice.
  const begun = next.all('', limit - found.length).filter((sha256) => sha256 <= after);
  return [...found, ...begun];
}
