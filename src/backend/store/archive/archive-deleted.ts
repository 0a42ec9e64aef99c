import { prepared, type ReadableDb, type WritableDb } from '../database.ts';
import type { StoredPdf } from './pdf.ts';

/** Keeps that a person deleted a rendering. `at` in ms UTC. To be called inside `commit`. */
export function addDeleted(
  books: WritableDb,
  { statement_id, version, sha256, bytes }: StoredPdf,
  { reason, at, who }: { reason: string; at: number; who: string },
): void {
  prepared(
    books,
    `INSERT INTO archive_deleted (statement_id, version, sha256, bytes, deleted_at, deleted_by, reason)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  ).run(statement_id, version, sha256, bytes, at, who, reason);
  prepared(books, 'INSERT INTO archive_deletion_due (statement_id) VALUES (?) ON CONFLICT DO NOTHING').run(
    statement_id,
  );
}

/** Who deleted a statement's PDFs last, when (ms UTC), and why. */
export interface Deletion {
  deleted_at: number;
  deleted_by: string;
  reason: string;
}

/** Null where nobody did. */
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

/** Statements whose PDFs were deleted and may still be on the disk. */
export function deletionsDue(books: ReadableDb): number[] {
  return prepared<number>(books, 'SELECT statement_id FROM archive_deletion_due ORDER BY 1').pluck().all();
}

/** The files that a statement's deleted PDFs stood in. */
export function deletedFiles(books: ReadableDb, statement: number): string[] {
  return prepared<string>(books, 'SELECT DISTINCT sha256 FROM archive_deleted WHERE statement_id = ?')
    .pluck()
    .all(statement);
}

export function deletionDone(books: WritableDb, statement: number): void {
  prepared(books, 'DELETE FROM archive_deletion_due WHERE statement_id = ?').run(statement);
}
