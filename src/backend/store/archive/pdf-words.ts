import type { CheckUnit } from '../check-queue/check-due.ts';
import { prepared, type ReadableDb, type WritableDb } from '../sqlite/connection.ts';

/** Returns the SHA-256 of current PDFs of these units' statements whose text was not extracted yet. */
export function pdfsWithoutWords(db: ReadableDb, units: readonly CheckUnit[]): string[] {
  return prepared<string>(
    db,
    `SELECT DISTINCT sha256 FROM json_each(?) AS wanted
     CROSS JOIN statement INDEXED BY statement_subscription ON statement.subscription_id = wanted.value
     CROSS JOIN pdf ON pdf.statement_id = statement.id
       AND ifnull(pdf.statement_updated_at, -1) >= ifnull(statement.updated_at, -1)
     WHERE NOT EXISTS (SELECT 1 FROM pdf_words WHERE pdf_words.sha256 = pdf.sha256)`,
  )
    .pluck()
    .all(JSON.stringify(units));
}

/** Saves the text of a PDF. Empty if none could be extracted. */
export function keepWords(db: WritableDb, sha256: string, words: string): void {
  prepared(db, 'INSERT INTO pdf_words (sha256, words) VALUES (?, ?) ON CONFLICT (sha256) DO NOTHING').run(
    sha256,
    words,
  );
}

/** Returns archived files whose text was not extracted yet. */
export function unreadPdfs(db: ReadableDb, limit: number): string[] {
  return prepared<string>(db, 'SELECT sha256 FROM pdf_unread LIMIT ?').pluck().all(limit);
}

/** Skips an unreadable file. It is tried again after it is downloaded again. */
export function passOverPdf(db: WritableDb, sha256: string): void {
  prepared(db, 'DELETE FROM pdf_unread WHERE sha256 = ?').run(sha256);
}
