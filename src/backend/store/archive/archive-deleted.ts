import { prepared, type ReadableDb, type WritableDb } from '../sqlite/connection.ts';
import type { StoredPdf } from './pdf.ts';

/** Records that a person deleted a PDF. `at` is UTC milliseconds. Must be called inside `commit`. */
export function addDeleted(
  books: WritableDb,
  { statement_id, version, sha256, bytes }: StoredPdf,
  { reason, at, user }: { reason: string; at: number; user: string },
): void {
  prepared(
    books,
    `INSERT INTO archive_deleted (statement_id, version, sha256, bytes, deleted_at, deleted_by, reason)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  ).run(statement_id, version, sha256, bytes, at, user, reason);
  prepared(books, 'INSERT INTO archive_deletion_due (statement_id) VALUES (?) ON CONFLICT DO NOTHING').run(
    statement_id,
  );
}

/** Who last deleted a statement's PDFs, when (UTC milliseconds), and why. */
export interface Deletion {
  deleted_at: number;
  deleted_by: string;
  reason: string;
}

/** Returns null if nobody did. */
export function lastDeletion(books: ReadableDb, statement: number): Deletion | null {
  return (
    prepared<Deletion>(
      books,
      `SELECT deleted_at, deleted_by, reason FROM archive_deleted WHERE statement_id = ?
       ORDER BY deleted_at DESC LIMIT 1`,
    ).get(statement) ?? null
  );
}

export function countDeleted(books: ReadableDb): number {
  return (
    prepared<number>(books, 'SELECT count(DISTINCT statement_id) FROM archive_deleted').pluck().get() ?? 0
  );
}

/** Returns the statements with deleted PDFs that may still be on the disk. */
export function deletionsDue(books: ReadableDb): number[] {
  return prepared<number>(books, 'SELECT statement_id FROM archive_deletion_due ORDER BY 1').pluck().all();
}

/** Returns the files of a statement's deleted PDFs. */
export function deletedFiles(books: ReadableDb, statement: number): string[] {
  return prepared<string>(books, 'SELECT DISTINCT sha256 FROM archive_deleted WHERE statement_id = ?')
    .pluck()
    .all(statement);
}

export function deletionDone(books: WritableDb, statement: number): void {
  prepared(books, 'DELETE FROM archive_deletion_due WHERE statement_id = ?').run(statement);
}
