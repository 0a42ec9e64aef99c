const UNTIL = '(SELECT until FROM period_lock)';

/**
 * SQL that updates a match's cleared date when the match claims an item: the item's date, or the first unlocked day if
 * that is later.
 */
const clearing = `INSERT INTO match_cleared
      SELECT NEW.group_id, day, max(day, (SELECT next_on FROM period_lock)) FROM (
        SELECT iif(NEW.line_id IS NULL, (SELECT paid_on FROM match_payment WHERE id = NEW.transaction_id),
          (SELECT booked_on FROM bank_line WHERE id = NEW.line_id)) AS day)
      WHERE true
      ON CONFLICT (group_id) DO UPDATE SET original_on = max(original_on, excluded.original_on),
        cleared_on = max(cleared_on, excluded.cleared_on);`;

function lockedGroup(id: string): string {
  return `EXISTS (SELECT 1 FROM match_cleared WHERE match_cleared.group_id = ${id} AND cleared_on <= ${UNTIL})`;
}

/** Returns the SQL condition that selects an existing row with a locked date. */
function locked(row: string, kind: string, day: string): string {
  return `${row}.removed = 0 AND ${onLockedDay(row, kind, day)}`;
}

function onLockedDay(row: string, kind: string, day: string): string {
  return `${row}.${day} <= ${UNTIL} AND coalesce((SELECT posted_on FROM late_row
        WHERE late_row.kind = '${kind}' AND late_row.id = ${row}.id), ${row}.${day}) <= ${UNTIL}`;
}

function lockedException(row: string): string {
  return `${row}.dated_on <> '' AND ${onLockedDay(row, 'exception', 'dated_on')}`;
}

function late(kind: string, day: string): string {
  return `INSERT INTO late_row SELECT '${kind}', NEW.id, NEW.${day}, next_on FROM period_lock
        WHERE true ON CONFLICT (kind, id) DO UPDATE SET original_on = excluded.original_on, posted_on = excluded.posted_on;`;
}

/** Returns the SQL of triggers that reject changes to rows with locked dates, and record new such rows as late. */
function guarded(table: string, kind: string, day: string, columns: readonly string[]): string {
  const differs = columns.map((column) => `OLD.${column} IS NOT NEW.${column}`).join(' OR ');
  return `
    CREATE TRIGGER ${table}_locked BEFORE UPDATE OF ${columns.join(', ')} ON ${table}
      WHEN ${locked('OLD', kind, day)} AND (${differs})
    BEGIN
      SELECT RAISE(ABORT, 'period_locked: ${kind} ' || OLD.id);
    END;
    CREATE TRIGGER ${table}_locked_delete BEFORE DELETE ON ${table} WHEN ${locked('OLD', kind, day)} BEGIN
      SELECT RAISE(ABORT, 'period_locked: ${kind} ' || OLD.id);
    END;
    CREATE TRIGGER ${table}_late_insert AFTER INSERT ON ${table} WHEN NEW.removed = 0 AND NEW.${day} <= ${UNTIL} BEGIN
      ${late(kind, day)}
    END;
    CREATE TRIGGER ${table}_late_update AFTER UPDATE OF removed, ${day} ON ${table}
      WHEN OLD.removed IS NOT NEW.removed OR OLD.${day} IS NOT NEW.${day}
    BEGIN
      DELETE FROM late_row WHERE kind = '${kind}' AND id = NEW.id AND (NEW.removed = 1 OR NEW.${day} > ${UNTIL});
      INSERT INTO late_row SELECT '${kind}', NEW.id, NEW.${day}, next_on FROM period_lock
        WHERE NEW.removed = 0 AND NEW.${day} <= until
        ON CONFLICT (kind, id) DO UPDATE SET original_on = excluded.original_on, posted_on = excluded.posted_on;
    END;
    CREATE TRIGGER ${table}_late_delete AFTER DELETE ON ${table} BEGIN
      DELETE FROM late_row WHERE kind = '${kind}' AND id = OLD.id;
    END;`;
}

