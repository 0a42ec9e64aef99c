/**
 * SQL for a time's text: stored as such, or as the UTC offset in minutes from which it follows. `datetime` takes half as
 * long as `strftime`.
 */
const timeText = (at: string, stored: string) => `iif(typeof(${stored}) = 'integer',
    replace(datetime(${at} / 1000 + ${stored} * 60, 'unixepoch'), ' ', 'T')
      || printf('%s%02d:%02d', iif(${stored} < 0, '-', '+'), abs(${stored}) / 60, abs(${stored}) % 60),
    ${stored})`;

export const webhookTables = `
-- Combinations of event, delivery state and URL (without its query), with the number of webhooks in each.
-- Lists, facets and totals of the webhook log use this table.
CREATE TABLE webhook_class (
  id INTEGER PRIMARY KEY,
  event TEXT NOT NULL,
  delivery INTEGER NOT NULL CHECK (delivery IN (0, 1, 2)),
  url TEXT NOT NULL,
  count INTEGER NOT NULL DEFAULT 0,
  UNIQUE (event, delivery, url)
) STRICT;

-- Normalized error messages and the number of webhooks with each.
CREATE TABLE webhook_error (
  id INTEGER PRIMARY KEY,
  error TEXT NOT NULL UNIQUE,
  count INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Dictionaries for compressing bodies, and the number of webhooks stored when each was made. Never changed or deleted.
CREATE TABLE webhook_body_dictionary (
  id INTEGER PRIMARY KEY,
  dictionary BLOB NOT NULL,
  webhooks INTEGER NOT NULL
) STRICT;

-- Instants that are missing or unreadable are 0 in sorted columns.
-- Rows are stored in as few bytes and steps as possible: accepted_at_text is NULL if it equals last_sent_at_text, and
-- last_sent_url is NULL if it equals the URL of the class. A stored time is its UTC offset in minutes if its text follows
-- from it, and a stored signature is its bytes if its text is hexadecimal. Checks avoid IN lists of more than two values, because SQLite
-- builds a temporary table for them for every row: a fifth of the time to store a webhook.
-- Classes and errors are never deleted, so they are not declared as foreign keys.
CREATE TABLE webhook (
  id INTEGER PRIMARY KEY,
  class_id INTEGER NOT NULL,
  error_id INTEGER,
  successful INTEGER NOT NULL CHECK (successful IN (0, 1)),
  delivery INTEGER NOT NULL CHECK (delivery BETWEEN 0 AND 2),
  created_at INTEGER NOT NULL,
  accepted_at INTEGER,
  last_sent_at INTEGER NOT NULL,
  last_error_at INTEGER,
  subscription_id INTEGER,
  statement_id INTEGER,
  component_id INTEGER,
  read_at INTEGER NOT NULL,
  event TEXT NOT NULL,
  stored_created_at_text ANY,
  accepted_at_text TEXT,
  stored_last_sent_at_text ANY,
  last_error_at_text TEXT,
  last_sent_url TEXT,
  last_error TEXT,
  stored_signature ANY,
  extra TEXT NOT NULL DEFAULT '{}',
  body_form TEXT NOT NULL DEFAULT 'form'
    CHECK (body_form = 'form' OR body_form = 'json' OR body_form = 'object' OR body_form = 'unreadable'),
  -- Facts in the body about a statement and its transactions (JSON), or '' if it has none.
  body_facts TEXT NOT NULL DEFAULT '',
  body_dictionary INTEGER,
  -- Text, or bytes compressed with the dictionary (zlib, RFC 1950).
  body ANY NOT NULL CHECK (typeof(body) = iif(body_dictionary IS NULL, 'text', 'blob')),
  created_at_text TEXT AS (${timeText('created_at', 'stored_created_at_text')}) VIRTUAL,
  last_sent_at_text TEXT AS (${timeText('last_sent_at', 'stored_last_sent_at_text')}) VIRTUAL,
  signature TEXT AS (iif(typeof(stored_signature) = 'blob', lower(hex(stored_signature)), stored_signature)) VIRTUAL
) STRICT;
-- Each sort order has an index that starts with the class: a page merges the classes it shows. Every index ends with the
-- id, as the row's key.
CREATE INDEX webhook_class_created ON webhook (class_id, created_at);
CREATE INDEX webhook_class_sent ON webhook (class_id, last_sent_at, id, created_at);
CREATE INDEX webhook_class_id ON webhook (class_id);
CREATE INDEX webhook_created ON webhook (created_at, id, class_id, last_sent_at);
CREATE INDEX webhook_error_class ON webhook (error_id, class_id, created_at, id, last_sent_at)
  WHERE error_id IS NOT NULL;
CREATE INDEX webhook_subscription ON webhook (subscription_id, created_at) WHERE subscription_id IS NOT NULL;
CREATE INDEX webhook_statement ON webhook (statement_id, created_at) WHERE statement_id IS NOT NULL;

-- Number and ID range of the webhooks of a class per UTC day. A range of days maps to a range of IDs that contains all its
-- webhooks. Maintained by triggers.
CREATE TABLE webhook_day (
  day INTEGER NOT NULL,
  class_id INTEGER NOT NULL,
  count INTEGER NOT NULL,
  first_id INTEGER NOT NULL,
  last_id INTEGER NOT NULL,
  PRIMARY KEY (day, class_id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER webhook_delete AFTER DELETE ON webhook BEGIN
  UPDATE webhook_class SET count = count - 1 WHERE id = OLD.class_id;
  UPDATE webhook_error SET count = count - 1 WHERE id = OLD.error_id;
  UPDATE webhook_day SET count = count - 1
    WHERE day = OLD.created_at / 86400000 AND class_id = OLD.class_id;
END;
CREATE TRIGGER webhook_class_update AFTER UPDATE OF class_id, created_at ON webhook
  WHEN OLD.class_id <> NEW.class_id OR OLD.created_at <> NEW.created_at
BEGIN
  UPDATE webhook_class SET count = count - 1 WHERE id = OLD.class_id;
  UPDATE webhook_class SET count = count + 1 WHERE id = NEW.class_id;
  UPDATE webhook_day SET count = count - 1
    WHERE day = OLD.created_at / 86400000 AND class_id = OLD.class_id;
  INSERT INTO webhook_day VALUES (NEW.created_at / 86400000, NEW.class_id, 1, NEW.id, NEW.id)
    ON CONFLICT (day, class_id) DO UPDATE
    SET count = count + 1, first_id = min(first_id, NEW.id), last_id = max(last_id, NEW.id);
END;
CREATE TRIGGER webhook_error_changed AFTER UPDATE OF error_id ON webhook WHEN OLD.error_id IS NOT NEW.error_id BEGIN
  UPDATE webhook_error SET count = count - 1 WHERE id = OLD.error_id;
  UPDATE webhook_error SET count = count + 1 WHERE id = NEW.error_id;
END;

-- Full-text index. "narrow" contains tokens that represent filters. Filled in the background from webhook_unindexed.
CREATE VIRTUAL TABLE webhook_fts USING fts5 (
  body, event, error, narrow, content = '', contentless_delete = 1, tokenize = "unicode61 tokenchars '_'"
);

CREATE TABLE webhook_unindexed (id INTEGER PRIMARY KEY) STRICT;
CREATE TRIGGER webhook_unindexed_update
  AFTER UPDATE OF event, body, last_error, class_id ON webhook
  WHEN OLD.event IS NOT NEW.event OR OLD.body IS NOT NEW.body OR OLD.last_error IS NOT NEW.last_error
    OR OLD.class_id IS NOT NEW.class_id
BEGIN
  INSERT INTO webhook_unindexed (id) SELECT NEW.id WHERE NOT EXISTS (SELECT 1 FROM webhook_unindexed WHERE id = NEW.id);
END;
CREATE TRIGGER webhook_unindexed_delete AFTER DELETE ON webhook BEGIN
  DELETE FROM webhook_unindexed WHERE id = OLD.id;
  DELETE FROM webhook_fts WHERE rowid = OLD.id;
END;
`;
