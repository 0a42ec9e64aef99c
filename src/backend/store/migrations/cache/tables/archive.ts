export const archiveTables = `
-- Each rendering of a statement's PDF; a new one is a new version.
CREATE TABLE pdf (
  statement_id INTEGER NOT NULL,
  version INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  fetched_at INTEGER NOT NULL,
  statement_updated_at INTEGER,
  PRIMARY KEY (statement_id, version)
) STRICT, WITHOUT ROWID;

-- The words drawn from a PDF of the archive, by what the PDF holds. '' where none could be drawn.
CREATE TABLE pdf_words (
  sha256 TEXT PRIMARY KEY,
  words TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX pdf_sha256 ON pdf (sha256, bytes);

-- Files of the archive whose words are not drawn yet.
CREATE TABLE pdf_unread (sha256 TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
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

CREATE TABLE pdf_deleted (
  statement_id INTEGER PRIMARY KEY,
  version INTEGER NOT NULL
) STRICT;
`;
