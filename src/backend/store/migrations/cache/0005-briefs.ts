import type { WritableDb } from '../../database.ts';

/** What the checks read of a webhook stands together by subscription; before, it was looked up all over the log. */
export function up(db: WritableDb): void {
  db.exec(`
    DROP TRIGGER webhook_told_otherwise;
    DROP TRIGGER webhook_told_no_more;
    DROP TABLE webhook_told;

    -- A webhook as the checks look at it, made when it is first checked and gone when it changes. unit: as in check_due.
    -- told: what its body tells of a statement and its transactions (JSON); '' where it tells nothing.
    CREATE TABLE webhook_brief (
      unit INTEGER NOT NULL,
      webhook_id INTEGER NOT NULL,
      event TEXT NOT NULL,
      successful INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      accepted_at INTEGER,
      last_sent_at INTEGER NOT NULL,
      last_error TEXT,
      last_sent_url TEXT,
      signature TEXT,
      told TEXT NOT NULL,
      PRIMARY KEY (unit, webhook_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TRIGGER webhook_brief_otherwise AFTER UPDATE ON webhook
      WHEN OLD.body IS NOT NEW.body OR OLD.event IS NOT NEW.event OR OLD.successful IS NOT NEW.successful
        OR OLD.created_at IS NOT NEW.created_at OR OLD.accepted_at IS NOT NEW.accepted_at
        OR OLD.last_sent_at IS NOT NEW.last_sent_at OR OLD.last_error IS NOT NEW.last_error
        OR OLD.last_sent_url IS NOT NEW.last_sent_url OR OLD.signature IS NOT NEW.signature
        OR OLD.subscription_id IS NOT NEW.subscription_id
    BEGIN
      DELETE FROM webhook_brief WHERE unit = coalesce(OLD.subscription_id, -1 - OLD.id / 1024) AND webhook_id = OLD.id;
    END;
    CREATE TRIGGER webhook_brief_no_more AFTER DELETE ON webhook BEGIN
      DELETE FROM webhook_brief WHERE unit = coalesce(OLD.subscription_id, -1 - OLD.id / 1024) AND webhook_id = OLD.id;
    END;
  `);
}
