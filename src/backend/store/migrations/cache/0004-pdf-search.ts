import type { WritableDb } from '../../database.ts';

/** A search for statements finds what their PDFs say: the words are drawn behind the writes, and indexed with the statement. */
export function up(db: WritableDb): void {
  db.exec(`
    -- Files of the archive whose words are not drawn yet.
    CREATE TABLE pdf_unread (sha256 TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
    INSERT INTO pdf_unread SELECT DISTINCT sha256 FROM pdf
      WHERE NOT EXISTS (SELECT 1 FROM pdf_words WHERE pdf_words.sha256 = pdf.sha256);
    INSERT INTO statement_unindexed (id) SELECT DISTINCT statement_id FROM pdf
      WHERE EXISTS (SELECT 1 FROM pdf_words WHERE pdf_words.sha256 = pdf.sha256)
        AND EXISTS (SELECT 1 FROM statement WHERE id = statement_id)
        AND NOT EXISTS (SELECT 1 FROM statement_unindexed WHERE id = statement_id);

    CREATE TRIGGER pdf_unread_new AFTER INSERT ON pdf
      WHEN NOT EXISTS (SELECT 1 FROM pdf_words WHERE sha256 = NEW.sha256)
    BEGIN
      INSERT INTO pdf_unread (sha256) SELECT NEW.sha256
        WHERE NOT EXISTS (SELECT 1 FROM pdf_unread WHERE sha256 = NEW.sha256);
    END;
    CREATE TRIGGER pdf_known_words AFTER INSERT ON pdf
      WHEN EXISTS (SELECT 1 FROM pdf_words WHERE sha256 = NEW.sha256)
    BEGIN
      INSERT INTO statement_unindexed (id) SELECT id FROM statement WHERE id = NEW.statement_id
        AND NOT EXISTS (SELECT 1 FROM statement_unindexed WHERE id = NEW.statement_id);
    END;
    CREATE TRIGGER pdf_words_drawn AFTER INSERT ON pdf_words BEGIN
      DELETE FROM pdf_unread WHERE sha256 = NEW.sha256;
      INSERT INTO statement_unindexed (id) SELECT DISTINCT statement_id FROM pdf
        WHERE pdf.sha256 = NEW.sha256
          AND EXISTS (SELECT 1 FROM statement WHERE id = statement_id)
          AND NOT EXISTS (SELECT 1 FROM statement_unindexed WHERE id = statement_id);
    END;
  `);
}
