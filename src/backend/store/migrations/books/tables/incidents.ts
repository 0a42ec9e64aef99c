import { createAppendOnlyTriggers } from './append-only-triggers.ts';

export const incidentTables = `
-- Incident. url: address of the endpoint without its query; NULL for a gap or several addresses. webhooks, accepted: number
-- of its webhooks, and of those accepted, as of the latest sync or replay. found_by: NULL if Tieout found it.
CREATE TABLE incident (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('failures', 'never_sent', 'gap', 'error_group', 'selection')),
  name TEXT NOT NULL,
  cause TEXT,
  owner TEXT,
  state TEXT NOT NULL CHECK (state IN ('open', 'acknowledged', 'resolved')),
  url TEXT,
  error TEXT,
  from_at INTEGER NOT NULL,
  to_at INTEGER NOT NULL,
  webhooks INTEGER NOT NULL,
  accepted INTEGER NOT NULL,
  found_at INTEGER NOT NULL,
  found_by TEXT,
  resolved_at INTEGER,
  resolved_by TEXT CHECK (resolved_by IN ('proof', 'person')),
  CHECK (accepted BETWEEN 0 AND webhooks),
  CHECK ((state = 'resolved') = (resolved_at IS NOT NULL)),
  CHECK ((resolved_at IS NULL) = (resolved_by IS NULL))
) STRICT;
CREATE INDEX incident_state ON incident (state, found_at);

CREATE TABLE incident_webhook (
  incident INTEGER NOT NULL REFERENCES incident (id),
  webhook_id INTEGER NOT NULL,
  PRIMARY KEY (incident, webhook_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX incident_webhook_id ON incident_webhook (webhook_id);

-- user: NULL for what Tieout found.
CREATE TABLE incident_entry (
  incident INTEGER NOT NULL REFERENCES incident (id),
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  user TEXT,
  text TEXT NOT NULL,
  PRIMARY KEY (incident, seq)
) STRICT, WITHOUT ROWID;
${createAppendOnlyTriggers('incident_entry', 'the history of an incident is append-only')}
`;
