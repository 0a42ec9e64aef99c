export const workpaperTables = `
-- At most one row. content: settings as JSON.
CREATE TABLE workpaper_settings (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  content TEXT NOT NULL,
  set_at INTEGER NOT NULL,
  set_by TEXT NOT NULL
) STRICT;

-- Evidence packs written by a job. result: JSON.
CREATE TABLE pack (
  job TEXT PRIMARY KEY,
  period TEXT NOT NULL,
  made_at INTEGER NOT NULL,
  result TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX pack_made ON pack (made_at);
`;
