import type { CheckQueueUnit } from '../check-queue/check-due.ts';
import { prepare, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';

/** Returns the SHA-256 of current PDFs of these units' statements whose text was not extracted yet. */
export function listPdfsWithoutText(db: ReadableDb, units: readonly CheckQueueUnit[]): string[] {
  const sql = `SELECT DISTINCT sha256 FROM json_each(?) AS wanted
     CROSS JOIN statement INDEXED BY statement_subscription ON statement.subscription_id = wanted.value
     CROSS JOIN pdf ON pdf.statement_id = statement.id
       AND ifnull(pdf.statement_updated_at, -1) >= ifnull(statement.updated_at, -1)
     WHERE NOT EXISTS (SELECT 1 FROM pdf_text WHERE pdf_text.sha256 = pdf.sha256)`;
  return select.values<string>(db, sql, JSON.stringify(units));
}

/** Saves the text of a PDF. Empty if none could be extracted. */
export function savePdfText(db: WritableDb, sha256: string, words: string): void {
  prepare(db, 'INSERT INTO pdf_text (sha256, text) VALUES (?, ?) ON CONFLICT (sha256) DO NOTHING').run(
    sha256,
    words,
  );
}

/** Returns archived files whose text was not extracted yet. */
export function listPendingPdfs(db: ReadableDb, limit: number): string[] {
  return select.values<string>(db, 'SELECT sha256 FROM pdf_text_pending LIMIT ?', limit);
}

/** Skips an unreadable file. It is tried again after it is downloaded again. */
export function skipPendingPdf(db: WritableDb, sha256: string): void {
  prepare(db, 'DELETE FROM pdf_text_pending WHERE sha256 = ?').run(sha256);
}
