import type { WritableDb } from '../../database.ts';

/**
 * Periods: how they stand, what they were sealed with, what changed since. What is dated in a closed period cannot be changed, whatever the code
 * does: the triggers here refuse it with `period_locked: <what> <id>`. What comes late is put into the period after it.
 */
export function up(db: WritableDb): void {
  db.exec(`
    -- The last day that is locked and the day after it; '' where nothing is. Kept by triggers on period.
    CREATE TABLE period_lock (
      one INTEGER PRIMARY KEY CHECK (one = 1),
      until TEXT NOT NULL,
      next_on TEXT NOT NULL
    ) STRICT;
    INSERT INTO period_lock VALUES (1, '', '');

    -- sealing: the job that closes it; what is dated in it is locked meanwhile. opened, submitted, reviewed, closed: the entries that are its signatures.
    CREATE TABLE period (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      period TEXT NOT NULL UNIQUE,
      first_on TEXT NOT NULL,
      last_on TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('open', 'submitted', 'reviewed', 'closed')),
      version INTEGER NOT NULL DEFAULT 0,
      sealing TEXT,
      opened INTEGER NOT NULL,
      submitted INTEGER,
      reviewed INTEGER,
      closed INTEGER,
      CHECK (first_on <= last_on),
      CHECK (state <> 'submitted' OR (submitted IS NOT NULL AND reviewed IS NULL)),
      CHECK (state NOT IN ('reviewed', 'closed') OR (submitted IS NOT NULL AND reviewed IS NOT NULL)),
      CHECK ((state = 'closed') = (closed IS NOT NULL)),
      CHECK (sealing IS NULL OR state = 'reviewed')
    ) STRICT;
    CREATE TRIGGER period_stays BEFORE DELETE ON period BEGIN
      SELECT RAISE(ABORT, 'a period is reopened, not deleted');
    END;
    CREATE TRIGGER period_days BEFORE UPDATE OF period, first_on, last_on ON period BEGIN
      SELECT RAISE(ABORT, 'the days of a period do not change');
    END;
    CREATE TRIGGER period_locks AFTER UPDATE OF state, sealing ON period BEGIN
      UPDATE period_lock SET
        until = coalesce((SELECT max(last_on) FROM period WHERE state = 'closed' OR sealing IS NOT NULL), ''),
        next_on = coalesce((SELECT date(max(last_on), '+1 day') FROM period WHERE state = 'closed' OR sealing IS NOT NULL), '');
    END;

    -- What happened to a period, oldest first. figures: digest of those that were signed.
    CREATE TABLE period_entry (
      period_id INTEGER NOT NULL REFERENCES period (id),
      seq INTEGER NOT NULL,
      at INTEGER NOT NULL,
      name TEXT NOT NULL,
      user TEXT NOT NULL,
      what TEXT NOT NULL
        CHECK (what IN ('opened', 'submitted', 'rejected', 'approved', 'closed', 'reopened', 'noted')),
      text TEXT,
      figures TEXT,
      is_self_review INTEGER NOT NULL CHECK (is_self_review IN (0, 1)),
      version INTEGER,
      PRIMARY KEY (period_id, seq)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER period_entry_never_changes BEFORE UPDATE ON period_entry BEGIN
      SELECT RAISE(ABORT, 'what happened to a period stays written');
    END;
    CREATE TRIGGER period_entry_never_goes BEFORE DELETE ON period_entry BEGIN
      SELECT RAISE(ABORT, 'what happened to a period stays written');
    END;

    -- A sign-off. signed: the figures, word for word. content: all that it seals, and sha256 over that; null while it is made.
    -- compared_at: when every row was held against it last.
    CREATE TABLE period_seal (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      period_id INTEGER NOT NULL REFERENCES period (id),
      version INTEGER NOT NULL,
      from_on TEXT,
      until_on TEXT NOT NULL,
      sealed_at INTEGER NOT NULL,
      figures TEXT NOT NULL,
      signed TEXT NOT NULL,
      content TEXT,
      sha256 TEXT,
      reopened_at INTEGER,
      compared_at INTEGER,
      UNIQUE (period_id, version),
      CHECK ((content IS NULL) = (sha256 IS NULL))
    ) STRICT;
    CREATE TRIGGER period_seal_holds
      BEFORE UPDATE OF period_id, version, from_on, until_on, sealed_at, figures, signed, content, sha256 ON period_seal
      WHEN OLD.content IS NOT NULL
    BEGIN
      SELECT RAISE(ABORT, 'a seal does not change');
    END;
    CREATE TRIGGER period_seal_stays BEFORE DELETE ON period_seal WHEN OLD.content IS NOT NULL BEGIN
      SELECT RAISE(ABORT, 'a seal does not change');
    END;

    -- Sealed rows of a kind in the order of their ids, some together. sha256: of their canonical JSON lines; content: these, deflated.
    CREATE TABLE period_chunk (
      id INTEGER PRIMARY KEY,
      seal_id INTEGER NOT NULL REFERENCES period_seal (id) ON DELETE CASCADE,
      kind TEXT NOT NULL,
      first_row INTEGER NOT NULL,
      count INTEGER NOT NULL,
      sha256 TEXT NOT NULL,
      content BLOB NOT NULL,
      UNIQUE (seal_id, kind, first_row)
    ) STRICT;
    CREATE TRIGGER period_chunk_holds BEFORE UPDATE ON period_chunk BEGIN
      SELECT RAISE(ABORT, 'a seal does not change');
    END;
    CREATE TRIGGER period_chunk_stays BEFORE DELETE ON period_chunk
      WHEN (SELECT content FROM period_seal WHERE id = OLD.seal_id) IS NOT NULL
    BEGIN
      SELECT RAISE(ABORT, 'a seal does not change');
    END;

    -- What was outstanding when a period was closed. item: as payment:17.
    CREATE TABLE period_item (
      seal_id INTEGER NOT NULL REFERENCES period_seal (id) ON DELETE CASCADE,
      item TEXT NOT NULL,
      currency TEXT NOT NULL,
      dated_on TEXT NOT NULL,
      amount_in_cents INTEGER NOT NULL,
      text TEXT NOT NULL,
      PRIMARY KEY (seal_id, item)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX period_item_dated ON period_item (seal_id, dated_on, item);
    CREATE INDEX period_item_item ON period_item (item, seal_id);
    CREATE TRIGGER period_item_holds BEFORE UPDATE ON period_item BEGIN
      SELECT RAISE(ABORT, 'a seal does not change');
    END;
    CREATE TRIGGER period_item_stays BEFORE DELETE ON period_item
      WHEN (SELECT content FROM period_seal WHERE id = OLD.seal_id) IS NOT NULL
    BEGIN
      SELECT RAISE(ABORT, 'a seal does not change');
    END;

    -- What was said of an item, oldest first; the newest counts. period: the one that was worked on.
    CREATE TABLE item_said (
      item TEXT NOT NULL,
      seq INTEGER NOT NULL,
      at INTEGER NOT NULL,
      who TEXT NOT NULL,
      period TEXT NOT NULL,
      category TEXT,
      owner TEXT,
      explanation TEXT,
      expected_on TEXT,
      PRIMARY KEY (item, seq)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER item_said_locked BEFORE INSERT ON item_said
      WHEN NEW.period || '-31' <= (SELECT until FROM period_lock)
        OR EXISTS (SELECT 1 FROM period WHERE period = NEW.period AND last_on <= (SELECT until FROM period_lock))
    BEGIN
      SELECT RAISE(ABORT, 'period_locked: item ' || NEW.item);
    END;
    CREATE TRIGGER item_said_never_changes BEFORE UPDATE ON item_said BEGIN
      SELECT RAISE(ABORT, 'what was said of an item stays written');
    END;
    CREATE TRIGGER item_said_never_goes BEFORE DELETE ON item_said BEGIN
      SELECT RAISE(ABORT, 'what was said of an item stays written');
    END;

    -- Up to which moment what was read or written was held against the seals.
    CREATE TABLE period_watch (
      what TEXT PRIMARY KEY CHECK (what IN ('statement', 'exception')),
      mark INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- Rows that are otherwise than sealed. digest: of the row as it was found, so that the same is noted once.
    CREATE TABLE period_drift (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      seal_id INTEGER NOT NULL REFERENCES period_seal (id),
      kind TEXT NOT NULL,
      row INTEGER NOT NULL,
      what TEXT NOT NULL CHECK (what IN ('changed', 'added', 'gone')),
      text TEXT NOT NULL,
      fields TEXT NOT NULL,
      amount_in_cents INTEGER NOT NULL,
      currency TEXT NOT NULL,
      noticed_at INTEGER NOT NULL,
      noticed_what TEXT NOT NULL,
      noticed_job TEXT,
      lands_in TEXT NOT NULL,
      digest TEXT NOT NULL,
      ended_at INTEGER,
      ended_how TEXT CHECK (ended_how IN ('back', 'again', 'reopened')),
      CHECK ((ended_at IS NULL) = (ended_how IS NULL))
    ) STRICT;
    CREATE UNIQUE INDEX period_drift_live ON period_drift (seal_id, kind, row) WHERE ended_at IS NULL;
    CREATE INDEX period_drift_seal ON period_drift (seal_id, id);
    CREATE TRIGGER period_drift_stays BEFORE DELETE ON period_drift BEGIN
      SELECT RAISE(ABORT, 'drift ends, it is not deleted');
    END;

    -- Rows dated on a day that was locked when they came: the day they count on instead. natural_on: their own.
    CREATE TABLE period_late (
      kind TEXT NOT NULL CHECK (kind IN ('line', 'payment', 'payout', 'exception')),
      id INTEGER NOT NULL,
      natural_on TEXT NOT NULL,
      posted_on TEXT NOT NULL,
      PRIMARY KEY (kind, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX period_late_posted ON period_late (kind, posted_on);

    -- The day that what a confirmed group claims counts as cleared: the latest of its lines and payments (natural_on), or, decided later than that
    -- was locked, the first day that was not. A group cleared on a locked day cannot be changed.
    CREATE TABLE match_cleared (
      group_id INTEGER PRIMARY KEY REFERENCES match_group (id) ON DELETE CASCADE,
      natural_on TEXT NOT NULL,
      cleared_on TEXT NOT NULL
    ) STRICT;
    INSERT INTO match_cleared
      SELECT group_id, max(coalesce(booked_on, paid_on)), max(coalesce(booked_on, paid_on)) FROM match_item
      LEFT JOIN bank_line ON bank_line.id = line_id LEFT JOIN match_payment ON match_payment.id = transaction_id
      WHERE standing >= 3 AND category IS NULL GROUP BY group_id;
    CREATE INDEX match_cleared_on ON match_cleared (cleared_on);

    -- What was locked and is no more comes home to its own day.
    CREATE TRIGGER period_unlocks AFTER UPDATE ON period_lock WHEN NEW.until < OLD.until BEGIN
      UPDATE match_cleared SET cleared_on = max(natural_on, NEW.next_on) WHERE cleared_on > max(natural_on, NEW.next_on);
      DELETE FROM period_late WHERE posted_on > NEW.until AND natural_on > NEW.until;
      UPDATE period_late SET posted_on = NEW.next_on WHERE posted_on > NEW.next_on;
    END;

    CREATE TRIGGER match_cleared_add AFTER INSERT ON match_item WHEN NEW.standing >= 3 AND NEW.category IS NULL BEGIN
      ${clearing}
    END;
    CREATE TRIGGER match_cleared_confirm AFTER UPDATE OF standing ON match_item
      WHEN NEW.standing >= 3 AND OLD.standing < 3 AND NEW.category IS NULL
    BEGIN
      ${clearing}
    END;
    CREATE TRIGGER match_cleared_release AFTER UPDATE OF standing ON match_item WHEN NEW.standing < 3 AND OLD.standing >= 3 BEGIN
      DELETE FROM match_cleared WHERE group_id = NEW.group_id;
    END;
    CREATE TRIGGER match_locked BEFORE UPDATE OF status, rule, rule_version, score, currency, dated_on, amount_in_cents, lines_in_cents,
        transactions_in_cents, adjustments_in_cents, line_count, transaction_count, reasons, key, user_rule, payout_id, reverses, run_id,
        made_at, changed_at, changed_by, why ON match_group
      WHEN ${lockedGroup('OLD.id')}
    BEGIN
      SELECT RAISE(ABORT, 'period_locked: match ' || OLD.id);
    END;
    CREATE TRIGGER match_item_locked BEFORE UPDATE ON match_item WHEN ${lockedGroup('OLD.group_id')} BEGIN
      SELECT RAISE(ABORT, 'period_locked: match ' || OLD.group_id);
    END;
    CREATE TRIGGER match_item_locked_in BEFORE INSERT ON match_item WHEN ${lockedGroup('NEW.group_id')} BEGIN
      SELECT RAISE(ABORT, 'period_locked: match ' || NEW.group_id);
    END;
    CREATE TRIGGER match_item_locked_out BEFORE DELETE ON match_item WHEN ${lockedGroup('OLD.group_id')} BEGIN
      SELECT RAISE(ABORT, 'period_locked: match ' || OLD.group_id);
    END;

    ${guarded('bank_line', 'line', 'booked_on', [
      'account_id',
      'import_id',
      'row',
      'gone',
      'booked_on',
      'value_on',
      'amount_in_cents',
      'currency',
      'bank_id',
      'words',
      'occurrence',
      'kind',
      'description',
      'reference',
      'counterparty',
      'payout_id',
      'gateway_transaction_id',
      'fee_in_cents',
      'net_in_cents',
      'place',
      'more',
    ])}
    ${guarded('match_payment', 'payment', 'paid_on', [
      'id',
      'statement_id',
      'kind',
      'gone',
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
      'gone',
      'paid_on',
      'stated_in_cents',
    ])}

    CREATE TRIGGER bank_account_locked BEFORE UPDATE OF kind, currency ON bank_account
      WHEN (OLD.kind IS NOT NEW.kind OR OLD.currency IS NOT NEW.currency)
        AND EXISTS (SELECT 1 FROM bank_line WHERE account_id = OLD.id AND ${locked('bank_line', 'line', 'booked_on')})
    BEGIN
      SELECT RAISE(ABORT, 'period_locked: account ' || OLD.id);
    END;

    -- Checks may find an exception otherwise, which is drift; what people decide about one is of its period.
    CREATE TRIGGER exception_locked BEFORE INSERT ON exception_entry
      WHEN NEW.who IS NOT NULL AND NEW.what IN ('accepted', 'reopened', 'closed')
        AND EXISTS (SELECT 1 FROM exception WHERE id = NEW.exception_id AND ${lockedException('exception')})
    BEGIN
      SELECT RAISE(ABORT, 'period_locked: exception ' || NEW.exception_id);
    END;
    CREATE TRIGGER exception_late_new AFTER INSERT ON exception
      WHEN NEW.dated_on <> '' AND NEW.dated_on <= (SELECT until FROM period_lock)
    BEGIN
      ${late('exception', 'dated_on')}
    END;
    CREATE TRIGGER exception_late_again AFTER UPDATE OF status ON exception
      WHEN OLD.status = 'closed' AND NEW.status = 'open' AND NEW.dated_on <> '' AND NEW.dated_on <= (SELECT until FROM period_lock)
        AND NOT EXISTS (SELECT 1 FROM period_drift WHERE kind = 'exception' AND row = NEW.id AND what <> 'added' AND ended_at IS NULL)
    BEGIN
      ${late('exception', 'dated_on')}
    END;
  `);
}

