export const cacheArchiveTables = `
-- Versions of a statement's PDF.
CREATE TABLE pdf (
  statement_id INTEGER NOT NULL,
  version INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  fetched_at INTEGER NOT NULL,
  statement_updated_at INTEGER,
  PRIMARY KEY (statement_id, version)
) STRICT, WITHOUT ROWID;

-- Text extracted from an archived PDF, by the file's SHA-256. '' if none could be extracted.
CREATE TABLE pdf_text (
  sha256 TEXT PRIMARY KEY,
  text TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX pdf_sha256 ON pdf (sha256, bytes);

-- Archived files whose text has not been extracted yet.
CREATE TABLE pdf_text_pending (sha256 TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TRIGGER pdf_text_pending_insert AFTER INSERT ON pdf
  WHEN NOT EXISTS (SELECT 1 FROM pdf_text WHERE sha256 = NEW.sha256)
BEGIN
  INSERT INTO pdf_text_pending (sha256) SELECT NEW.sha256
    WHERE NOT EXISTS (SELECT 1 FROM pdf_text_pending WHERE sha256 = NEW.sha256);
END;
CREATE TRIGGER pdf_text_known AFTER INSERT ON pdf
  WHEN EXISTS (SELECT 1 FROM pdf_text WHERE sha256 = NEW.sha256)
BEGIN
  INSERT INTO statement_unindexed (id) SELECT id FROM statement WHERE id = NEW.statement_id
    AND NOT EXISTS (SELECT 1 FROM statement_unindexed WHERE id = NEW.statement_id);
END;
CREATE TRIGGER pdf_text_extracted AFTER INSERT ON pdf_text BEGIN
  DELETE FROM pdf_text_pending WHERE sha256 = NEW.sha256;
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
