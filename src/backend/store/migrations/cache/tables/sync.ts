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

-- Requests whose responses delivered statements or the list of their IDs. A repeated request for a page of IDs replaces the
-- earlier one. The other requests stay, because a statement remains stored as long as later responses do not change it.
CREATE TABLE service_request (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('statement_ids', 'statements', 'statement')),
  path TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  server_at INTEGER,
  rows INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL
) STRICT;
CREATE INDEX service_request_started ON service_request (started_at);
CREATE UNIQUE INDEX service_request_ids ON service_request (path) WHERE kind = 'statement_ids';

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

-- Events from the service's events feed, read for time ranges in which webhooks are missing.
CREATE TABLE feed_event (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  subscription_id INTEGER,
  message TEXT,
  event_specific_data TEXT NOT NULL
) STRICT;
CREATE INDEX feed_event_created ON feed_event (created_at);

-- Time ranges for which the events feed was requested, with the outcome of the latest request.
CREATE TABLE feed_range (
  from_at INTEGER NOT NULL,
  to_at INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('complete', 'incomplete', 'unavailable')),
  read_at INTEGER NOT NULL,
  PRIMARY KEY (from_at, to_at)
) STRICT, WITHOUT ROWID;
`;
