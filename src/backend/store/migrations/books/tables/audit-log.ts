export const auditLogTables = `
-- Append-only; each entry carries the hash of the one before it.
CREATE TABLE audit (
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  detail TEXT NOT NULL,
  previous_hash TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  user TEXT NOT NULL DEFAULT '',
  reason TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TRIGGER audit_never_changes BEFORE UPDATE ON audit BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;
CREATE TRIGGER audit_never_shrinks BEFORE DELETE ON audit BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;
CREATE INDEX audit_action ON audit (action);
CREATE INDEX audit_subject ON audit (subject);
CREATE TRIGGER audit_only_grows BEFORE INSERT ON audit
  WHEN EXISTS (SELECT 1 FROM audit WHERE seq = NEW.seq OR hash = NEW.hash)
    OR NEW.previous_hash <> (SELECT hash FROM audit ORDER BY seq DESC LIMIT 1)
BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;

-- The end of the audit log, so that entries taken off its end are missed.
CREATE TABLE audit_head (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  seq INTEGER NOT NULL,
  hash TEXT NOT NULL
) STRICT;
CREATE TRIGGER audit_head_moves AFTER INSERT ON audit BEGIN
  INSERT INTO audit_head VALUES (1, NEW.seq, NEW.hash)
    ON CONFLICT (one) DO UPDATE SET seq = excluded.seq, hash = excluded.hash;
END;
CREATE TRIGGER audit_head_stays BEFORE DELETE ON audit_head BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;
`;
