import { prepare, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow } from '../sqlite/write-row.ts';
import type { StoredPdf } from './pdf.ts';

/** Records that a person deleted a PDF. `at` is UTC milliseconds. Must be called in a transaction. */
export function addDeletedPdf(
  books: WritableDb,
  { statement_id, version, sha256, bytes }: StoredPdf,
  { reason, at, user }: { reason: string; at: number; user: string },
): void {
  const row = { statement_id, version, sha256, bytes, deleted_at: at, deleted_by: user, reason };
  insertRow(books, 'archive_deleted', row);
  insertRow(books, 'archive_deletion_due', { statement_id }, 'ON CONFLICT DO NOTHING');
}

/** Who last deleted a statement's PDFs, when (UTC milliseconds), and why. */
export interface PdfDeletion {
  deleted_at: number;
  deleted_by: string;
  reason: string;
}

/** Returns null if nobody did. */
export function findLastDeletion(books: ReadableDb, statement: number): PdfDeletion | null {
  const sql = `SELECT deleted_at, deleted_by, reason FROM archive_deleted WHERE statement_id = ?
       ORDER BY deleted_at DESC LIMIT 1`;
  return select.row<PdfDeletion>(books, sql, statement);
}

export function countStatementsWithDeletedPdf(books: ReadableDb): number {
  return select.value<number>(books, 'SELECT count(DISTINCT statement_id) FROM archive_deleted') ?? 0;
}

/** Returns the statements with deleted PDFs that may still be on the disk. */
export function listPendingDeletions(books: ReadableDb): number[] {
  return select.values<number>(books, 'SELECT statement_id FROM archive_deletion_due ORDER BY 1');
}

/** Returns the files of a statement's deleted PDFs. */
export function listDeletedFiles(books: ReadableDb, statement: number): string[] {
  const sql = 'SELECT DISTINCT sha256 FROM archive_deleted WHERE statement_id = ?';
  return select.values<string>(books, sql, statement);
}

export function removePendingDeletion(books: WritableDb, statement: number): void {
  prepare(books, 'DELETE FROM archive_deletion_due WHERE statement_id = ?').run(statement);
}
