import type { WritableDb } from '../../database.ts';

/** The copies of what the service said, and how far the reading of it is. */
export function up(db: WritableDb): void {
  db.exec(`
    -- Every event, delivery state and address (without its query) that occurs, and how many webhooks have it.
    -- The pages, facets and totals of the webhook log are read through it.
    CREATE TABLE webhook_class (
      id INTEGER PRIMARY KEY,
      event TEXT NOT NULL,
      delivery INTEGER NOT NULL CHECK (delivery IN (0, 1, 2)),
      url TEXT NOT NULL,
      count INTEGER NOT NULL DEFAULT 0,
      UNIQUE (event, delivery, url)
    ) STRICT;

    -- Every normalised last_error that occurs, and how many webhooks have it.
    CREATE TABLE webhook_error (
      id INTEGER PRIMARY KEY,
      error TEXT NOT NULL UNIQUE,
      count INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    -- An instant that was not sent, or cannot be read, is 0 in the columns that lists are sorted by.
    CREATE TABLE webhook (
      id INTEGER PRIMARY KEY,
      class_id INTEGER NOT NULL REFERENCES webhook_class (id),
      error_id INTEGER REFERENCES webhook_error (id),
      successful INTEGER NOT NULL CHECK (successful IN (0, 1)),
      delivery INTEGER NOT NULL CHECK (delivery IN (0, 1, 2)),
      created_at INTEGER NOT NULL,
      accepted_at INTEGER,
      last_sent_at INTEGER NOT NULL,
      last_error_at INTEGER,
      subscription_id INTEGER,
      statement_id INTEGER,
      component_id INTEGER,
      read_at INTEGER NOT NULL,
      event TEXT NOT NULL,
      created_at_text TEXT,
      accepted_at_text TEXT,
      last_sent_at_text TEXT,
      last_error_at_text TEXT,
      last_sent_url TEXT,
      last_error TEXT,
      signature TEXT,
      extra TEXT NOT NULL,
      body_form TEXT NOT NULL CHECK (body_form IN ('form', 'json', 'object', 'unreadable')),
      body TEXT NOT NULL
    ) STRICT;
    -- Every sort of the log has an index that begins with the class: a page is the merge of the classes it shows.
    CREATE INDEX webhook_class_created ON webhook (class_id, created_at);
    CREATE INDEX webhook_class_sent ON webhook (class_id, last_sent_at, id, created_at);
    CREATE INDEX webhook_class_id ON webhook (class_id, id, created_at);
    CREATE INDEX webhook_created ON webhook (created_at, id, class_id, last_sent_at);
    CREATE INDEX webhook_error_class ON webhook (error_id, class_id, created_at, id, last_sent_at)
      WHERE error_id IS NOT NULL;
    CREATE INDEX webhook_subscription ON webhook (subscription_id, created_at) WHERE subscription_id IS NOT NULL;
    CREATE INDEX webhook_statement ON webhook (statement_id, created_at) WHERE statement_id IS NOT NULL;

    -- How many webhooks of a class were created on a UTC day, and between which ids they lie, at least: a range of days
    -- is a range of ids, and no webhook of those days is outside it. Kept by triggers, as the other counts.
    CREATE TABLE webhook_day (
      day INTEGER NOT NULL,
      class_id INTEGER NOT NULL,
      count INTEGER NOT NULL,
      first_id INTEGER NOT NULL,
      last_id INTEGER NOT NULL,
      PRIMARY KEY (day, class_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TRIGGER webhook_added AFTER INSERT ON webhook BEGIN
      UPDATE webhook_class SET count = count + 1 WHERE id = NEW.class_id;
      UPDATE webhook_error SET count = count + 1 WHERE id = NEW.error_id;
      INSERT INTO webhook_day VALUES (NEW.created_at / 86400000, NEW.class_id, 1, NEW.id, NEW.id)
        ON CONFLICT (day, class_id) DO UPDATE
        SET count = count + 1, first_id = min(first_id, NEW.id), last_id = max(last_id, NEW.id);
    END;
    CREATE TRIGGER webhook_gone AFTER DELETE ON webhook BEGIN
      UPDATE webhook_class SET count = count - 1 WHERE id = OLD.class_id;
      UPDATE webhook_error SET count = count - 1 WHERE id = OLD.error_id;
      UPDATE webhook_day SET count = count - 1
        WHERE day = OLD.created_at / 86400000 AND class_id = OLD.class_id;
    END;
    CREATE TRIGGER webhook_moved AFTER UPDATE OF class_id, created_at ON webhook
      WHEN OLD.class_id <> NEW.class_id OR OLD.created_at <> NEW.created_at
    BEGIN
      UPDATE webhook_class SET count = count - 1 WHERE id = OLD.class_id;
      UPDATE webhook_class SET count = count + 1 WHERE id = NEW.class_id;
      UPDATE webhook_day SET count = count - 1
        WHERE day = OLD.created_at / 86400000 AND class_id = OLD.class_id;
      INSERT INTO webhook_day VALUES (NEW.created_at / 86400000, NEW.class_id, 1, NEW.id, NEW.id)
        ON CONFLICT (day, class_id) DO UPDATE
        SET count = count + 1, first_id = min(first_id, NEW.id), last_id = max(last_id, NEW.id);
    END;
    CREATE TRIGGER webhook_error_changed AFTER UPDATE OF error_id ON webhook WHEN OLD.error_id IS NOT NEW.error_id BEGIN
      UPDATE webhook_error SET count = count - 1 WHERE id = OLD.error_id;
      UPDATE webhook_error SET count = count + 1 WHERE id = NEW.error_id;
    END;

    -- Search: the words of the values; "narrow" holds tokens by which filters are carried into the index.
    -- Filled behind the writes from the list of what is still to be (re)indexed.
    CREATE VIRTUAL TABLE webhook_fts USING fts5 (
      body, event, error, narrow, content = '', contentless_delete = 1, tokenize = "unicode61 tokenchars '_'"
    );
    CREATE TABLE webhook_unindexed (id INTEGER PRIMARY KEY) STRICT;
    CREATE TRIGGER webhook_unindexed_new AFTER INSERT ON webhook BEGIN
      INSERT INTO webhook_unindexed (id) SELECT NEW.id WHERE NOT EXISTS (SELECT 1 FROM webhook_unindexed WHERE id = NEW.id);
    END;
    CREATE TRIGGER webhook_unindexed_change
      AFTER UPDATE OF event, body, last_error, class_id ON webhook
      WHEN OLD.event IS NOT NEW.event OR OLD.body IS NOT NEW.body OR OLD.last_error IS NOT NEW.last_error
        OR OLD.class_id IS NOT NEW.class_id
    BEGIN
      INSERT INTO webhook_unindexed (id) SELECT NEW.id WHERE NOT EXISTS (SELECT 1 FROM webhook_unindexed WHERE id = NEW.id);
    END;
    CREATE TRIGGER webhook_unindexed_gone AFTER DELETE ON webhook BEGIN
      DELETE FROM webhook_unindexed WHERE id = OLD.id;
      DELETE FROM webhook_fts WHERE rowid = OLD.id;
    END;

    -- state: 0 open, 1 unpaid, 2 paid. filed_at: the day it belongs to, closed_at, or opened_at while open.
    CREATE TABLE statement (
      id INTEGER PRIMARY KEY,
      subscription_id INTEGER NOT NULL,
      state INTEGER NOT NULL CHECK (state IN (0, 1, 2)),
      filed_at INTEGER NOT NULL,
      opened_at INTEGER NOT NULL,
      closed_at INTEGER,
      settled_at INTEGER,
      created_at INTEGER,
      updated_at INTEGER,
      starting_balance_in_cents INTEGER NOT NULL,
      ending_balance_in_cents INTEGER NOT NULL,
      charges_in_cents INTEGER NOT NULL,
      payments_in_cents INTEGER NOT NULL,
      customer_name TEXT NOT NULL COLLATE NOCASE,
      read_at INTEGER NOT NULL,
      vanished_at INTEGER,
      digest TEXT NOT NULL,
      opened_at_text TEXT,
      closed_at_text TEXT,
      settled_at_text TEXT,
      created_at_text TEXT,
      updated_at_text TEXT,
      memo TEXT,
      customer_first_name TEXT,
      customer_last_name TEXT,
      customer_organization TEXT,
      customer_shipping_address TEXT,
      customer_shipping_address_2 TEXT,
      customer_shipping_city TEXT,
      customer_shipping_state TEXT,
      customer_shipping_country TEXT,
      customer_shipping_zip TEXT,
      customer_billing_address TEXT,
      customer_billing_address_2 TEXT,
      customer_billing_city TEXT,
      customer_billing_state TEXT,
      customer_billing_country TEXT,
      customer_billing_zip TEXT,
      future_payments TEXT NOT NULL,
      extra TEXT NOT NULL
    ) STRICT;
    CREATE INDEX statement_filed ON statement
      (state, filed_at, id, opened_at, ending_balance_in_cents, charges_in_cents, payments_in_cents);
    CREATE INDEX statement_opened ON statement (state, opened_at);
    CREATE INDEX statement_id ON statement (state, id);
    CREATE INDEX statement_balance ON statement (state, ending_balance_in_cents);
    CREATE INDEX statement_customer ON statement (state, customer_name);
    CREATE INDEX statement_subscription ON statement (subscription_id, filed_at);

    CREATE TABLE statement_view (
      statement_id INTEGER PRIMARY KEY REFERENCES statement (id) ON DELETE CASCADE,
      text_view TEXT,
      basic_html_view TEXT,
      html_view TEXT
    ) STRICT;

    -- How many statements are in each state, and their sums; kept by triggers.
    CREATE TABLE statement_sum (
      state INTEGER PRIMARY KEY CHECK (state IN (0, 1, 2)),
      count INTEGER NOT NULL,
      charges_in_cents INTEGER NOT NULL,
      payments_in_cents INTEGER NOT NULL,
      ending_balance_in_cents INTEGER NOT NULL
    ) STRICT;
    INSERT INTO statement_sum VALUES (0, 0, 0, 0, 0), (1, 0, 0, 0, 0), (2, 0, 0, 0, 0);
    CREATE TRIGGER statement_sum_add AFTER INSERT ON statement BEGIN
      UPDATE statement_sum SET count = count + 1,
        charges_in_cents = charges_in_cents + NEW.charges_in_cents,
        payments_in_cents = payments_in_cents + NEW.payments_in_cents,
        ending_balance_in_cents = ending_balance_in_cents + NEW.ending_balance_in_cents
      WHERE state = NEW.state;
    END;
    CREATE TRIGGER statement_sum_take AFTER DELETE ON statement BEGIN
      UPDATE statement_sum SET count = count - 1,
        charges_in_cents = charges_in_cents - OLD.charges_in_cents,
        payments_in_cents = payments_in_cents - OLD.payments_in_cents,
        ending_balance_in_cents = ending_balance_in_cents - OLD.ending_balance_in_cents
      WHERE state = OLD.state;
    END;
    CREATE TRIGGER statement_sum_move
      AFTER UPDATE OF state, charges_in_cents, payments_in_cents, ending_balance_in_cents ON statement
    BEGIN
      UPDATE statement_sum SET count = count - 1,
        charges_in_cents = charges_in_cents - OLD.charges_in_cents,
        payments_in_cents = payments_in_cents - OLD.payments_in_cents,
        ending_balance_in_cents = ending_balance_in_cents - OLD.ending_balance_in_cents
      WHERE state = OLD.state;
      UPDATE statement_sum SET count = count + 1,
        charges_in_cents = charges_in_cents + NEW.charges_in_cents,
        payments_in_cents = payments_in_cents + NEW.payments_in_cents,
        ending_balance_in_cents = ending_balance_in_cents + NEW.ending_balance_in_cents
      WHERE state = NEW.state;
    END;

    CREATE VIRTUAL TABLE statement_fts USING fts5 (
      customer, memo, text, narrow, content = '', contentless_delete = 1, tokenize = "unicode61 tokenchars '_'"
    );
    CREATE TABLE statement_unindexed (id INTEGER PRIMARY KEY) STRICT;
    CREATE TRIGGER statement_unindexed_new AFTER INSERT ON statement BEGIN
      INSERT INTO statement_unindexed (id) SELECT NEW.id WHERE NOT EXISTS (SELECT 1 FROM statement_unindexed WHERE id = NEW.id);
    END;
    CREATE TRIGGER statement_unindexed_change AFTER UPDATE OF digest ON statement
      WHEN OLD.digest IS NOT NEW.digest
    BEGIN
      INSERT INTO statement_unindexed (id) SELECT NEW.id WHERE NOT EXISTS (SELECT 1 FROM statement_unindexed WHERE id = NEW.id);
    END;
    CREATE TRIGGER statement_unindexed_gone AFTER DELETE ON statement BEGIN
      DELETE FROM statement_unindexed WHERE id = OLD.id;
      DELETE FROM statement_fts WHERE rowid = OLD.id;
    END;

    -- The ids the service lists, whether their statement is held or not.
    CREATE TABLE statement_known (
      id INTEGER PRIMARY KEY,
      first_seen_at INTEGER NOT NULL,
      vanished_at INTEGER
    ) STRICT;

    CREATE TABLE txn_class (
      id INTEGER PRIMARY KEY,
      type TEXT NOT NULL,
      kind TEXT NOT NULL,
      count INTEGER NOT NULL DEFAULT 0,
      amount_in_cents INTEGER NOT NULL DEFAULT 0,
      UNIQUE (type, kind)
    ) STRICT;

    -- A statement's transactions in the order sent. Should the service show one under two statements, both stand.
    CREATE TABLE txn (
      row INTEGER PRIMARY KEY,
      id INTEGER NOT NULL,
      statement_id INTEGER NOT NULL REFERENCES statement (id) ON DELETE CASCADE,
      ordinal INTEGER NOT NULL,
      class_id INTEGER NOT NULL REFERENCES txn_class (id),
      subscription_id INTEGER,
      created_at INTEGER NOT NULL,
      amount_in_cents INTEGER NOT NULL,
      starting_balance_in_cents INTEGER,
      ending_balance_in_cents INTEGER,
      success INTEGER CHECK (success IN (0, 1)),
      product_id INTEGER,
      payment_id INTEGER,
      transaction_type TEXT,
      type TEXT,
      kind TEXT,
      memo TEXT,
      created_at_text TEXT,
      gateway_transaction_id TEXT,
      extra TEXT NOT NULL,
      UNIQUE (statement_id, ordinal)
    ) STRICT;
    CREATE INDEX txn_class_id ON txn (class_id, id, row, created_at, amount_in_cents);
    CREATE INDEX txn_class_created ON txn (class_id, created_at, id, row, amount_in_cents);
    CREATE INDEX txn_subscription ON txn (subscription_id, created_at, id, row, class_id, amount_in_cents)
      WHERE subscription_id IS NOT NULL;
    CREATE TRIGGER txn_class_add AFTER INSERT ON txn BEGIN
      UPDATE txn_class SET count = count + 1, amount_in_cents = amount_in_cents + NEW.amount_in_cents
      WHERE id = NEW.class_id;
    END;
    CREATE TRIGGER txn_class_take AFTER DELETE ON txn BEGIN
      UPDATE txn_class SET count = count - 1, amount_in_cents = amount_in_cents - OLD.amount_in_cents
      WHERE id = OLD.class_id;
    END;

    CREATE TABLE statement_event (
      statement_id INTEGER NOT NULL REFERENCES statement (id) ON DELETE CASCADE,
      ordinal INTEGER NOT NULL,
      id INTEGER NOT NULL,
      key TEXT NOT NULL,
      message TEXT,
      created_at INTEGER,
      created_at_text TEXT,
      subscription_id INTEGER,
      event_specific_data TEXT NOT NULL,
      extra TEXT NOT NULL,
      PRIMARY KEY (statement_id, ordinal)
    ) STRICT, WITHOUT ROWID;

    -- What the other tables show of a subscription; kept on write. Nothing known is '' or 0 where a list is sorted by it.
    CREATE TABLE subscription (
      subscription_id INTEGER PRIMARY KEY,
      customer_name TEXT NOT NULL DEFAULT '' COLLATE NOCASE,
      customer_organization TEXT,
      statements INTEGER NOT NULL DEFAULT 0,
      unpaid INTEGER NOT NULL DEFAULT 0,
      balance_in_cents INTEGER NOT NULL DEFAULT 0,
      last_closed_at INTEGER,
      last_closed_at_text TEXT
    ) STRICT;
    CREATE INDEX subscription_customer ON subscription (customer_name);
    CREATE INDEX subscription_balance ON subscription (balance_in_cents);

    -- A subscription's component whose history is followed. hinted_at: when something last told of a change in it.
    CREATE TABLE pair (
      row INTEGER PRIMARY KEY,
      subscription_id INTEGER NOT NULL,
      component_id INTEGER NOT NULL,
      component_name TEXT,
      state TEXT NOT NULL CHECK (state IN ('held', 'waiting', 'missing', 'problem')),
      source TEXT NOT NULL CHECK (source IN ('webhook', 'statement', 'user', 'file')),
      hinted_at INTEGER,
      read_at INTEGER,
      last_at INTEGER NOT NULL DEFAULT 0,
      last_at_text TEXT,
      quantity ANY,
      allocations INTEGER NOT NULL DEFAULT 0,
      UNIQUE (subscription_id, component_id)
    ) STRICT;
    CREATE INDEX pair_last ON pair (last_at);
    CREATE INDEX pair_component ON pair (component_id);
    CREATE INDEX pair_state ON pair (state, last_at);

    CREATE TABLE allocation (
      subscription_id INTEGER NOT NULL,
      component_id INTEGER NOT NULL,
      timestamp_ms INTEGER NOT NULL,
      ordinal INTEGER NOT NULL,
      timestamp TEXT NOT NULL,
      quantity ANY NOT NULL,
      previous_quantity ANY NOT NULL,
      memo TEXT,
      proration_upgrade_scheme TEXT,
      proration_downgrade_scheme TEXT,
      extra TEXT NOT NULL,
      read_at INTEGER NOT NULL,
      PRIMARY KEY (subscription_id, component_id, timestamp_ms, ordinal)
    ) STRICT, WITHOUT ROWID;

    -- Each rendering of a statement's PDF; a new one is a new version.
    CREATE TABLE pdf (
      statement_id INTEGER NOT NULL,
      version INTEGER NOT NULL,
      sha256 TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      fetched_at INTEGER NOT NULL,
      statement_updated_at INTEGER,
      PRIMARY KEY (statement_id, version)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE sync_part (
      part TEXT PRIMARY KEY,
      synced_at INTEGER,
      expected INTEGER,
      complete INTEGER NOT NULL CHECK (complete IN (0, 1)),
      checkpoint TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE sync_unit (
      part TEXT NOT NULL,
      unit TEXT NOT NULL,
      state TEXT NOT NULL,
      checkpoint TEXT NOT NULL,
      updated_at INTEGER NOT NULL,
      PRIMARY KEY (part, unit)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sync_unit_state ON sync_unit (part, state);

    CREATE TABLE sync_run (
      job TEXT PRIMARY KEY,
      started_at INTEGER NOT NULL,
      ended_at INTEGER,
      state TEXT NOT NULL CHECK (state IN ('running', 'done', 'failed', 'cancelled', 'interrupted')),
      requests TEXT NOT NULL,
      rows TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      complete INTEGER NOT NULL CHECK (complete IN (0, 1)),
      error TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sync_run_started ON sync_run (started_at);

    -- What could not be read; one row a place, removed when the place was read well.
    CREATE TABLE problem (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      part TEXT NOT NULL,
      place TEXT NOT NULL,
      reason TEXT NOT NULL,
      raw TEXT,
      seen_at INTEGER NOT NULL,
      job TEXT,
      UNIQUE (part, place)
    ) STRICT;
    CREATE INDEX problem_job ON problem (job);
  `);
}
