import type { WritableDb } from '../../database.ts';

/** How long the PDFs of the archive are kept, how far the daily reading has come round, and deletions not carried out yet. */
export function up(db: WritableDb): void {
  db.exec(`
    -- One row, once somebody has decided. years: from the document's date; NULL: without end.
    CREATE TABLE archive_policy (
      one INTEGER PRIMARY KEY CHECK (one = 1),
      years INTEGER,
      set_at INTEGER NOT NULL,
      set_by TEXT NOT NULL
    ) STRICT;

    -- One row. The daily reading goes round the files in the order of their hashes: it stands behind "after" and has
    -- "due" files still to read of what it was given at granted_at.
    CREATE TABLE archive_round (
      one INTEGER PRIMARY KEY CHECK (one = 1),
      after TEXT NOT NULL,
      due INTEGER NOT NULL,
      granted_at INTEGER NOT NULL
    ) STRICT;

    -- Statements whose PDFs a person has deleted, until they are gone from the disk.
    CREATE TABLE archive_deletion_due (statement_id INTEGER PRIMARY KEY) STRICT;
  `);
}
