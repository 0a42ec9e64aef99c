import { createRejectTrigger } from './append-only-triggers.ts';

export const bankTables = `
-- changes: number of imports and removals. An import plan made before a later change is outdated.
CREATE TABLE bank_account (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  kind TEXT NOT NULL CHECK (kind IN ('bank', 'processor', 'ledger')),
  currency TEXT,
  number TEXT,
  window_from INTEGER,
  window_to INTEGER,
  changes INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE bank_profile (
  name TEXT PRIMARY KEY,
  content TEXT NOT NULL,
  at INTEGER NOT NULL,
  user TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE bank_import (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES bank_account (id),
  state TEXT NOT NULL CHECK (state IN ('adding', 'done', 'removed')),
  file TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  format TEXT NOT NULL,
  dialect TEXT NOT NULL,
  profile TEXT,
  at INTEGER NOT NULL,
  user TEXT NOT NULL,
  job TEXT,
  digest TEXT NOT NULL,
  rows_total INTEGER NOT NULL,
  rows_new INTEGER NOT NULL,
  rows_duplicate INTEGER NOT NULL,
  rows_failed INTEGER NOT NULL,
  rows_skipped INTEGER NOT NULL,
  first_on TEXT,
  last_on TEXT,
  removed_at INTEGER,
  removed_by TEXT,
  removed_reason TEXT,
  CHECK ((state = 'removed') = (removed_at IS NOT NULL))
) STRICT;
CREATE INDEX bank_import_account ON bank_import (account_id, state);
CREATE INDEX bank_import_file ON bank_import (sha256, account_id);
${createRejectTrigger('DELETE', 'bank_import', 'an import cannot be deleted, only marked as removed')}

-- Bank statements with their balances: from an imported file, or entered by a person with a source file attached.
-- from_on, to_on: first and last day covered. lines_in_cents: total of the lines per file; NULL if entered.
CREATE TABLE bank_statement (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES bank_account (id),
  import_id INTEGER REFERENCES bank_import (id),
  number TEXT,
  currency TEXT NOT NULL,
  from_on TEXT NOT NULL,
  to_on TEXT NOT NULL,
  opening_in_cents INTEGER,
  closing_in_cents INTEGER NOT NULL,
  lines_in_cents INTEGER,
  location TEXT NOT NULL,
  file TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  at INTEGER NOT NULL,
  user TEXT NOT NULL,
  removed_at INTEGER,
  removed_by TEXT,
  removed_reason TEXT,
  CHECK (from_on <= to_on)
) STRICT;
CREATE INDEX bank_statement_account ON bank_statement (account_id, to_on);
CREATE INDEX bank_statement_import ON bank_statement (import_id);
${createRejectTrigger('DELETE', 'bank_statement', 'a bank statement cannot be deleted, only marked as removed')}
${createRejectTrigger('UPDATE OF account_id, import_id, number, currency, from_on, to_on, opening_in_cents, closing_in_cents, lines_in_cents, location, file, sha256, bytes, at, user', 'bank_statement', 'a bank statement cannot be changed')}

-- File rows that did not become a bank line, and rows with remarks.
CREATE TABLE bank_import_row (
  import_id INTEGER NOT NULL REFERENCES bank_import (id),
  ordinal INTEGER NOT NULL,
  verdict TEXT NOT NULL CHECK (verdict IN ('new', 'duplicate', 'failed', 'skipped')),
  content TEXT NOT NULL,
  PRIMARY KEY (import_id, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX bank_import_row_verdict ON bank_import_row (import_id, verdict, ordinal);

-- Identified by account, date, amount, currency, bank ID (or a hash of its texts if it has none) and occurrence. Lines of a
-- removed import are marked as removed and get the same ID if they are imported again.
CREATE TABLE bank_line (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES bank_account (id),
  import_id INTEGER NOT NULL REFERENCES bank_import (id),
  row INTEGER NOT NULL,
  removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)),
  booked_on TEXT NOT NULL,
  value_on TEXT,
  amount_in_cents INTEGER NOT NULL,
  claimed_in_cents INTEGER NOT NULL DEFAULT 0,
  suggested INTEGER NOT NULL DEFAULT 0 CHECK (suggested >= 0),
  ambiguous INTEGER NOT NULL DEFAULT 0 CHECK (ambiguous >= 0),
  ignored INTEGER NOT NULL DEFAULT 0 CHECK (ignored >= 0),
  currency TEXT NOT NULL,
  bank_id TEXT NOT NULL,
  text_hash INTEGER NOT NULL,
  occurrence INTEGER NOT NULL,
  kind TEXT NOT NULL,
  description TEXT NOT NULL,
  reference TEXT,
  counterparty TEXT,
  payout_id TEXT,
  gateway_transaction_id TEXT,
  fee_in_cents INTEGER,
  net_in_cents INTEGER,
  comments INTEGER NOT NULL DEFAULT 0,
  location TEXT NOT NULL,
  extra_fields TEXT,
  state INTEGER NOT NULL GENERATED ALWAYS AS (CASE
    WHEN removed THEN 6
    WHEN claimed_in_cents = amount_in_cents THEN iif(ignored > 0, 5, 4)
    WHEN claimed_in_cents <> 0 THEN 3
    WHEN suggested > 0 THEN 2
    WHEN ambiguous > 0 THEN 1
    ELSE 0 END) VIRTUAL,
  CHECK (claimed_in_cents BETWEEN min(amount_in_cents, 0) AND max(amount_in_cents, 0)),
  CHECK (removed = 0 OR (claimed_in_cents = 0 AND suggested = 0 AND ambiguous = 0))
) STRICT;
CREATE UNIQUE INDEX bank_line_identity
  ON bank_line (account_id, booked_on, amount_in_cents, currency, bank_id, text_hash, occurrence);
CREATE INDEX bank_line_dated
  ON bank_line (account_id, state, booked_on, id, amount_in_cents, claimed_in_cents, currency);
CREATE INDEX bank_line_amount ON bank_line (account_id, state, amount_in_cents, id);
CREATE INDEX bank_line_import ON bank_line (import_id, row);
CREATE INDEX bank_line_payout ON bank_line (account_id, payout_id) WHERE payout_id IS NOT NULL;

-- Payout of a payment processor. net: sum of its lines. stated: amount stated in the report.
CREATE TABLE bank_payout (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES bank_account (id),
  import_id INTEGER NOT NULL REFERENCES bank_import (id),
  payout_id TEXT NOT NULL,
  currency TEXT NOT NULL,
  removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)),
  paid_on TEXT NOT NULL,
  stated_in_cents INTEGER,
  UNIQUE (account_id, payout_id, currency)
) STRICT;
CREATE INDEX bank_payout_dated ON bank_payout (removed, paid_on, id);
CREATE INDEX bank_payout_import ON bank_payout (import_id);
`;
