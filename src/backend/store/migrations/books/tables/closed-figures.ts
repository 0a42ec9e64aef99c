import { createAppendOnlyTriggers, createRejectTrigger } from './append-only-triggers.ts';

export const closedFiguresTables = `
-- Closed figures of a sign-off. signed: the signed text. content and sha256: the complete content, NULL until written.
-- compared_at: time of the last complete comparison with the stored rows. records_read_at: start of the last sync that
-- read every statement of the period again, NULL if none has since the closing.
CREATE TABLE closed_figures (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  period_id INTEGER NOT NULL REFERENCES period (id),
  version INTEGER NOT NULL,
  from_on TEXT,
  until_on TEXT NOT NULL,
  closed_at INTEGER NOT NULL,
  figures TEXT NOT NULL,
  signed TEXT NOT NULL,
  content TEXT,
  sha256 TEXT,
  reopened_at INTEGER,
  compared_at INTEGER,
  records_read_at INTEGER,
  UNIQUE (period_id, version),
  CHECK ((content IS NULL) = (sha256 IS NULL))
) STRICT;
${createRejectTrigger('UPDATE OF period_id, version, from_on, until_on, closed_at, figures, signed, content, sha256', 'closed_figures', 'closed figures cannot be changed', 'OLD.content IS NOT NULL')}
${createRejectTrigger('DELETE', 'closed_figures', 'closed figures cannot be changed', 'OLD.content IS NOT NULL')}

-- Closed rows of one kind in ID order, several per chunk. sha256: of their canonical JSON lines. content: these, deflated.
CREATE TABLE closed_figures_chunk (
  id INTEGER PRIMARY KEY,
  closed_figures_id INTEGER NOT NULL REFERENCES closed_figures (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  first_row INTEGER NOT NULL,
  count INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  content BLOB NOT NULL,
  UNIQUE (closed_figures_id, kind, first_row)
) STRICT;
${createAppendOnlyTriggers('closed_figures_chunk', 'closed figures cannot be changed', '(SELECT content FROM closed_figures WHERE id = OLD.closed_figures_id) IS NOT NULL')}

-- Outstanding items when a period was closed. item: such as payment:17.
CREATE TABLE closed_figures_item (
  closed_figures_id INTEGER NOT NULL REFERENCES closed_figures (id) ON DELETE CASCADE,
  item TEXT NOT NULL,
  currency TEXT NOT NULL,
  dated_on TEXT NOT NULL,
  amount_in_cents INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (closed_figures_id, item)
) STRICT, WITHOUT ROWID;
CREATE INDEX closed_figures_item_dated ON closed_figures_item (closed_figures_id, dated_on, item);
CREATE INDEX closed_figures_item_item ON closed_figures_item (item, closed_figures_id);
${createAppendOnlyTriggers('closed_figures_item', 'closed figures cannot be changed', '(SELECT content FROM closed_figures WHERE id = OLD.closed_figures_id) IS NOT NULL')}

-- Time up to which changed rows were compared with the closed figures.
CREATE TABLE change_watermark (
  source TEXT PRIMARY KEY CHECK (source IN ('statement', 'exception')),
  watermark INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Rows that differ from the closed ones. digest: of the changed row, so that the same change is recorded once.
-- absolute_in_cents: size of the change, NULL if unknown. A moved row counts in full. A statement counts with its largest
-- change of balance, charges or payments.
CREATE TABLE sign_off_change (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  closed_figures_id INTEGER NOT NULL REFERENCES closed_figures (id),
  kind TEXT NOT NULL,
  row INTEGER NOT NULL,
  change TEXT NOT NULL CHECK (change IN ('changed', 'added', 'removed')),
  text TEXT NOT NULL,
  fields TEXT NOT NULL,
  amount_in_cents INTEGER NOT NULL,
  absolute_in_cents INTEGER CHECK (absolute_in_cents >= 0),
  currency TEXT NOT NULL,
  detected_at INTEGER NOT NULL,
  detected_by TEXT NOT NULL,
  detected_job TEXT,
  posted_in TEXT NOT NULL,
  digest TEXT NOT NULL,
  ended_at INTEGER,
  ended_reason TEXT CHECK (ended_reason IN ('reverted', 'superseded', 'reopened')),
  CHECK ((ended_at IS NULL) = (ended_reason IS NULL))
) STRICT;
CREATE UNIQUE INDEX sign_off_change_current ON sign_off_change (closed_figures_id, kind, row) WHERE ended_at IS NULL;
CREATE INDEX sign_off_change_closed_figures ON sign_off_change (closed_figures_id, id);
${createRejectTrigger('DELETE', 'sign_off_change', 'a change since sign-off cannot be deleted')}
`;