export const periodLockTables = `
-- Rows that arrived with a date in a locked period. They count on posted_on. original_on: their own date.
CREATE TABLE late_row (
  kind TEXT NOT NULL CHECK (kind IN ('line', 'payment', 'payout', 'exception')),
  id INTEGER NOT NULL,
  original_on TEXT NOT NULL,
  posted_on TEXT NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX late_row_posted ON late_row (kind, posted_on);

-- Date on which a confirmed group counts as cleared: the latest date of its lines and payments (original_on), or the first
-- unlocked day if that date was already locked. A group cleared on a locked day cannot be changed.
CREATE TABLE match_cleared (
  group_id INTEGER PRIMARY KEY REFERENCES match_group (id) ON DELETE CASCADE,
  original_on TEXT NOT NULL,
  cleared_on TEXT NOT NULL
) STRICT;
CREATE INDEX match_cleared_on ON match_cleared (cleared_on);

-- Rows whose own day is unlocked again count on that day.
CREATE TRIGGER period_lock_release AFTER UPDATE ON period_lock WHEN NEW.until < OLD.until BEGIN
  UPDATE match_cleared SET cleared_on = max(original_on, NEW.next_on) WHERE cleared_on > max(original_on, NEW.next_on);
  DELETE FROM late_row WHERE posted_on > NEW.until AND original_on > NEW.until;
  UPDATE late_row SET posted_on = NEW.next_on WHERE posted_on > NEW.next_on;
END;

CREATE TRIGGER match_cleared_insert AFTER INSERT ON match_item WHEN NEW.claim_state >= 3 AND NEW.category IS NULL BEGIN
  ${clearing}
END;
CREATE TRIGGER match_cleared_confirm AFTER UPDATE OF claim_state ON match_item
  WHEN NEW.claim_state >= 3 AND OLD.claim_state < 3 AND NEW.category IS NULL
BEGIN
  ${clearing}
END;
CREATE TRIGGER match_cleared_release AFTER UPDATE OF claim_state ON match_item WHEN NEW.claim_state < 3 AND OLD.claim_state >= 3 BEGIN
  DELETE FROM match_cleared WHERE group_id = NEW.group_id;
END;
CREATE TRIGGER match_locked BEFORE UPDATE OF status, rule, rule_version, score, currency, dated_on, amount_in_cents, lines_in_cents,
    transactions_in_cents, adjustments_in_cents, line_count, transaction_count, reasons, key, user_rule, payout_id, reverses, run_id,
    made_at, changed_at, changed_by, reason ON match_group
  WHEN ${lockedGroup('OLD.id')}
BEGIN
  SELECT RAISE(ABORT, 'period_locked: match ' || OLD.id);
END;
CREATE TRIGGER match_item_locked BEFORE UPDATE ON match_item WHEN ${lockedGroup('OLD.group_id')} BEGIN
  SELECT RAISE(ABORT, 'period_locked: match ' || OLD.group_id);
END;
CREATE TRIGGER match_item_locked_insert BEFORE INSERT ON match_item WHEN ${lockedGroup('NEW.group_id')} BEGIN
  SELECT RAISE(ABORT, 'period_locked: match ' || NEW.group_id);
END;
CREATE TRIGGER match_item_locked_delete BEFORE DELETE ON match_item WHEN ${lockedGroup('OLD.group_id')} BEGIN
  SELECT RAISE(ABORT, 'period_locked: match ' || OLD.group_id);
END;

${guarded('bank_line', 'line', 'booked_on', [
  'account_id',
  'import_id',
  'row',
  'removed',
  'booked_on',
  'value_on',
  'amount_in_cents',
  'currency',
  'bank_id',
  'text_hash',
  'occurrence',
  'kind',
  'description',
  'reference',
  'counterparty',
  'payout_id',
  'gateway_transaction_id',
  'fee_in_cents',
  'net_in_cents',
  'location',
  'extra_fields',
])}
${guarded('match_payment', 'payment', 'paid_on', [
  'id',
  'statement_id',
  'kind',
  'removed',
  'paid_on',
  'amount_in_cents',
  'currency',
  'payment_id',
  'gateway_transaction_id',
])}
${guarded('bank_payout', 'payout', 'paid_on', [
  'account_id',
  'payout_id',
  'currency',
  'removed',
  'paid_on',
  'stated_in_cents',
])}

CREATE TRIGGER bank_account_locked BEFORE UPDATE OF kind, currency ON bank_account
  WHEN (OLD.kind IS NOT NEW.kind OR OLD.currency IS NOT NEW.currency)
    AND EXISTS (SELECT 1 FROM bank_line WHERE account_id = OLD.id AND ${locked('bank_line', 'line', 'booked_on')})
BEGIN
  SELECT RAISE(ABORT, 'period_locked: account ' || OLD.id);
END;

-- Checks may still change an exception; such a change is recorded as a change since sign-off. Decisions of users belong to
-- its period.
CREATE TRIGGER exception_locked BEFORE INSERT ON exception_entry
  WHEN NEW.user IS NOT NULL AND NEW.action IN ('accepted', 'reopened', 'closed')
    AND EXISTS (SELECT 1 FROM exception WHERE id = NEW.exception_id AND ${lockedException('exception')})
BEGIN
  SELECT RAISE(ABORT, 'period_locked: exception ' || NEW.exception_id);
END;
CREATE TRIGGER exception_late_insert AFTER INSERT ON exception
  WHEN NEW.dated_on <> '' AND NEW.dated_on <= (SELECT until FROM period_lock)
BEGIN
  ${late('exception', 'dated_on')}
END;
CREATE TRIGGER exception_late_reopened AFTER UPDATE OF status ON exception
  WHEN OLD.status = 'closed' AND NEW.status = 'open' AND NEW.dated_on <> '' AND NEW.dated_on <= (SELECT until FROM period_lock)
    AND NOT EXISTS (SELECT 1 FROM sign_off_change WHERE kind = 'exception' AND row = NEW.id AND change <> 'added' AND ended_at IS NULL)
BEGIN
  ${late('exception', 'dated_on')}
END;
`;
