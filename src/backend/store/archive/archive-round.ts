import { prepared, type ReadableDb, type WritableDb } from '../sqlite/connection.ts';

/** Progress of the daily check: the last file read is `after`. `granted_at` is UTC milliseconds. */
export interface StoredRound {
  after: string;
  due: number;
  granted_at: number;
}

export function archiveRound(books: ReadableDb): StoredRound | null {
  return prepared<StoredRound>(books, 'SELECT "after", due, granted_at FROM archive_round').get() ?? null;
}

export function saveRound(books: WritableDb, { after, due, granted_at }: StoredRound): void {
  prepared(
    books,
    `INSERT INTO archive_round (one, "after", due, granted_at) VALUES (1, ?, ?, ?)
     ON CONFLICT (one) DO UPDATE SET "after" = excluded."after", due = excluded.due, granted_at = excluded.granted_at`,
  ).run(after, due, granted_at);
}

/** Returns the number of files. A file shared by several statements counts once. */
export function countFiles(cache: ReadableDb): number {
  return prepared<number>(cache, 'SELECT count(DISTINCT sha256) FROM pdf').pluck().get() ?? 0;
}

/** Returns the next files after one in order of their hashes, starting over at the end. */
export function filesBehind(cache: ReadableDb, after: string, limit: number): string[] {
  const next = prepared<string>(
    cache,
    'SELECT DISTINCT sha256 FROM pdf WHERE sha256 > ? ORDER BY sha256 LIMIT ?',
  ).pluck();
  const found = next.all(after, limit);
  if (found.length === limit || after === '') return found;
  // Continue from the start, but return no file twice.
  const begun = next.all('', limit - found.length).filter((sha256) => sha256 <= after);
  return [...found, ...begun];
}
