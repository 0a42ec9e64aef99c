export const syncTables = `
CREATE TABLE sync_part (
  part TEXT PRIMARY KEY,
  synced_at INTEGER,
  expected INTEGER,
  complete INTEGER NOT NULL CHECK (complete IN (0, 1)),
  checkpoint TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE sync_unit (
  part TEXT NOT NULL,
  unit TEXT NOT NULL,
  state TEXT NOT NULL,
  checkpoint TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (part, unit)
) STRICT, WITHOUT ROWID;
CREATE INDEX sync_unit_state ON sync_unit (part, state);

CREATE TABLE sync_run (
  job TEXT PRIMARY KEY,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  state TEXT NOT NULL CHECK (state IN ('running', 'done', 'failed', 'canceled', 'interrupted')),
  requests TEXT NOT NULL,
  rows TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  complete INTEGER NOT NULL CHECK (complete IN (0, 1)),
  error TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX sync_run_started ON sync_run (started_at);

-- Records that could not be read, one row per location. A row is deleted when its location is read successfully.
CREATE TABLE problem (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  part TEXT NOT NULL,
  location TEXT NOT NULL,
  reason TEXT NOT NULL,
  raw TEXT,
  seen_at INTEGER NOT NULL,
  job TEXT,
  UNIQUE (part, location)
) STRICT;
CREATE INDEX problem_job ON problem (job);
`;
