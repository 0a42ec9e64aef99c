export const archiveTables = `
-- An export: a selection frozen when it was planned, and what came of it.
CREATE TABLE archive_export (
  id TEXT PRIMARY KEY,
  made_at INTEGER NOT NULL,
  made_by TEXT NOT NULL,
  description TEXT NOT NULL,
  target_kind TEXT NOT NULL CHECK (target_kind IN ('folder', 'zip')),
  target_path TEXT NOT NULL,
  template TEXT NOT NULL,
  merged INTEGER NOT NULL CHECK (merged IN (0, 1)),
  count INTEGER NOT NULL,
  not_stored INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('planned', 'running', 'done', 'failed', 'canceled', 'interrupted')),
  job TEXT,
  ended_at INTEGER,
  result TEXT
) STRICT;

-- Its statements in the order of the index; without a PDF in the archive, sha256 and bytes are NULL. facts: the row of the index.
CREATE TABLE archive_export_item (
  export TEXT NOT NULL REFERENCES archive_export (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  statement_id INTEGER NOT NULL,
  sha256 TEXT,
  bytes INTEGER,
  name TEXT NOT NULL,
  facts TEXT NOT NULL,
  PRIMARY KEY (export, ordinal)
) STRICT, WITHOUT ROWID;

-- When a file of the archive was last read again, and what it was then.
CREATE TABLE archive_check (
  sha256 TEXT PRIMARY KEY,
  checked_at INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('intact', 'damaged', 'missing'))
) STRICT, WITHOUT ROWID;
CREATE INDEX archive_check_wrong ON archive_check (state) WHERE state <> 'intact';

-- What must not be deleted, of one statement or of all of a subscription, until it is lifted.
CREATE TABLE archive_hold (
  id INTEGER PRIMARY KEY,
  statement_id INTEGER,
  subscription_id INTEGER,
  reason TEXT NOT NULL,
  placed_at INTEGER NOT NULL,
  placed_by TEXT NOT NULL,
  lifted_at INTEGER,
  lifted_by TEXT,
  lifted_reason TEXT,
  CHECK ((statement_id IS NULL) <> (subscription_id IS NULL))
) STRICT;
CREATE INDEX archive_hold_statement ON archive_hold (statement_id) WHERE lifted_at IS NULL;
CREATE INDEX archive_hold_subscription ON archive_hold (subscription_id) WHERE lifted_at IS NULL;

-- PDFs deleted by a person; a statement listed here is not fetched again by itself.
CREATE TABLE archive_deleted (
  statement_id INTEGER NOT NULL,
  version INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  deleted_at INTEGER NOT NULL,
  deleted_by TEXT NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (statement_id, version)
) STRICT, WITHOUT ROWID;

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
`;
