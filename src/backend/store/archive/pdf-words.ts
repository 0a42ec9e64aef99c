import type { CheckUnit } from '../checks/check-due.ts';
import { prepared, type ReadableDb, type WritableDb } from '../database.ts';

/** PDFs of these subscriptions’ statements, as the statements are now, whose words were not drawn yet: their SHA-256. */
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

/** Keeps the words of a PDF; '' where none could be drawn. */
export function keepWords(db: WritableDb, sha256: string, words: string): void {
  prepared(db, 'INSERT INTO pdf_words (sha256, words) VALUES (?, ?) ON CONFLICT (sha256) DO NOTHING').run(
    sha256,
    words,
  );
}

/** Files of the archive whose words are not drawn yet. */
export function unreadPdfs(db: ReadableDb, limit: number): string[] {
  return prepared<string>(db, 'SELECT sha256 FROM pdf_unread LIMIT ?').pluck().all(limit);
}

/** Gives up on a file that cannot be read now; fetched again, it is tried again. */
export function passOverPdf(db: WritableDb, sha256: string): void {
  prepared(db, 'DELETE FROM pdf_unread WHERE sha256 = ?').run(sha256);
}
