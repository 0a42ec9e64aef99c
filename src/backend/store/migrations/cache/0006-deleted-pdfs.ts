import type { WritableDb } from '../../database.ts';

/** Statements whose PDFs a person has deleted: they are not fetched again by themselves, and their numbers of versions go on. */
export function up(db: WritableDb): void {
  db.exec(`
    CREATE TABLE pdf_deleted (
      statement_id INTEGER PRIMARY KEY,
      version INTEGER NOT NULL
    ) STRICT;
  `);
}
