export const workpapersTables = `
-- One row, once somebody has set them. content: JSON as the contract has it.
CREATE TABLE workpaper_settings (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  content TEXT NOT NULL,
  set_at INTEGER NOT NULL,
  set_by TEXT NOT NULL
) STRICT;

-- A pack that was written, by the job that wrote it. result: JSON as the contract has it.
CREATE TABLE pack (
  job TEXT PRIMARY KEY,
  period TEXT NOT NULL,
  made_at INTEGER NOT NULL,
  result TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX pack_made ON pack (made_at);
`;
