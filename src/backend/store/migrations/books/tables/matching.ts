import { createAppendOnlyTriggers, createRejectTrigger } from './append-only-triggers.ts';

/** Returns the SQL of triggers that update the claimed amount of a line or payment when its match items change. */
function claimTriggers(kind: string, table: string, column: string): string {
  const claimed = (row: string) => `iif(${row}.claim_state >= 3, ${row}.allocated_in_cents, 0)`;
  const change = (added: string, removed: string) => {
    const sum = (part: (row: string) => string) =>
      `${added && ` + ${part(added)}`}${removed && ` - ${part(removed)}`}`;
    const count = (state: number) => sum((row) => `(${row}.claim_state = ${state})`);
    return `UPDATE ${table} SET claimed_in_cents = claimed_in_cents${sum(claimed)}, suggested = suggested${count(2)},
    ambiguous = ambiguous${count(1)}, ignored = ignored${count(4)} WHERE id = ${added || removed}.${column};`;
  };
  const isClaim = (row: string) => `${row}.${column} IS NOT NULL AND ${row}.claim_state > 0`;
  return `
CREATE TRIGGER match_item_${kind}_insert AFTER INSERT ON match_item WHEN ${isClaim('NEW')} BEGIN
  ${change('NEW', '')}
END;
CREATE TRIGGER match_item_${kind}_update AFTER UPDATE OF claim_state ON match_item
  WHEN NEW.${column} IS NOT NULL AND NEW.claim_state <> OLD.claim_state BEGIN
  ${change('NEW', 'OLD')}
END;
CREATE TRIGGER match_item_${kind}_delete AFTER DELETE ON match_item WHEN ${isClaim('OLD')} BEGIN
  ${change('', 'OLD')}
END;`;
}

/** Returns the SQL of triggers that count the changes to a table that matching runs read. */
function inputTriggers(table: string, columns: readonly string[], conditions: InputConditions = {}): string {
  const { inserted = '', updated = '' } = conditions;
  const count = 'BEGIN UPDATE match_input SET changes = changes + 1; END;';
  return `
CREATE TRIGGER ${table}_input_insert AFTER INSERT ON ${table} ${inserted} ${count}
CREATE TRIGGER ${table}_input_update AFTER UPDATE OF ${columns.join(', ')} ON ${table} ${updated} ${count}
${conditions.neverDeleted ? '' : `CREATE TRIGGER ${table}_input_delete AFTER DELETE ON ${table} ${count}`}`;
}

interface InputConditions {
  readonly inserted?: string;
  readonly updated?: string;
  readonly neverDeleted?: true;
}

