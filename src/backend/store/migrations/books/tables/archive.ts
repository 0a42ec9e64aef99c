export const booksArchiveTables = `
-- Archive export: the selection when it was planned, and its result.
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

-- Statements of an export in index order. sha256 and bytes are NULL if no PDF is archived. facts: row of the index file.
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

-- Result of the last integrity check of each archived file.
CREATE TABLE archive_check (
  sha256 TEXT PRIMARY KEY,
  checked_at INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('intact', 'damaged', 'missing'))
) STRICT, WITHOUT ROWID;
CREATE INDEX archive_check_wrong ON archive_check (state) WHERE state <> 'intact';

-- Holds: PDFs of a statement or subscription that must not be deleted until the hold is lifted.
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

-- PDFs deleted by a user. They are not downloaded again automatically.
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

-- At most one row. years: retention from the document's date. NULL: unlimited.
CREATE TABLE archive_policy (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  years INTEGER,
  set_at INTEGER NOT NULL,
  set_by TEXT NOT NULL
) STRICT;

-- At most one row. The daily check reads all files in the order of their hashes: "after" is the last hash read, and "due" is
-- the number of files left of the quota granted at granted_at.
CREATE TABLE archive_daily_check (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  after TEXT NOT NULL,
  due INTEGER NOT NULL,
  granted_at INTEGER NOT NULL
) STRICT;

-- Statements whose PDFs a user deleted but which are still on disk.
CREATE TABLE archive_deletion_due (statement_id INTEGER PRIMARY KEY) STRICT;
`;
