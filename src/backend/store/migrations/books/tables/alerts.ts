export const alertTables = `
-- Latest alert about each endpoint, so that no alert repeats. endpoint: '' for the whole site. problem: NULL after a recovery.
CREATE TABLE alert_state (
  endpoint TEXT PRIMARY KEY,
  problem TEXT CHECK (problem IN ('failing', 'pausing', 'paused', 'disabled', 'silent')),
  since INTEGER NOT NULL,
  alerted_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Alert to a person. endpoint: '' for the whole site. reported: 1 if the service itself reported the state.
CREATE TABLE alert (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('failing', 'pausing', 'paused', 'disabled', 'silent', 'recovered', 'test')),
  endpoint TEXT NOT NULL,
  failures INTEGER NOT NULL,
  since INTEGER NOT NULL,
  reported INTEGER NOT NULL CHECK (reported IN (0, 1))
) STRICT;

-- Delivery of an alert through a channel. claimed_at: start of the latest attempt. A crash leaves it in state 'sending'.
CREATE TABLE alert_delivery (
  alert INTEGER NOT NULL REFERENCES alert (id),
  channel TEXT NOT NULL CHECK (channel IN ('desktop', 'command', 'address')),
  state TEXT NOT NULL CHECK (state IN ('pending', 'sending', 'delivered', 'failed', 'skipped')),
  attempts INTEGER NOT NULL,
  claimed_at INTEGER,
  error TEXT,
  PRIMARY KEY (alert, channel)
) STRICT, WITHOUT ROWID;
CREATE INDEX alert_delivery_open ON alert_delivery (channel, alert) WHERE state = 'pending' OR state = 'sending';
`;
