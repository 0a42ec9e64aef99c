import { createAppendOnlyTriggers, createRejectTrigger } from './append-only-triggers.ts';

const LOCKED = '(SELECT until FROM period_lock)';

export const generalLedgerTables = `
-- Accounts of the merchant's general ledger, as its files name them. area: what S4 and journal entries use the account for.
CREATE TABLE ledger_account (
  account TEXT PRIMARY KEY,
  name TEXT,
  area TEXT CHECK (area IN ('revenue', 'receivables', 'clearing', 'fees', 'cash', 'chargebacks', 'reserve', 'write-offs',
    'in-transit', 'exchange', 'other-income')),
  changed_at INTEGER NOT NULL,
  changed_by TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- kind: balances (a trial balance as of last_on) or activity. natural: 1 if increases of an account are positive, 0 if debits
-- are. first_on, last_on: days of the lines.
CREATE TABLE ledger_import (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('activity', 'balances')),
  state TEXT NOT NULL CHECK (state IN ('done', 'removed')),
  natural INTEGER NOT NULL CHECK (natural IN (0, 1)),
  file TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  dialect TEXT NOT NULL,
  currency TEXT NOT NULL,
  first_on TEXT NOT NULL,
  last_on TEXT NOT NULL,
  rows INTEGER NOT NULL,
  skipped INTEGER NOT NULL,
  debit_in_cents INTEGER NOT NULL,
  credit_in_cents INTEGER NOT NULL,
  at INTEGER NOT NULL,
  user TEXT NOT NULL,
  removed_at INTEGER,
  removed_by TEXT,
  removed_reason TEXT,
  CHECK (first_on <= last_on),
  CHECK ((state = 'removed') = (removed_at IS NOT NULL))
) STRICT;
CREATE INDEX ledger_import_file ON ledger_import (sha256);
${createRejectTrigger('DELETE', 'ledger_import', 'an import cannot be deleted, only marked as removed')}
CREATE TRIGGER ledger_import_locked BEFORE INSERT ON ledger_import WHEN NEW.last_on <= ${LOCKED} BEGIN
  SELECT RAISE(ABORT, 'period_locked: ledger import');
END;
CREATE TRIGGER ledger_import_locked_update BEFORE UPDATE OF state ON ledger_import WHEN OLD.first_on <= ${LOCKED} BEGIN
  SELECT RAISE(ABORT, 'period_locked: ledger import ' || OLD.id);
END;

-- A posting. removed: 1 if its import was removed. text: entry number, reference and description. entry_id: journal entry of
-- Tieout that the posting came back from.
CREATE TABLE ledger_line (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  import_id INTEGER NOT NULL REFERENCES ledger_import (id),
  row INTEGER NOT NULL,
  removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)),
  account TEXT NOT NULL REFERENCES ledger_account (account),
  dated_on TEXT NOT NULL,
  amount_in_cents INTEGER NOT NULL,
  currency TEXT NOT NULL,
  text TEXT NOT NULL,
  location TEXT NOT NULL,
  entry_id INTEGER REFERENCES journal_entry (id)
) STRICT;
CREATE INDEX ledger_line_dated ON ledger_line (account, removed, dated_on, id);
CREATE INDEX ledger_line_import ON ledger_line (import_id, row);
CREATE INDEX ledger_line_entry ON ledger_line (entry_id) WHERE entry_id IS NOT NULL;
${createRejectTrigger('DELETE', 'ledger_line', 'a ledger line cannot be deleted, only its import removed')}
CREATE TRIGGER ledger_line_locked BEFORE INSERT ON ledger_line WHEN NEW.dated_on <= ${LOCKED} BEGIN
  SELECT RAISE(ABORT, 'period_locked: ledger line');
END;

-- Balance of an account in a trial balance. movement: change in the month of as_on, if the file states it.
CREATE TABLE ledger_balance (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  import_id INTEGER NOT NULL REFERENCES ledger_import (id),
  row INTEGER NOT NULL,
  removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)),
  account TEXT NOT NULL REFERENCES ledger_account (account),
  as_on TEXT NOT NULL,
  currency TEXT NOT NULL,
  opening_in_cents INTEGER,
  movement_in_cents INTEGER,
  closing_in_cents INTEGER,
  location TEXT NOT NULL
) STRICT;
CREATE INDEX ledger_balance_dated ON ledger_balance (account, removed, as_on);
CREATE INDEX ledger_balance_import ON ledger_balance (import_id, row);
${createRejectTrigger('DELETE', 'ledger_balance', 'a balance cannot be deleted, only its import removed')}

-- Journal entries. source: the difference that the entry explains; NULL if a user entered it. sequence: number within the
-- period, given when the entry is approved. repeats: 'monthly' proposes a copy in each later period up to repeats_until.
CREATE TABLE journal_entry (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  period TEXT NOT NULL,
  sequence INTEGER,
  number TEXT UNIQUE,
  state TEXT NOT NULL CHECK (state IN ('proposed', 'approved', 'exported', 'posted', 'discarded')),
  template TEXT NOT NULL,
  source TEXT,
  dated_on TEXT NOT NULL,
  currency TEXT NOT NULL,
  memo TEXT NOT NULL,
  reverses_on TEXT,
  repeats TEXT CHECK (repeats IN ('monthly')),
  repeats_until TEXT,
  made_at INTEGER NOT NULL,
  made_by TEXT NOT NULL,
  approved_at INTEGER,
  approved_by TEXT,
  exported_at INTEGER,
  exported_by TEXT,
  posted_on TEXT,
  reason TEXT,
  UNIQUE (period, sequence),
  CHECK ((sequence IS NULL) = (number IS NULL)),
  CHECK (state NOT IN ('approved', 'exported', 'posted') OR (number IS NOT NULL AND approved_by IS NOT NULL)),
  CHECK ((state = 'posted') = (posted_on IS NOT NULL)),
  CHECK (reverses_on IS NULL OR reverses_on > dated_on)
) STRICT;
CREATE INDEX journal_entry_period ON journal_entry (period, state, id);
CREATE INDEX journal_entry_dated ON journal_entry (state, dated_on);
${createRejectTrigger('DELETE', 'journal_entry', 'a journal entry cannot be deleted, only discarded')}
CREATE TRIGGER journal_entry_fixed BEFORE UPDATE OF period, sequence, number, template, source, dated_on, currency, memo, reverses_on
  ON journal_entry WHEN OLD.number IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'an approved journal entry cannot be changed, only discarded');
END;
CREATE TRIGGER journal_entry_locked BEFORE INSERT ON journal_entry WHEN NEW.dated_on <= ${LOCKED} BEGIN
  SELECT RAISE(ABORT, 'period_locked: journal entry');
END;
CREATE TRIGGER journal_entry_balanced BEFORE UPDATE OF state ON journal_entry WHEN NEW.state = 'approved' AND OLD.state = 'proposed' BEGIN
  SELECT RAISE(ABORT, 'a journal entry must balance') WHERE (SELECT count(*) < 2 OR sum(debit_in_cents) <> sum(credit_in_cents)
    FROM journal_line WHERE entry_id = NEW.id);
END;

-- Lines of an entry. area: area whose account the line uses. Exactly one of both amounts is positive.
CREATE TABLE journal_line (
  entry_id INTEGER NOT NULL REFERENCES journal_entry (id),
  ordinal INTEGER NOT NULL,
  area TEXT,
  account TEXT NOT NULL,
  debit_in_cents INTEGER NOT NULL CHECK (debit_in_cents >= 0),
  credit_in_cents INTEGER NOT NULL CHECK (credit_in_cents >= 0),
  PRIMARY KEY (entry_id, ordinal),
  CHECK ((debit_in_cents > 0) <> (credit_in_cents > 0))
) STRICT, WITHOUT ROWID;
CREATE TRIGGER journal_line_fixed_insert BEFORE INSERT ON journal_line
  WHEN (SELECT number FROM journal_entry WHERE id = NEW.entry_id) IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'an approved journal entry cannot be changed, only discarded');
END;
CREATE TRIGGER journal_line_fixed_delete BEFORE DELETE ON journal_line
  WHEN (SELECT number FROM journal_entry WHERE id = OLD.entry_id) IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'an approved journal entry cannot be changed, only discarded');
END;
${createRejectTrigger('UPDATE', 'journal_line', 'the lines of a journal entry cannot be changed')}

-- History of a journal entry, oldest first.
CREATE TABLE journal_step (
  entry_id INTEGER NOT NULL REFERENCES journal_entry (id),
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  user TEXT NOT NULL,
  action TEXT NOT NULL CHECK (action IN ('proposed', 'entered', 'approved', 'exported', 'posted', 'discarded', 'unposted')),
  text TEXT,
  PRIMARY KEY (entry_id, seq)
) STRICT, WITHOUT ROWID;
${createAppendOnlyTriggers('journal_step', 'the history of a journal entry is append-only')}
`;
