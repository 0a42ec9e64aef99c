import { prepareSql, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow } from '../sqlite/write-row.ts';
import type { StoredPdf } from './statement-pdf.ts';

/** Records the deletion of a PDF by a person. `at` is UTC milliseconds. Must be called in a transaction. */
export function addDeletedPdf(
  books: WritableDb,
  { statement_id, version, sha256, bytes }: StoredPdf,
  { reason, at, user }: { reason: string; at: number; user: string },
): void {
  const row = { statement_id, version, sha256, bytes, deleted_at: at, deleted_by: user, reason };
  insertRow(books, 'archive_deleted', row);
  insertRow(books, 'archive_deletion_due', { statement_id }, 'ON CONFLICT DO NOTHING');
}

/** Person, time (UTC milliseconds) and reason of the latest deletion of a statement's PDFs. */
export interface PdfDeletion {
  deleted_at: number;
  deleted_by: string;
  reason: string;
}

/** Returns the latest deletion of a statement's PDFs, or null if there was none. */
export function findLastPdfDeletion(books: ReadableDb, statement: number): PdfDeletion | null {
  const sql = `SELECT deleted_at, deleted_by, reason FROM archive_deleted WHERE statement_id = ?
       ORDER BY deleted_at DESC LIMIT 1`;
  return select.row<PdfDeletion>(books, sql, statement);
}

export function countStatementsWithDeletedPdf(books: ReadableDb): number {
  return select.value<number>(books, 'SELECT count(DISTINCT statement_id) FROM archive_deleted') ?? 0;
}

/** Returns the statements whose deleted PDFs may still be on disk. */
export function listPendingPdfDeletions(books: ReadableDb): number[] {
  return select.values<number>(books, 'SELECT statement_id FROM archive_deletion_due ORDER BY 1');
}

/** Returns the file hashes of a statement's deleted PDFs. */
export function listDeletedPdfFiles(books: ReadableDb, statement: number): string[] {
  const sql = 'SELECT DISTINCT sha256 FROM archive_deleted WHERE statement_id = ?';
  return select.values<string>(books, sql, statement);
}

export function removePendingPdfDeletion(books: WritableDb, statement: number): void {
  prepareSql(books, 'DELETE FROM archive_deletion_due WHERE statement_id = ?').run(statement);
}
