const whenCheckedColumnsDiffer = `WHEN OLD.body IS NOT NEW.body OR OLD.class_id IS NOT NEW.class_id OR OLD.successful IS NOT NEW.successful
    OR OLD.created_at IS NOT NEW.created_at OR OLD.accepted_at IS NOT NEW.accepted_at
    OR OLD.last_sent_at IS NOT NEW.last_sent_at OR OLD.last_error IS NOT NEW.last_error
    OR OLD.last_sent_url IS NOT NEW.last_sent_url OR OLD.signature IS NOT NEW.signature
    OR OLD.subscription_id IS NOT NEW.subscription_id`;

export const checkTables = `
-- Units waiting for a check: a subscription ID, or -1 - id / 1024 for a range of 1,024 webhooks that name no subscription.
-- due_at: not before this time of the service (UTC ms), because more data may arrive until then.
CREATE TABLE check_due (
  unit INTEGER PRIMARY KEY,
  due_at INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX check_due_at ON check_due (due_at);
CREATE TRIGGER statement_check_insert AFTER INSERT ON statement BEGIN
  INSERT INTO check_due (unit) VALUES (NEW.subscription_id) ON CONFLICT (unit) DO UPDATE SET due_at = 0;
END;
CREATE TRIGGER statement_check_update AFTER UPDATE OF digest, subscription_id, vanished_at ON statement
  WHEN OLD.digest IS NOT NEW.digest OR OLD.subscription_id IS NOT NEW.subscription_id
    OR OLD.vanished_at IS NOT NEW.vanished_at
BEGIN
  INSERT INTO check_due (unit) VALUES (OLD.subscription_id) ON CONFLICT (unit) DO UPDATE SET due_at = 0;
  INSERT INTO check_due (unit) VALUES (NEW.subscription_id) ON CONFLICT (unit) DO UPDATE SET due_at = 0;
END;
-- A statement that was read again without changes proves more than before if something happened since the first reading.
CREATE TRIGGER statement_check_reread AFTER UPDATE OF read_at ON statement
  WHEN OLD.digest IS NEW.digest AND OLD.vanished_at IS NEW.vanished_at AND NEW.read_at > OLD.read_at AND (
    EXISTS (SELECT 1 FROM txn WHERE txn.subscription_id = NEW.subscription_id
      AND txn.created_at > OLD.read_at - 86400000)
    OR EXISTS (SELECT 1 FROM webhook WHERE webhook.subscription_id = NEW.subscription_id
      AND webhook.created_at > OLD.read_at - 86400000))
BEGIN
  INSERT INTO check_due (unit) VALUES (NEW.subscription_id) ON CONFLICT (unit) DO UPDATE SET due_at = 0;
END;
CREATE TRIGGER statement_check_delete AFTER DELETE ON statement BEGIN
  INSERT INTO check_due (unit) VALUES (OLD.subscription_id) ON CONFLICT (unit) DO UPDATE SET due_at = 0;
END;
CREATE TRIGGER webhook_check_update AFTER UPDATE ON webhook
  ${whenCheckedColumnsDiffer}
BEGIN
  INSERT INTO check_due (unit) VALUES (coalesce(OLD.subscription_id, -1 - OLD.id / 1024))
    ON CONFLICT (unit) DO UPDATE SET due_at = 0;
  INSERT INTO check_due (unit) VALUES (coalesce(NEW.subscription_id, -1 - NEW.id / 1024))
    ON CONFLICT (unit) DO UPDATE SET due_at = 0;
END;
CREATE TRIGGER allocation_check_insert AFTER INSERT ON allocation BEGIN
  INSERT INTO check_due (unit) VALUES (NEW.subscription_id) ON CONFLICT (unit) DO UPDATE SET due_at = 0;
END;
CREATE TRIGGER allocation_check_update AFTER UPDATE ON allocation BEGIN
  INSERT INTO check_due (unit) VALUES (NEW.subscription_id) ON CONFLICT (unit) DO UPDATE SET due_at = 0;
END;
CREATE TRIGGER allocation_check_delete AFTER DELETE ON allocation BEGIN
  INSERT INTO check_due (unit) VALUES (OLD.subscription_id) ON CONFLICT (unit) DO UPDATE SET due_at = 0;
END;
CREATE TRIGGER subscription_component_check_update AFTER UPDATE OF state, component_name ON subscription_component
  WHEN OLD.state IS NOT NEW.state OR OLD.component_name IS NOT NEW.component_name
BEGIN
  INSERT INTO check_due (unit) VALUES (NEW.subscription_id) ON CONFLICT (unit) DO UPDATE SET due_at = 0;
END;
CREATE TRIGGER pdf_check_insert AFTER INSERT ON pdf BEGIN
  INSERT INTO check_due (unit) SELECT subscription_id FROM statement WHERE id = NEW.statement_id
    ON CONFLICT (unit) DO UPDATE SET due_at = 0;
END;
CREATE TRIGGER pdf_check_update AFTER UPDATE OF statement_updated_at ON pdf
  WHEN OLD.statement_updated_at IS NOT NEW.statement_updated_at
BEGIN
  INSERT INTO check_due (unit) SELECT subscription_id FROM statement WHERE id = NEW.statement_id
    ON CONFLICT (unit) DO UPDATE SET due_at = 0;
END;
CREATE INDEX webhook_unnamed ON webhook (id) WHERE subscription_id IS NULL;

-- State of the checks; one row.
CREATE TABLE check_state (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  checked_at INTEGER,
  full_at INTEGER,
  state TEXT NOT NULL
) STRICT;
`;
