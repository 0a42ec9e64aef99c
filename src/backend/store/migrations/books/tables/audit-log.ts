import { createAppendOnlyTriggers, createRejectTrigger } from './append-only-triggers.ts';

export const auditLogTables = `
-- Append-only. Each entry contains the hash of the previous one.
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
${createAppendOnlyTriggers('audit', 'the audit log is append-only')}
CREATE INDEX audit_action ON audit (action);
CREATE INDEX audit_subject ON audit (subject);
CREATE TRIGGER audit_chain_insert BEFORE INSERT ON audit
  WHEN EXISTS (SELECT 1 FROM audit WHERE seq = NEW.seq OR hash = NEW.hash)
    OR NEW.previous_hash <> (SELECT hash FROM audit ORDER BY seq DESC LIMIT 1)
BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;

-- Last entry of the audit log, to detect removed entries at its end. subtrees: roots of the complete subtrees of the log's
-- Merkle tree, largest first, 32 bytes each.
CREATE TABLE audit_head (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  seq INTEGER NOT NULL,
  hash TEXT NOT NULL,
  subtrees BLOB NOT NULL DEFAULT x''
) STRICT;
CREATE TRIGGER audit_head_update AFTER INSERT ON audit BEGIN
  INSERT INTO audit_head (one, seq, hash) VALUES (1, NEW.seq, NEW.hash)
    ON CONFLICT (one) DO UPDATE SET seq = excluded.seq, hash = excluded.hash;
END;
${createRejectTrigger('DELETE', 'audit_head', 'the audit log is append-only')}
`;
