export const matchingTables = `
-- Payments and refunds as the cache had them when they were last looked at; it may be rebuilt under them.
-- gone: the service has no such payment any more, while a group still claims it.
CREATE TABLE match_payment (
  id INTEGER PRIMARY KEY,
  statement_id INTEGER NOT NULL,
  subscription_id INTEGER,
  kind TEXT NOT NULL CHECK (kind IN ('payment', 'refund')),
  gone INTEGER NOT NULL DEFAULT 0 CHECK (gone IN (0, 1)),
  paid_on TEXT NOT NULL,
  amount_in_cents INTEGER NOT NULL,
  claimed_in_cents INTEGER NOT NULL DEFAULT 0,
  suggested INTEGER NOT NULL DEFAULT 0 CHECK (suggested >= 0),
  ambiguous INTEGER NOT NULL DEFAULT 0 CHECK (ambiguous >= 0),
  ignored INTEGER NOT NULL DEFAULT 0 CHECK (ignored >= 0),
  currency TEXT NOT NULL,
  payment_id INTEGER,
  gateway_transaction_id TEXT,
  memo TEXT,
  customer_name TEXT,
  organization TEXT,
  notes INTEGER NOT NULL DEFAULT 0,
  state INTEGER NOT NULL GENERATED ALWAYS AS (CASE
    WHEN gone AND claimed_in_cents = 0 THEN 6
    WHEN claimed_in_cents = amount_in_cents THEN iif(ignored > 0, 5, 4)
    WHEN claimed_in_cents <> 0 THEN 3
    WHEN suggested > 0 THEN 2
    WHEN ambiguous > 0 THEN 1
    ELSE 0 END) VIRTUAL,
  CHECK (claimed_in_cents BETWEEN min(amount_in_cents, 0) AND max(amount_in_cents, 0))
) STRICT;
CREATE INDEX match_payment_dated
  ON match_payment (state, paid_on, id, amount_in_cents, claimed_in_cents, currency, kind);
CREATE INDEX match_payment_amount ON match_payment (state, amount_in_cents, id);
CREATE INDEX match_payment_subscription ON match_payment (subscription_id) WHERE subscription_id IS NOT NULL;
CREATE INDEX match_payment_statement ON match_payment (statement_id);

-- A run of all passes, or a dry one, of which only the figures are kept.
CREATE TABLE match_run (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  job TEXT NOT NULL,
  dry_run INTEGER NOT NULL CHECK (dry_run IN (0, 1)),
  accounts TEXT,
  state TEXT NOT NULL CHECK (state IN ('running', 'done', 'canceled', 'undone')),
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  user TEXT NOT NULL,
  passes TEXT NOT NULL,
  confirmed INTEGER NOT NULL DEFAULT 0,
  suggested INTEGER NOT NULL DEFAULT 0,
  ambiguous INTEGER NOT NULL DEFAULT 0,
  unmatched_lines INTEGER NOT NULL DEFAULT 0,
  unmatched_payments INTEGER NOT NULL DEFAULT 0,
  digest TEXT,
  took TEXT,
  undone_at INTEGER,
  undone_by TEXT,
  undone_reason TEXT
) STRICT;
CREATE INDEX match_run_live ON match_run (state) WHERE state = 'running';

-- What a confirmed group claims is explained to the cent. amount: its size, for the order. key: of what a run found, the same for the
-- same members, so that the next run finds it again; null for what a person put together. changed_by: null where no person decided.
-- refused: 1 where a person took this very match back, so that no run confirms it again by itself.
CREATE TABLE match_group (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  status TEXT NOT NULL CHECK (status IN ('confirmed', 'suggested', 'ambiguous', 'declined', 'undone')),
  rule TEXT NOT NULL,
  rule_version INTEGER NOT NULL,
  score INTEGER NOT NULL CHECK (score BETWEEN 0 AND 100),
  currency TEXT NOT NULL,
  dated_on TEXT NOT NULL,
  amount_in_cents INTEGER NOT NULL CHECK (amount_in_cents >= 0),
  lines_in_cents INTEGER NOT NULL,
  transactions_in_cents INTEGER NOT NULL,
  adjustments_in_cents INTEGER NOT NULL,
  line_count INTEGER NOT NULL,
  transaction_count INTEGER NOT NULL,
  alternatives INTEGER NOT NULL CHECK (alternatives >= 0),
  reasons TEXT NOT NULL,
  key TEXT,
  user_rule INTEGER,
  payout_id INTEGER REFERENCES bank_payout (id),
  reverses INTEGER,
  refused INTEGER NOT NULL DEFAULT 0 CHECK (refused IN (0, 1)),
  run_id INTEGER REFERENCES match_run (id),
  made_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  changed_by TEXT,
  reason TEXT,
  notes INTEGER NOT NULL DEFAULT 0,
  CHECK (status <> 'confirmed' OR lines_in_cents = transactions_in_cents + adjustments_in_cents)
) STRICT;
CREATE INDEX match_group_dated ON match_group (status, rule, dated_on, id, amount_in_cents);
CREATE INDEX match_group_amount ON match_group (status, rule, amount_in_cents, id);
CREATE INDEX match_group_run ON match_group (run_id, status);
CREATE UNIQUE INDEX match_group_key ON match_group (key)
  WHERE key IS NOT NULL AND status IN ('confirmed', 'suggested', 'ambiguous');
CREATE INDEX match_group_payout ON match_group (payout_id, status) WHERE payout_id IS NOT NULL;
CREATE UNIQUE INDEX match_group_one_deposit ON match_group (payout_id)
  WHERE payout_id IS NOT NULL AND status = 'confirmed';
CREATE INDEX match_group_decided ON match_group (id)
  WHERE status = 'confirmed' AND (key IS NULL OR changed_by IS NOT NULL);
CREATE INDEX match_group_refused ON match_group (key) WHERE refused = 1;
CREATE INDEX match_group_rule ON match_group (user_rule, status) WHERE user_rule IS NOT NULL;

-- What a group holds: a line, a payment, or a difference put down to a category.
-- standing: 0 none, 1 ambiguous, 2 suggested, 3 it claims the cents, 4 it claims them as none of the matter.
CREATE TABLE match_item (
  group_id INTEGER NOT NULL REFERENCES match_group (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  line_id INTEGER REFERENCES bank_line (id),
  transaction_id INTEGER REFERENCES match_payment (id),
  allocated_in_cents INTEGER NOT NULL,
  standing INTEGER NOT NULL CHECK (standing BETWEEN 0 AND 4),
  category TEXT,
  reason TEXT,
  PRIMARY KEY (group_id, ordinal),
  CHECK ((line_id IS NOT NULL) + (transaction_id IS NOT NULL) + (category IS NOT NULL) = 1)
) STRICT, WITHOUT ROWID;
CREATE INDEX match_item_line ON match_item (line_id, group_id) WHERE line_id IS NOT NULL;
CREATE INDEX match_item_transaction ON match_item (transaction_id, group_id) WHERE transaction_id IS NOT NULL;
CREATE INDEX match_item_category ON match_item (category, standing) WHERE category IS NOT NULL;
CREATE TRIGGER match_item_currency BEFORE INSERT ON match_item
  WHEN NEW.category IS NULL
BEGIN
  SELECT RAISE(ABORT, 'a group has one currency') WHERE (SELECT currency FROM match_group WHERE id = NEW.group_id) IS NOT
    iif(NEW.line_id IS NULL, (SELECT currency FROM match_payment WHERE id = NEW.transaction_id),
      (SELECT currency FROM bank_line WHERE id = NEW.line_id));
END;
CREATE TRIGGER match_item_fixed BEFORE UPDATE OF group_id, line_id, transaction_id, allocated_in_cents, category
  ON match_item BEGIN
  SELECT RAISE(ABORT, 'what a group holds does not change');
END;
CREATE TRIGGER match_item_line_add AFTER INSERT ON match_item WHEN NEW.line_id IS NOT NULL AND NEW.standing > 0 BEGIN
  UPDATE bank_line SET claimed_in_cents = claimed_in_cents + iif(NEW.standing >= 3, NEW.allocated_in_cents, 0),
    suggested = suggested + (NEW.standing = 2), ambiguous = ambiguous + (NEW.standing = 1),
    ignored = ignored + (NEW.standing = 4)
  WHERE id = NEW.line_id;
END;
CREATE TRIGGER match_item_line_move AFTER UPDATE OF standing ON match_item
  WHEN NEW.line_id IS NOT NULL AND NEW.standing <> OLD.standing
BEGIN
  UPDATE bank_line SET claimed_in_cents = claimed_in_cents
      + iif(NEW.standing >= 3, NEW.allocated_in_cents, 0) - iif(OLD.standing >= 3, OLD.allocated_in_cents, 0),
    suggested = suggested + (NEW.standing = 2) - (OLD.standing = 2),
    ambiguous = ambiguous + (NEW.standing = 1) - (OLD.standing = 1),
    ignored = ignored + (NEW.standing = 4) - (OLD.standing = 4)
  WHERE id = NEW.line_id;
END;
CREATE TRIGGER match_item_line_take AFTER DELETE ON match_item WHEN OLD.line_id IS NOT NULL AND OLD.standing > 0 BEGIN
  UPDATE bank_line SET claimed_in_cents = claimed_in_cents - iif(OLD.standing >= 3, OLD.allocated_in_cents, 0),
    suggested = suggested - (OLD.standing = 2), ambiguous = ambiguous - (OLD.standing = 1),
    ignored = ignored - (OLD.standing = 4)
  WHERE id = OLD.line_id;
END;
CREATE TRIGGER match_item_payment_add AFTER INSERT ON match_item
  WHEN NEW.transaction_id IS NOT NULL AND NEW.standing > 0
BEGIN
  UPDATE match_payment SET claimed_in_cents = claimed_in_cents + iif(NEW.standing >= 3, NEW.allocated_in_cents, 0),
    suggested = suggested + (NEW.standing = 2), ambiguous = ambiguous + (NEW.standing = 1),
    ignored = ignored + (NEW.standing = 4)
  WHERE id = NEW.transaction_id;
END;
CREATE TRIGGER match_item_payment_move AFTER UPDATE OF standing ON match_item
  WHEN NEW.transaction_id IS NOT NULL AND NEW.standing <> OLD.standing
BEGIN
  UPDATE match_payment SET claimed_in_cents = claimed_in_cents
      + iif(NEW.standing >= 3, NEW.allocated_in_cents, 0) - iif(OLD.standing >= 3, OLD.allocated_in_cents, 0),
    suggested = suggested + (NEW.standing = 2) - (OLD.standing = 2),
    ambiguous = ambiguous + (NEW.standing = 1) - (OLD.standing = 1),
    ignored = ignored + (NEW.standing = 4) - (OLD.standing = 4)
  WHERE id = NEW.transaction_id;
END;
CREATE TRIGGER match_item_payment_take AFTER DELETE ON match_item
  WHEN OLD.transaction_id IS NOT NULL AND OLD.standing > 0
BEGIN
  UPDATE match_payment SET claimed_in_cents = claimed_in_cents - iif(OLD.standing >= 3, OLD.allocated_in_cents, 0),
    suggested = suggested - (OLD.standing = 2), ambiguous = ambiguous - (OLD.standing = 1),
    ignored = ignored - (OLD.standing = 4)
  WHERE id = OLD.transaction_id;
END;
-- A group that was ever confirmed or declined is history; a proposal nobody decided about may be made anew.
CREATE TRIGGER match_group_stays BEFORE DELETE ON match_group WHEN OLD.status NOT IN ('suggested', 'ambiguous') BEGIN
  SELECT RAISE(ABORT, 'a decided match is undone, not deleted');
END;

-- What people decided about a group, oldest first. user: null where the app did it.
CREATE TABLE match_entry (
  group_id INTEGER NOT NULL REFERENCES match_group (id),
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  user TEXT,
  action TEXT NOT NULL CHECK (action IN ('made', 'confirmed', 'declined', 'undone', 'proposed', 'noted')),
  text TEXT,
  PRIMARY KEY (group_id, seq)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER match_entry_never_changes BEFORE UPDATE ON match_entry BEGIN
  SELECT RAISE(ABORT, 'what happened to a match stays written');
END;
CREATE TRIGGER match_entry_never_goes BEFORE DELETE ON match_entry BEGIN
  SELECT RAISE(ABORT, 'what happened to a match stays written');
END;

CREATE TABLE match_note (
  id INTEGER PRIMARY KEY,
  group_id INTEGER REFERENCES match_group (id),
  line_id INTEGER REFERENCES bank_line (id),
  transaction_id INTEGER REFERENCES match_payment (id),
  at INTEGER NOT NULL,
  user TEXT NOT NULL,
  text TEXT NOT NULL,
  CHECK ((group_id IS NOT NULL) + (line_id IS NOT NULL) + (transaction_id IS NOT NULL) = 1)
) STRICT;
CREATE INDEX match_note_group ON match_note (group_id) WHERE group_id IS NOT NULL;
CREATE INDEX match_note_line ON match_note (line_id) WHERE line_id IS NOT NULL;
CREATE INDEX match_note_transaction ON match_note (transaction_id) WHERE transaction_id IS NOT NULL;
CREATE TRIGGER match_note_add AFTER INSERT ON match_note BEGIN
  UPDATE match_group SET notes = notes + 1 WHERE id = NEW.group_id;
  UPDATE bank_line SET notes = notes + 1 WHERE id = NEW.line_id;
  UPDATE match_payment SET notes = notes + 1 WHERE id = NEW.transaction_id;
END;

-- Rules of the user's, tried in their order; conditions and action as the contract has them.
CREATE TABLE match_rule (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  position INTEGER NOT NULL,
  version INTEGER NOT NULL,
  title TEXT NOT NULL,
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  conditions TEXT NOT NULL,
  action TEXT NOT NULL,
  removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)),
  changed_at INTEGER NOT NULL,
  changed_by TEXT NOT NULL
) STRICT;
CREATE INDEX match_rule_position ON match_rule (removed, position);
`;