const UNTIL = '(SELECT until FROM period_lock)';

/** A member that is claimed: its group is cleared no earlier than on its day, and on no locked one. */
const clearing = `INSERT INTO match_cleared
      SELECT NEW.group_id, day, max(day, (SELECT next_on FROM period_lock)) FROM (
        SELECT iif(NEW.line_id IS NULL, (SELECT paid_on FROM match_payment WHERE id = NEW.transaction_id),
          (SELECT booked_on FROM bank_line WHERE id = NEW.line_id)) AS day)
      WHERE true
      ON CONFLICT (group_id) DO UPDATE SET natural_on = max(natural_on, excluded.natural_on),
        cleared_on = max(cleared_on, excluded.cleared_on);`;

function lockedGroup(id: string): string {
  return `EXISTS (SELECT 1 FROM match_cleared WHERE match_cleared.group_id = ${id} AND cleared_on <= ${UNTIL})`;
}

/** Whether a row that stands counts on a locked day. */
function locked(row: string, kind: string, day: string): string {
  return `${row}.gone = 0 AND ${onLockedDay(row, kind, day)}`;
}

function onLockedDay(row: string, kind: string, day: string): string {
  return `${row}.${day} <= ${UNTIL} AND coalesce((SELECT posted_on FROM period_late
        WHERE period_late.kind = '${kind}' AND period_late.id = ${row}.id), ${row}.${day}) <= ${UNTIL}`;
}

