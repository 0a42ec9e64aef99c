export const cacheAllocationTables = `
-- Component of a subscription whose allocation history is synced. changed_hint_at: time of the latest sign of a change.
CREATE TABLE subscription_component (
  row INTEGER PRIMARY KEY,
  subscription_id INTEGER NOT NULL,
  component_id INTEGER NOT NULL,
  component_name TEXT,
  state TEXT NOT NULL CHECK (state IN ('complete', 'waiting', 'missing', 'problem')),
  source TEXT NOT NULL CHECK (source IN ('webhook', 'statement', 'user', 'file')),
  changed_hint_at INTEGER,
  read_at INTEGER,
  last_at INTEGER NOT NULL DEFAULT 0,
  last_at_text TEXT,
  quantity ANY,
  allocations INTEGER NOT NULL DEFAULT 0,
  UNIQUE (subscription_id, component_id)
) STRICT;
CREATE INDEX subscription_component_last_change ON subscription_component (last_at);
CREATE INDEX subscription_component_component ON subscription_component (component_id, component_name);
CREATE INDEX subscription_component_state ON subscription_component (state, last_at);

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
`;
