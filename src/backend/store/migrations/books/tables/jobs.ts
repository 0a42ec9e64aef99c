export const jobTables = `
CREATE TABLE job (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  state TEXT NOT NULL
    CHECK (state IN ('running', 'paused', 'done', 'failed', 'canceled', 'interrupted')),
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  progress TEXT NOT NULL,
  rate REAL,
  remaining_ms INTEGER,
  summary TEXT,
  error TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX job_started ON job (started_at);
CREATE INDEX job_live ON job (state) WHERE state IN ('running', 'paused');
`;
