import { createRejectTrigger } from './append-only-triggers.ts';

export const booksAllocationTables = `
-- together: 1 if the changes of a subscription are sent in one request. sha256: of the changes as shown to the user.
-- checked_at: time when all histories were last read. stop_after: number of failures after which sending stops.
CREATE TABLE allocation_draft (
  id TEXT PRIMARY KEY,
  created_at INTEGER NOT NULL,
  user TEXT NOT NULL,
  title TEXT NOT NULL,
  source TEXT NOT NULL CHECK (source IN ('form', 'file', 'again')),
  together INTEGER NOT NULL CHECK (together IN (0, 1)),
  state TEXT NOT NULL CHECK (state IN
    ('draft', 'discarded', 'running', 'paused', 'stopped', 'interrupted', 'canceled', 'done')),
  reason TEXT,
  checked_at INTEGER,
  sha256 TEXT NOT NULL,
  stop_after INTEGER,
  sent_at INTEGER,
  ended_at INTEGER,
  job TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX allocation_draft_created ON allocation_draft (created_at);
CREATE UNIQUE INDEX allocation_draft_one_at_a_time ON allocation_draft ((1)) WHERE state IN ('running', 'paused');

-- Changes of a draft in the given order. line and raw: position and text in the imported file.
-- drafted_quantity and current_quantity: quantity in the history when drafted and when last read. A change is sent only if
-- the history still shows current_quantity. Quantities are integers or exact text.
CREATE TABLE allocation_change (
  draft TEXT NOT NULL REFERENCES allocation_draft (id),
  ordinal INTEGER NOT NULL,
  line INTEGER,
  raw TEXT,
  subscription_id INTEGER,
  component_id INTEGER,
  quantity ANY,
  memo TEXT,
  proration_upgrade_scheme TEXT,
  proration_downgrade_scheme TEXT,
  drafted_quantity ANY,
  current_quantity ANY,
  direction TEXT CHECK (direction IN ('upgrade', 'downgrade', 'none')),
  problem TEXT CHECK (problem IN
    ('unreadable', 'unknown_component', 'missing', 'duplicate', 'contradiction', 'no_change')),
  problem_text TEXT,
  outcome TEXT NOT NULL CHECK (outcome IN
    ('waiting', 'sending', 'verifying', 'applied', 'refused', 'quantity_changed', 'undecided', 'not_applied')),
  resolved_by TEXT CHECK (resolved_by IN ('response', 'history', 'user')),
  request INTEGER,
  resolved_at INTEGER,
  applied TEXT,
  error TEXT,
  evidence TEXT,
  PRIMARY KEY (draft, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX allocation_change_outcome ON allocation_change (draft, outcome, ordinal);
CREATE INDEX allocation_change_problem ON allocation_change (draft, problem, direction, ordinal);
CREATE INDEX allocation_change_open ON allocation_change (subscription_id, component_id)
  WHERE outcome IN ('sending', 'verifying', 'undecided');
CREATE INDEX allocation_change_subscription ON allocation_change (draft, subscription_id, ordinal);

-- Journal: each request is recorded before it is sent. sent: its changes, with the histories before them.
-- doubted_at: time since when the result has been unknown.
CREATE TABLE allocation_request (
  draft TEXT NOT NULL REFERENCES allocation_draft (id),
  request INTEGER NOT NULL,
  subscription_id INTEGER NOT NULL,
  sent TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('posting', 'unknown', 'applied', 'refused', 'not_applied', 'undecided')),
  posted_at INTEGER NOT NULL,
  doubted_at INTEGER,
  ended_at INTEGER,
  error TEXT,
  PRIMARY KEY (draft, request)
) STRICT, WITHOUT ROWID;
CREATE INDEX allocation_request_open ON allocation_request (draft, state);
CREATE INDEX allocation_request_subscription ON allocation_request (draft, subscription_id, request);
${createRejectTrigger('DELETE', 'allocation_request', 'sent requests cannot be deleted')}
`;
