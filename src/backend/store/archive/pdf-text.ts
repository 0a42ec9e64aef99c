import type { CheckQueueUnit } from '../check-queue/check-queue.ts';
import { prepareSql, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';

/** Returns the hashes of these subscriptions' current statement PDFs whose text has not been extracted. */
export function listPdfsWithoutText(db: ReadableDb, units: readonly CheckQueueUnit[]): string[] {
  const sql = `SELECT DISTINCT sha256 FROM json_each(?) AS wanted
     CROSS JOIN statement INDEXED BY statement_subscription ON statement.subscription_id = wanted.value
     CROSS JOIN pdf ON pdf.statement_id = statement.id
       AND ifnull(pdf.statement_updated_at, -1) >= ifnull(statement.updated_at, -1)
     WHERE NOT EXISTS (SELECT 1 FROM pdf_text WHERE pdf_text.sha256 = pdf.sha256)`;
  return select.values<string>(db, sql, JSON.stringify(units));
}

/** Saves the extracted text of a PDF, or an empty string if nothing could be extracted. */
export function savePdfText(db: WritableDb, sha256: string, words: string): void {
  prepareSql(db, 'INSERT INTO pdf_text (sha256, text) VALUES (?, ?) ON CONFLICT (sha256) DO NOTHING').run(
    sha256,
    words,
  );
}

/** Returns the hashes of archived PDFs whose text has not been extracted yet. */
export function listPdfsToExtract(db: ReadableDb, limit: number): string[] {
  return select.values<string>(db, 'SELECT sha256 FROM pdf_text_pending LIMIT ?', limit);
}

/** Skips the text extraction of an unreadable PDF until the PDF is downloaded again. */
export function skipPdfTextExtraction(db: WritableDb, sha256: string): void {
  prepareSql(db, 'DELETE FROM pdf_text_pending WHERE sha256 = ?').run(sha256);
}
