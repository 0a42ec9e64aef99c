import type { WritableDb } from '../../database.ts';

/** The statements a file of the archive belongs to are found by the file. */
export function up(db: WritableDb): void {
  db.exec('CREATE INDEX pdf_sha256 ON pdf (sha256, bytes)');
}
