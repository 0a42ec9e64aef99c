export const statementTables = `
-- state: 0 open, 1 unpaid, 2 paid. dated_at: closed_at, or opened_at while the statement is open.
CREATE TABLE statement (
  id INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 2),
  dated_at INTEGER NOT NULL,
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
CREATE INDEX statement_dated ON statement
  (state, dated_at, id, opened_at, ending_balance_in_cents, charges_in_cents, payments_in_cents);
CREATE INDEX statement_opened ON statement (state, opened_at);
CREATE INDEX statement_id ON statement (state, id);
CREATE INDEX statement_balance ON statement (state, ending_balance_in_cents);
CREATE INDEX statement_customer ON statement (state, customer_name);
CREATE INDEX statement_subscription ON statement
  (subscription_id, dated_at, id, state, opened_at, starting_balance_in_cents, ending_balance_in_cents, settled_at, vanished_at);

CREATE TABLE statement_view (
  statement_id INTEGER PRIMARY KEY REFERENCES statement (id) ON DELETE CASCADE,
  text_view TEXT,
  basic_html_view TEXT,
  html_view TEXT
) STRICT;

-- Number of statements per state and their totals. Maintained by triggers.
CREATE TABLE statement_sum (
  state INTEGER PRIMARY KEY CHECK (state IN (0, 1, 2)),
  count INTEGER NOT NULL,
  charges_in_cents INTEGER NOT NULL,
  payments_in_cents INTEGER NOT NULL,
  ending_balance_in_cents INTEGER NOT NULL
) STRICT;
INSERT INTO statement_sum VALUES (0, 0, 0, 0, 0), (1, 0, 0, 0, 0), (2, 0, 0, 0, 0);
CREATE TRIGGER statement_sum_insert AFTER INSERT ON statement BEGIN
  UPDATE statement_sum SET count = count + 1,
    charges_in_cents = charges_in_cents + NEW.charges_in_cents,
    payments_in_cents = payments_in_cents + NEW.payments_in_cents,
    ending_balance_in_cents = ending_balance_in_cents + NEW.ending_balance_in_cents
  WHERE state = NEW.state;
END;
CREATE TRIGGER statement_sum_delete AFTER DELETE ON statement BEGIN
  UPDATE statement_sum SET count = count - 1,
    charges_in_cents = charges_in_cents - OLD.charges_in_cents,
    payments_in_cents = payments_in_cents - OLD.payments_in_cents,
    ending_balance_in_cents = ending_balance_in_cents - OLD.ending_balance_in_cents
  WHERE state = OLD.state;
END;
CREATE TRIGGER statement_sum_update
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
CREATE TRIGGER statement_unindexed_insert AFTER INSERT ON statement BEGIN
  INSERT INTO statement_unindexed (id) SELECT NEW.id WHERE NOT EXISTS (SELECT 1 FROM statement_unindexed WHERE id = NEW.id);
END;
CREATE TRIGGER statement_unindexed_update AFTER UPDATE OF digest ON statement
  WHEN OLD.digest IS NOT NEW.digest
BEGIN
  INSERT INTO statement_unindexed (id) SELECT NEW.id WHERE NOT EXISTS (SELECT 1 FROM statement_unindexed WHERE id = NEW.id);
END;
CREATE TRIGGER statement_unindexed_delete AFTER DELETE ON statement BEGIN
  DELETE FROM statement_unindexed WHERE id = OLD.id;
  DELETE FROM statement_fts WHERE rowid = OLD.id;
END;

-- IDs of all statements that the service lists, stored or not.
CREATE TABLE statement_known (
  id INTEGER PRIMARY KEY,
  first_seen_at INTEGER NOT NULL,
  vanished_at INTEGER
) STRICT;

-- changes: number of transactions ever added or deleted, by which the books detect changed payments.
CREATE TABLE txn_class (
  id INTEGER PRIMARY KEY,
  type TEXT NOT NULL,
  kind TEXT NOT NULL,
  count INTEGER NOT NULL DEFAULT 0,
  amount_in_cents INTEGER NOT NULL DEFAULT 0,
  changes INTEGER NOT NULL DEFAULT 0,
  UNIQUE (type, kind)
) STRICT;

-- Transactions of a statement in the order received. service_from, service_until: days of the service as stated in memos; the
-- second is the first day after it. If the service shows one under two statements, both rows are stored.
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
  service_from TEXT,
  service_until TEXT,
  extra TEXT NOT NULL,
  UNIQUE (statement_id, ordinal)
) STRICT;
CREATE INDEX txn_class_id ON txn (class_id, id, row, created_at, amount_in_cents);
CREATE INDEX txn_class_created ON txn (class_id, created_at, id, row, amount_in_cents);
CREATE INDEX txn_subscription ON txn (subscription_id, created_at, id, row, class_id, amount_in_cents)
  WHERE subscription_id IS NOT NULL;
CREATE INDEX txn_service ON txn (service_until) WHERE service_until IS NOT NULL;
CREATE TRIGGER txn_class_insert AFTER INSERT ON txn BEGIN
  UPDATE txn_class SET count = count + 1, amount_in_cents = amount_in_cents + NEW.amount_in_cents, changes = changes + 1
  WHERE id = NEW.class_id;
END;
CREATE TRIGGER txn_class_delete AFTER DELETE ON txn BEGIN
  UPDATE txn_class SET count = count - 1, amount_in_cents = amount_in_cents - OLD.amount_in_cents, changes = changes + 1
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

-- Summary of each subscription, updated whenever another table changes. Unknown sort values are stored as '' or 0.
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
-- Values that must not occur in several subscriptions: transaction IDs and payment gateway IDs.
CREATE INDEX txn_id ON txn (id, statement_id);
CREATE INDEX txn_gateway ON txn (gateway_transaction_id, id, statement_id)
  WHERE gateway_transaction_id IS NOT NULL;
`;
