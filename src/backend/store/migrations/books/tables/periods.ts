import { createAppendOnlyTriggers, createRejectTrigger } from './append-only-triggers.ts';

export const periodTables = `
-- The last locked day and the day after it, or '' if no day is locked. Maintained by triggers on period.
CREATE TABLE period_lock (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  until TEXT NOT NULL,
  next_on TEXT NOT NULL
) STRICT;
INSERT INTO period_lock VALUES (1, '', '');
-- The payments of closed periods stay as signed, so a change of the lock updates the payments again.
CREATE TRIGGER period_lock_input AFTER UPDATE ON period_lock BEGIN
  UPDATE match_input SET changes = changes + 1, payments = NULL;
END;

-- closing_job: job that is closing the period; its days are locked meanwhile. opened, submitted, reviewed, closed: entries
-- of the signatures.
CREATE TABLE period (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  period TEXT NOT NULL UNIQUE,
  first_on TEXT NOT NULL,
  last_on TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('open', 'submitted', 'reviewed', 'closed')),
  version INTEGER NOT NULL DEFAULT 0,
  closing_job TEXT,
  opened INTEGER NOT NULL,
  submitted INTEGER,
  reviewed INTEGER,
  closed INTEGER,
  CHECK (first_on <= last_on),
  CHECK (state <> 'submitted' OR (submitted IS NOT NULL AND reviewed IS NULL)),
  CHECK (state NOT IN ('reviewed', 'closed') OR (submitted IS NOT NULL AND reviewed IS NOT NULL)),
  CHECK ((state = 'closed') = (closed IS NOT NULL)),
  CHECK (closing_job IS NULL OR state = 'reviewed')
) STRICT;
${createRejectTrigger('DELETE', 'period', 'a period cannot be deleted')}
CREATE TRIGGER period_days_no_update BEFORE UPDATE OF period, first_on, last_on ON period BEGIN
  SELECT RAISE(ABORT, 'the dates of a period cannot be changed');
END;
CREATE TRIGGER period_lock_update AFTER UPDATE OF state, closing_job ON period BEGIN
  UPDATE period_lock SET
    until = coalesce((SELECT max(last_on) FROM period WHERE state = 'closed' OR closing_job IS NOT NULL), ''),
    next_on = coalesce((SELECT date(max(last_on), '+1 day') FROM period WHERE state = 'closed' OR closing_job IS NOT NULL), '');
END;

-- History of a period, oldest first. figures: digest of the signed figures. key: public key of the signature. statements:
-- certification statements with their confirmations as JSON. about: figure and number of the comment that the entry is
-- about, as JSON. receipt: root of the audit log's Merkle tree.
CREATE TABLE period_entry (
  period_id INTEGER NOT NULL REFERENCES period (id),
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  name TEXT NOT NULL,
  user TEXT NOT NULL,
  action TEXT NOT NULL
    CHECK (action IN ('opened', 'submitted', 'rejected', 'approved', 'closed', 'reopened', 'commented', 'answered', 'cleared',
      'explained')),
  text TEXT,
  figures TEXT,
  is_self_review INTEGER NOT NULL CHECK (is_self_review IN (0, 1)),
  version INTEGER,
  key TEXT,
  statements TEXT,
  about TEXT,
  receipt TEXT NOT NULL,
  PRIMARY KEY (period_id, seq)
) STRICT, WITHOUT ROWID;
${createAppendOnlyTriggers('period_entry', 'the history of a period is append-only')}

-- Explanations of outstanding items, oldest first. The newest one is valid. period: period in which it was written.
CREATE TABLE item_explanation (
  item TEXT NOT NULL,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  user TEXT NOT NULL,
  period TEXT NOT NULL,
  category TEXT,
  owner TEXT,
  explanation TEXT,
  expected_on TEXT,
  PRIMARY KEY (item, seq)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER item_explanation_locked BEFORE INSERT ON item_explanation
  WHEN NEW.period || '-31' <= (SELECT until FROM period_lock)
    OR EXISTS (SELECT 1 FROM period WHERE period = NEW.period AND last_on <= (SELECT until FROM period_lock))
BEGIN
  SELECT RAISE(ABORT, 'period_locked: item ' || NEW.item);
END;
${createAppendOnlyTriggers('item_explanation', 'explanations are append-only')}

-- Month-end checklist of a period: owners and due dates of steps, and the steps that users added (own:1, own:2, ...), which
-- have a title. done_at, done_by: when and by whom an own step was marked as done.
CREATE TABLE checklist_step (
  period_id INTEGER NOT NULL REFERENCES period (id),
  step TEXT NOT NULL,
  title TEXT,
  owner TEXT,
  due_on TEXT,
  done_at INTEGER,
  done_by TEXT,
  removed INTEGER NOT NULL CHECK (removed IN (0, 1)),
  PRIMARY KEY (period_id, step),
  CHECK ((step GLOB 'own:*') = (title IS NOT NULL)),
  CHECK ((done_at IS NULL) = (done_by IS NULL)),
  CHECK (title IS NOT NULL OR (done_at IS NULL AND removed = 0))
) STRICT, WITHOUT ROWID;
${['INSERT', 'UPDATE']
  .map((operation) =>
    createRejectTrigger(
      operation,
      'checklist_step',
      "period_locked: step ' || NEW.step || '",
      '(SELECT last_on FROM period WHERE id = NEW.period_id) <= (SELECT until FROM period_lock)',
    ),
  )
  .join('\n')}
${createRejectTrigger('DELETE', 'checklist_step', 'a step is marked as removed')}
`;