function lockedException(row: string): string {
  return `${row}.dated_on <> '' AND ${onLockedDay(row, 'exception', 'dated_on')}`;
}

function late(kind: string, day: string): string {
  return `INSERT INTO period_late SELECT '${kind}', NEW.id, NEW.${day}, next_on FROM period_lock
        WHERE true ON CONFLICT (kind, id) DO UPDATE SET natural_on = excluded.natural_on, posted_on = excluded.posted_on;`;
}

/** Rows that stand and count on a locked day neither change nor go; what comes dated on one is late. */
function guarded(table: string, kind: string, day: string, columns: readonly string[]): string {
  const differs = columns.map((column) => `OLD.${column} IS NOT NEW.${column}`).join(' OR ');
  return `
    CREATE TRIGGER ${table}_locked BEFORE UPDATE OF ${columns.join(', ')} ON ${table}
      WHEN ${locked('OLD', kind, day)} AND (${differs})
    BEGIN
      SELECT RAISE(ABORT, 'period_locked: ${kind} ' || OLD.id);
    END;
    CREATE TRIGGER ${table}_locked_out BEFORE DELETE ON ${table} WHEN ${locked('OLD', kind, day)} BEGIN
      SELECT RAISE(ABORT, 'period_locked: ${kind} ' || OLD.id);
    END;
    CREATE TRIGGER ${table}_late_new AFTER INSERT ON ${table} WHEN NEW.gone = 0 AND NEW.${day} <= ${UNTIL} BEGIN
      ${late(kind, day)}
    END;
    CREATE TRIGGER ${table}_late_change AFTER UPDATE OF gone, ${day} ON ${table}
      WHEN OLD.gone IS NOT NEW.gone OR OLD.${day} IS NOT NEW.${day}
    BEGIN
      DELETE FROM period_late WHERE kind = '${kind}' AND id = NEW.id AND (NEW.gone = 1 OR NEW.${day} > ${UNTIL});
      INSERT INTO period_late SELECT '${kind}', NEW.id, NEW.${day}, next_on FROM period_lock
        WHERE NEW.gone = 0 AND NEW.${day} <= until
        ON CONFLICT (kind, id) DO UPDATE SET natural_on = excluded.natural_on, posted_on = excluded.posted_on;
    END;
    CREATE TRIGGER ${table}_late_gone AFTER DELETE ON ${table} BEGIN
      DELETE FROM period_late WHERE kind = '${kind}' AND id = OLD.id;
    END;`;
}
