import type { WritableDb } from '../../database.ts';

/** How far the checks of the copies are, and what they read by. */
export function up(db: WritableDb): void {
  db.exec(`
    -- What is to be checked: a subscription by its id; of the webhooks whose body names none, a stretch of 1,024 ids by
    -- -1 - id / 1024. due_at: not before this moment of the service's clock (ms UTC), as until then more may arrive.
    CREATE TABLE check_due (
      unit INTEGER PRIMARY KEY,
      due_at INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX check_due_at ON check_due (due_at);

    CREATE TRIGGER statement_to_check AFTER INSERT ON statement BEGIN
      INSERT INTO check_due (unit) VALUES (NEW.subscription_id) ON CONFLICT (unit) DO UPDATE SET due_at = 0;
    END;
    CREATE TRIGGER statement_changed_to_check AFTER UPDATE OF digest, subscription_id, vanished_at ON statement
      WHEN OLD.digest IS NOT NEW.digest OR OLD.subscription_id IS NOT NEW.subscription_id
        OR OLD.vanished_at IS NOT NEW.vanished_at
    BEGIN
      INSERT INTO check_due (unit) VALUES (OLD.subscription_id) ON CONFLICT (unit) DO UPDATE SET due_at = 0;
      INSERT INTO check_due (unit) VALUES (NEW.subscription_id) ON CONFLICT (unit) DO UPDATE SET due_at = 0;
    END;
    -- A copy read again that says the same proves more than before, if something happened since it was read first.
    CREATE TRIGGER statement_proved_to_check AFTER UPDATE OF read_at ON statement
      WHEN OLD.digest IS NEW.digest AND OLD.vanished_at IS NEW.vanished_at AND NEW.read_at > OLD.read_at AND (
        EXISTS (SELECT 1 FROM txn WHERE txn.subscription_id = NEW.subscription_id
          AND txn.created_at > OLD.read_at - 86400000)
        OR EXISTS (SELECT 1 FROM webhook WHERE webhook.subscription_id = NEW.subscription_id
          AND webhook.created_at > OLD.read_at - 86400000))
    BEGIN
      INSERT INTO check_due (unit) VALUES (NEW.subscription_id) ON CONFLICT (unit) DO UPDATE SET due_at = 0;
    END;
    CREATE TRIGGER statement_gone_to_check AFTER DELETE ON statement BEGIN
      INSERT INTO check_due (unit) VALUES (OLD.subscription_id) ON CONFLICT (unit) DO UPDATE SET due_at = 0;
    END;

    CREATE TRIGGER webhook_to_check AFTER INSERT ON webhook BEGIN
      INSERT INTO check_due (unit) VALUES (coalesce(NEW.subscription_id, -1 - NEW.id / 1024))
        ON CONFLICT (unit) DO UPDATE SET due_at = 0;
    END;
    CREATE TRIGGER webhook_changed_to_check AFTER UPDATE ON webhook
      WHEN OLD.body IS NOT NEW.body OR OLD.event IS NOT NEW.event OR OLD.successful IS NOT NEW.successful
        OR OLD.created_at IS NOT NEW.created_at OR OLD.accepted_at IS NOT NEW.accepted_at
        OR OLD.last_sent_at IS NOT NEW.last_sent_at OR OLD.last_error IS NOT NEW.last_error
        OR OLD.last_sent_url IS NOT NEW.last_sent_url OR OLD.signature IS NOT NEW.signature
        OR OLD.subscription_id IS NOT NEW.subscription_id
    BEGIN
      INSERT INTO check_due (unit) VALUES (coalesce(OLD.subscription_id, -1 - OLD.id / 1024))
        ON CONFLICT (unit) DO UPDATE SET due_at = 0;
      INSERT INTO check_due (unit) VALUES (coalesce(NEW.subscription_id, -1 - NEW.id / 1024))
        ON CONFLICT (unit) DO UPDATE SET due_at = 0;
    END;

    CREATE TRIGGER allocation_to_check AFTER INSERT ON allocation BEGIN
      INSERT INTO check_due (unit) VALUES (NEW.subscription_id) ON CONFLICT (unit) DO UPDATE SET due_at = 0;
    END;
    CREATE TRIGGER allocation_changed_to_check AFTER UPDATE ON allocation BEGIN
      INSERT INTO check_due (unit) VALUES (NEW.subscription_id) ON CONFLICT (unit) DO UPDATE SET due_at = 0;
    END;
    CREATE TRIGGER allocation_gone_to_check AFTER DELETE ON allocation BEGIN
      INSERT INTO check_due (unit) VALUES (OLD.subscription_id) ON CONFLICT (unit) DO UPDATE SET due_at = 0;
    END;
    CREATE TRIGGER pair_to_check AFTER UPDATE OF state, component_name ON pair
      WHEN OLD.state IS NOT NEW.state OR OLD.component_name IS NOT NEW.component_name
    BEGIN
      INSERT INTO check_due (unit) VALUES (NEW.subscription_id) ON CONFLICT (unit) DO UPDATE SET due_at = 0;
    END;

    -- What a webhook's body tells of a statement and its transactions, read once; '' where it tells nothing.
    CREATE TABLE webhook_told (
      webhook_id INTEGER PRIMARY KEY,
      told TEXT NOT NULL
    ) STRICT;
    CREATE TRIGGER webhook_told_otherwise AFTER UPDATE OF body ON webhook WHEN OLD.body IS NOT NEW.body BEGIN
      DELETE FROM webhook_told WHERE webhook_id = NEW.id;
    END;
    CREATE TRIGGER webhook_told_no_more AFTER DELETE ON webhook BEGIN
      DELETE FROM webhook_told WHERE webhook_id = OLD.id;
    END;

    -- The words drawn from a PDF of the archive, by what the PDF holds. '' where none could be drawn.
    CREATE TABLE pdf_words (
      sha256 TEXT PRIMARY KEY,
      words TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER pdf_to_check AFTER INSERT ON pdf BEGIN
      INSERT INTO check_due (unit) SELECT subscription_id FROM statement WHERE id = NEW.statement_id
        ON CONFLICT (unit) DO UPDATE SET due_at = 0;
    END;

    CREATE TRIGGER pdf_changed_to_check AFTER UPDATE OF statement_updated_at ON pdf
      WHEN OLD.statement_updated_at IS NOT NEW.statement_updated_at
    BEGIN
      INSERT INTO check_due (unit) SELECT subscription_id FROM statement WHERE id = NEW.statement_id
        ON CONFLICT (unit) DO UPDATE SET due_at = 0;
    END;

    -- Rows of different subscriptions that may not meet: one transaction, one identifier of the payment gateway.
    CREATE INDEX txn_id ON txn (id, statement_id);
    CREATE INDEX txn_gateway ON txn (gateway_transaction_id, id, statement_id)
      WHERE gateway_transaction_id IS NOT NULL;
    CREATE INDEX webhook_unnamed ON webhook (id) WHERE subscription_id IS NULL;

    -- Where the checks stand; one row.
    CREATE TABLE check_state (
      one INTEGER PRIMARY KEY CHECK (one = 1),
      checked_at INTEGER,
      full_at INTEGER,
      state TEXT NOT NULL
    ) STRICT;

    -- All that is held is to be checked.
    INSERT OR IGNORE INTO check_due (unit) SELECT subscription_id FROM subscription;
    INSERT OR IGNORE INTO check_due (unit)
      SELECT DISTINCT -1 - id / 1024 FROM webhook WHERE subscription_id IS NULL;
  `);
}
