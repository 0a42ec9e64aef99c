import type { WritableDb } from '../../database.ts';

/** Of which table, what its definition says, and what it says from now on. */
const CHANGES = [
  ['webhook', 'class_id INTEGER NOT NULL REFERENCES webhook_class (id)', 'class_id INTEGER NOT NULL'],
  ['webhook', 'error_id INTEGER REFERENCES webhook_error (id)', 'error_id INTEGER'],
  ['webhook', 'CHECK (delivery IN (0, 1, 2))', 'CHECK (delivery BETWEEN 0 AND 2)'],
  ['webhook', 'extra TEXT NOT NULL', "extra TEXT NOT NULL DEFAULT '{}'"],
  [
    'webhook',
    "body_form TEXT NOT NULL CHECK (body_form IN ('form', 'json', 'object', 'unreadable'))",
    `body_form TEXT NOT NULL DEFAULT 'form'
        CHECK (body_form = 'form' OR body_form = 'json' OR body_form = 'object' OR body_form = 'unreadable')`,
  ],
  ['statement', 'CHECK (state IN (0, 1, 2))', 'CHECK (state BETWEEN 0 AND 2)'],
] as const;

/** A webhook's row holds less, and less is done for each. */
export function up(db: WritableDb): void {
  storeOnce(db);
  redefine(db);
}

/** An accepted delivery was accepted as it was sent; an address without a query is that of the row's class. */
function storeOnce(db: WritableDb): void {
  const differs = `WHEN OLD.body IS NOT NEW.body OR OLD.class_id IS NOT NEW.class_id OR OLD.successful IS NOT NEW.successful
        OR OLD.created_at IS NOT NEW.created_at OR OLD.accepted_at IS NOT NEW.accepted_at
        OR OLD.last_sent_at IS NOT NEW.last_sent_at OR OLD.last_error IS NOT NEW.last_error
        OR OLD.last_sent_url IS NOT NEW.last_sent_url OR OLD.signature IS NOT NEW.signature
        OR OLD.subscription_id IS NOT NEW.subscription_id`;
  db.exec(`
    DROP TRIGGER webhook_brief_otherwise;
    DROP TRIGGER webhook_changed_to_check;
    UPDATE webhook SET
      accepted_at_text = iif(accepted_at IS NOT NULL AND accepted_at_text IS last_sent_at_text, NULL, accepted_at_text),
      last_sent_url = (SELECT iif(url = last_sent_url AND url <> '', NULL, last_sent_url) FROM webhook_class WHERE id = class_id);

    CREATE TRIGGER webhook_brief_otherwise AFTER UPDATE ON webhook
      ${differs}
    BEGIN
      DELETE FROM webhook_brief WHERE unit = coalesce(OLD.subscription_id, -1 - OLD.id / 1024) AND webhook_id = OLD.id;
    END;
    CREATE TRIGGER webhook_changed_to_check AFTER UPDATE ON webhook
      ${differs}
    BEGIN
      INSERT INTO check_due (unit) VALUES (coalesce(OLD.subscription_id, -1 - OLD.id / 1024))
        ON CONFLICT (unit) DO UPDATE SET due_at = 0;
      INSERT INTO check_due (unit) VALUES (coalesce(NEW.subscription_id, -1 - NEW.id / 1024))
        ON CONFLICT (unit) DO UPDATE SET due_at = 0;
    END;
  `);
}

/**
 * For a list of more than two values SQLite makes a table of its own, anew for every row that is checked: a fifth of what
 * storing a webhook took. What most rows have is a default, so that it need not be given. Classes and errors are never
 * deleted, so nothing is gained by looking each up again as the row that names it is stored.
 *
 * This leaves the rows as they are, so only the schema's text is changed, in the way that SQLite names for it ("Making
 * Other Kinds Of Table Schema Changes" of ALTER TABLE).
 */
function redefine(db: WritableDb): void {
  const version = Number(db.pragma('schema_version', { simple: true }));
  db.unsafeMode(true);
  try {
    db.pragma('writable_schema = ON');
    const read = db
      .prepare<[string], string>("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?")
      .pluck();
    const write = db.prepare("UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?");
    for (const [table, was, becomes] of CHANGES) {
      const sql = read.get(table) ?? '';
      if (!sql.includes(was)) throw new Error(`${table} has no ${was}`);
      write.run(sql.replace(was, becomes), table);
    }
    db.pragma(`schema_version = ${version + 1}`);
  } finally {
    db.pragma('writable_schema = RESET');
    db.unsafeMode(false);
  }
}
