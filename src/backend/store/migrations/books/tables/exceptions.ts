import { createAppendOnlyTriggers, createRejectTrigger } from './append-only-triggers.ts';

export const exceptionTables = `
-- Combinations of rule, severity (0 notice, 1 warning, 2 error) and status, with their totals. Maintained by triggers.
CREATE TABLE exception_class (
  id INTEGER PRIMARY KEY,
  rule TEXT NOT NULL,
  severity INTEGER NOT NULL CHECK (severity IN (0, 1, 2)),
  status TEXT NOT NULL CHECK (status IN ('open', 'accepted', 'closed')),
  count INTEGER NOT NULL DEFAULT 0,
  unassigned INTEGER NOT NULL DEFAULT 0,
  at_stake_in_cents INTEGER NOT NULL DEFAULT 0,
  UNIQUE (rule, severity, status)
) STRICT;

-- Exceptions found by rules, identified by a key. IDs are never reused, because people write them down.
-- across: 1 if rows of several subscriptions cause it. dated_on, dated_at: its date, '' and 0 if it has none.
-- members: findings that it stands for because they have one cause (JSON list), '[]' for a finding of a rule.
-- evidence: SHA-256 of the underlying rows. accepted_evidence: its value when the exception was accepted.
CREATE TABLE exception (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  class_id INTEGER NOT NULL REFERENCES exception_class (id),
  across INTEGER NOT NULL CHECK (across IN (0, 1)),
  subscription_id INTEGER,
  dated_on TEXT NOT NULL,
  dated_at INTEGER NOT NULL,
  at_stake_in_cents INTEGER NOT NULL CHECK (at_stake_in_cents >= 0),
  severity INTEGER NOT NULL CHECK (severity IN (0, 1, 2)),
  assigned TEXT,
  rule TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'accepted', 'closed')),
  statement_id INTEGER,
  transaction_id INTEGER,
  event_id INTEGER,
  webhook_id INTEGER,
  component_id INTEGER,
  expected_in_cents INTEGER,
  actual_in_cents INTEGER,
  difference_in_cents INTEGER,
  found_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  evidence TEXT NOT NULL,
  accepted_evidence TEXT,
  comments INTEGER NOT NULL DEFAULT 0,
  message TEXT NOT NULL,
  arithmetic TEXT NOT NULL,
  rows TEXT NOT NULL,
  members TEXT NOT NULL DEFAULT '[]'
) STRICT;
-- Each sort order has an index that starts with the class: a page merges the classes it shows.
CREATE INDEX exception_class_stake ON exception (class_id, at_stake_in_cents, id);
CREATE INDEX exception_class_severity ON exception (class_id, severity, at_stake_in_cents, id);
CREATE INDEX exception_class_dated ON exception (class_id, dated_on, id, at_stake_in_cents);
CREATE INDEX exception_class_id ON exception (class_id, id, at_stake_in_cents);
CREATE INDEX exception_dated ON exception (dated_on, rule, severity, status, at_stake_in_cents, assigned);
CREATE INDEX exception_subscription ON exception (subscription_id, across, status);
CREATE INDEX exception_across ON exception (status) WHERE across = 1;
CREATE INDEX exception_assigned ON exception (assigned, status) WHERE assigned IS NOT NULL;
CREATE TRIGGER exception_class_insert AFTER INSERT ON exception BEGIN
  UPDATE exception_class SET count = count + 1, unassigned = unassigned + (NEW.assigned IS NULL),
    at_stake_in_cents = at_stake_in_cents + NEW.at_stake_in_cents
  WHERE id = NEW.class_id;
END;
CREATE TRIGGER exception_class_update AFTER UPDATE OF class_id, assigned, at_stake_in_cents ON exception BEGIN
  UPDATE exception_class SET count = count - 1, unassigned = unassigned - (OLD.assigned IS NULL),
    at_stake_in_cents = at_stake_in_cents - OLD.at_stake_in_cents
  WHERE id = OLD.class_id;
  UPDATE exception_class SET count = count + 1, unassigned = unassigned + (NEW.assigned IS NULL),
    at_stake_in_cents = at_stake_in_cents + NEW.at_stake_in_cents
  WHERE id = NEW.class_id;
END;
${createRejectTrigger('DELETE', 'exception', 'an exception cannot be deleted')}

-- Subscriptions, statements and webhooks that an exception refers to.
CREATE TABLE exception_link (
  kind TEXT NOT NULL CHECK (kind IN ('subscription', 'statement', 'webhook')),
  id INTEGER NOT NULL,
  exception_id INTEGER NOT NULL REFERENCES exception (id),
  PRIMARY KEY (kind, id, exception_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX exception_link_exception ON exception_link (exception_id);

-- History of an exception, oldest first. user: NULL if the app acted.
CREATE TABLE exception_entry (
  exception_id INTEGER NOT NULL REFERENCES exception (id),
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  user TEXT,
  action TEXT NOT NULL
    CHECK (action IN ('found', 'changed', 'assigned', 'accepted', 'reopened', 'closed')),
  text TEXT,
  job TEXT,
  PRIMARY KEY (exception_id, seq)
) STRICT, WITHOUT ROWID;
${createAppendOnlyTriggers('exception_entry', 'the history of an exception is append-only')}

-- Disabled rules.
CREATE TABLE rule_switch (
  rule TEXT PRIMARY KEY,
  at INTEGER NOT NULL,
  user TEXT NOT NULL,
  reason TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;