export const matchingTables = `
-- Copy of the cache's payments and refunds, because the cache may be rebuilt. removed: 1 if the service no longer has the
-- payment but a match still claims it.
CREATE TABLE match_payment (
  id INTEGER PRIMARY KEY,
  statement_id INTEGER NOT NULL,
  subscription_id INTEGER,
  kind TEXT NOT NULL CHECK (kind IN ('payment', 'refund')),
  removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)),
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
  comments INTEGER NOT NULL DEFAULT 0,
  state INTEGER NOT NULL GENERATED ALWAYS AS (CASE
    WHEN removed AND claimed_in_cents = 0 THEN 6
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

-- Matching run. For a dry run, only the figures are stored. input: version of what a complete run has read.
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
  input TEXT,
  durations TEXT,
  undone_at INTEGER,
  undone_by TEXT,
  undone_reason TEXT
) STRICT;
CREATE INDEX match_run_live ON match_run (state) WHERE state = 'running';

-- Group of matched items. The items of a confirmed group balance to the cent. amount_in_cents: absolute amount, for sorting.
-- key: identifies a match found by a run by its members; NULL for manual matches. changed_by: NULL if the app decided.
-- auto_confirm_blocked: 1 if a user undid this match, so that no run confirms it again.
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
  auto_confirm_blocked INTEGER NOT NULL DEFAULT 0 CHECK (auto_confirm_blocked IN (0, 1)),
  run_id INTEGER REFERENCES match_run (id),
  made_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  changed_by TEXT,
  reason TEXT,
  comments INTEGER NOT NULL DEFAULT 0,
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
CREATE INDEX match_group_blocked ON match_group (key) WHERE auto_confirm_blocked = 1;
CREATE INDEX match_group_rule ON match_group (user_rule, status) WHERE user_rule IS NOT NULL;

-- Member of a group: a line, a payment, or a difference assigned to a category. claim_state: 0 none, 1 ambiguous,
-- 2 suggested, 3 claims the amount, 4 claims the amount as out of scope.
CREATE TABLE match_item (
  group_id INTEGER NOT NULL REFERENCES match_group (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  line_id INTEGER REFERENCES bank_line (id),
  transaction_id INTEGER REFERENCES match_payment (id),
  allocated_in_cents INTEGER NOT NULL,
  claim_state INTEGER NOT NULL CHECK (claim_state BETWEEN 0 AND 4),
  category TEXT,
  reason TEXT,
  PRIMARY KEY (group_id, ordinal),
  CHECK ((line_id IS NOT NULL) + (transaction_id IS NOT NULL) + (category IS NOT NULL) = 1)
) STRICT, WITHOUT ROWID;
CREATE INDEX match_item_line ON match_item (line_id, group_id) WHERE line_id IS NOT NULL;
CREATE INDEX match_item_transaction ON match_item (transaction_id, group_id) WHERE transaction_id IS NOT NULL;
CREATE INDEX match_item_category ON match_item (category, claim_state) WHERE category IS NOT NULL;
CREATE TRIGGER match_item_currency BEFORE INSERT ON match_item
  WHEN NEW.category IS NULL
BEGIN
  SELECT RAISE(ABORT, 'all items of a match must have the same currency') WHERE (SELECT currency FROM match_group WHERE id = NEW.group_id) IS NOT
    iif(NEW.line_id IS NULL, (SELECT currency FROM match_payment WHERE id = NEW.transaction_id),
      (SELECT currency FROM bank_line WHERE id = NEW.line_id));
END;
${createRejectTrigger('UPDATE OF group_id, line_id, transaction_id, allocated_in_cents, category', 'match_item', 'the items of a match cannot be changed')}
${claimTriggers('line', 'bank_line', 'line_id')}
${claimTriggers('payment', 'match_payment', 'transaction_id')}
-- Confirmed and declined groups are kept as history. Undecided suggestions may be replaced.
${createRejectTrigger('DELETE', 'match_group', 'a decided match cannot be deleted, only undone', `OLD.status NOT IN ('suggested', 'ambiguous')`)}

-- History of a group, oldest first. user: NULL if the app decided.
CREATE TABLE match_entry (
  group_id INTEGER NOT NULL REFERENCES match_group (id),
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  user TEXT,
  action TEXT NOT NULL CHECK (action IN ('made', 'confirmed', 'declined', 'undone', 'proposed')),
  text TEXT,
  PRIMARY KEY (group_id, seq)
) STRICT, WITHOUT ROWID;
${createAppendOnlyTriggers('match_entry', 'the history of a match is append-only')}

-- User-defined rules in the order in which they are tried. conditions and action: JSON.
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

-- Categories that people added to the standard ones.
CREATE TABLE match_category (
  category TEXT PRIMARY KEY,
  at INTEGER NOT NULL,
  user TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Number of changes to what matching runs read, except by runs themselves, and version of the cache's transactions from
-- which the payments were last updated.
CREATE TABLE match_input (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  changes INTEGER NOT NULL,
  payments TEXT
) STRICT;
INSERT INTO match_input VALUES (1, 0, NULL);
${inputTriggers('bank_account', ['name', 'kind', 'window_from', 'window_to'])}
${inputTriggers('bank_line', ['removed'])}
${inputTriggers('bank_payout', ['removed', 'paid_on', 'stated_in_cents'])}
${inputTriggers('match_rule', ['position', 'version', 'title', 'enabled', 'conditions', 'action', 'removed'])}
${inputTriggers('match_payment', [
  ...['removed', 'statement_id', 'subscription_id', 'kind', 'paid_on', 'amount_in_cents', 'currency'],
  ...['payment_id', 'gateway_transaction_id', 'customer_name', 'organization'],
])}
${inputTriggers('match_group', ['status', 'auto_confirm_blocked'], {
  inserted: 'WHEN NEW.key IS NULL OR NEW.changed_by IS NOT NULL',
  updated: 'WHEN NEW.key IS NULL OR NEW.changed_by IS NOT NULL OR OLD.changed_by IS NOT NULL',
  neverDeleted: true,
})}
`;
