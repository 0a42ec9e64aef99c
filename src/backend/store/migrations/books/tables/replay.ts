import { createRejectTrigger } from './append-only-triggers.ts';

export const replayTables = `
-- Replay plan. It never changes after it was shown. endpoint: address to which the stored bodies are posted; NULL if the
-- service resends the webhooks. address: the same without its query, to compare it with addresses in the log.
CREATE TABLE replay_plan (
  id TEXT PRIMARY KEY,
  created_at INTEGER NOT NULL,
  description TEXT NOT NULL,
  count INTEGER NOT NULL,
  ids_sha256 TEXT NOT NULL,
  summary TEXT NOT NULL,
  endpoint TEXT,
  address TEXT,
  CHECK ((endpoint IS NULL) = (address IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX replay_plan_address ON replay_plan (address) WHERE address IS NOT NULL;
CREATE INDEX replay_plan_created ON replay_plan (created_at);
${createRejectTrigger('UPDATE', 'replay_plan', 'a replay plan cannot be changed')}

-- Webhooks of a plan in sending order, with their state when the plan was made. superseded_by: id of a later webhook.
CREATE TABLE replay_plan_item (
  plan TEXT NOT NULL REFERENCES replay_plan (id),
  ordinal INTEGER NOT NULL,
  webhook_id INTEGER NOT NULL,
  event TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  successful INTEGER NOT NULL CHECK (successful IN (0, 1)),
  accepted_at TEXT,
  last_sent_at TEXT,
  last_error_at TEXT,
  last_error TEXT,
  subscription_id INTEGER,
  superseded_by INTEGER,
  PRIMARY KEY (plan, ordinal)
) STRICT, WITHOUT ROWID;

-- connections: maximum number of requests at once to the endpoint of a local delivery; NULL if the service sends.
-- ordered: 1 if at most one webhook per subscription is in flight. live: last published status as JSON.
-- counts: webhooks by outcome when the job last ended, as JSON.
CREATE TABLE replay_job (
  job TEXT PRIMARY KEY,
  plan TEXT NOT NULL REFERENCES replay_plan (id),
  mode TEXT NOT NULL CHECK (mode IN ('safe', 'adaptive', 'fast')),
  batch_size INTEGER NOT NULL,
  rate REAL,
  state TEXT NOT NULL
    CHECK (state IN ('running', 'paused', 'done', 'stopped', 'canceled', 'interrupted')),
  reason TEXT,
  step TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  requests_total INTEGER NOT NULL,
  requests_minimum INTEGER NOT NULL,
  ordered INTEGER NOT NULL DEFAULT 0 CHECK (ordered IN (0, 1)),
  paused_by TEXT CHECK (paused_by IS NULL OR paused_by IN ('user', 'key', 'breaker', 'refusals')),
  live TEXT,
  counts TEXT,
  connections INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX replay_job_started ON replay_job (started_at);
CREATE UNIQUE INDEX replay_job_one_at_a_time ON replay_job ((1)) WHERE state IN ('running', 'paused');

-- Journal: each batch is recorded before it is posted. t0: time of the service at posting (UTC ms).
CREATE TABLE replay_batch (
  job TEXT NOT NULL REFERENCES replay_job (job),
  batch INTEGER NOT NULL,
  step TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('posting', 'queued', 'refused', 'unknown', 'resolved')),
  t0 INTEGER NOT NULL,
  posted_at INTEGER,
  ids TEXT NOT NULL,
  error TEXT,
  PRIMARY KEY (job, batch)
) STRICT, WITHOUT ROWID;
CREATE INDEX replay_batch_open ON replay_batch (job, state);

CREATE TABLE replay_item (
  job TEXT NOT NULL REFERENCES replay_job (job),
  ordinal INTEGER NOT NULL,
  webhook_id INTEGER NOT NULL,
  event TEXT NOT NULL,
  outcome TEXT NOT NULL
    CHECK (outcome IN ('waiting', 'sending', 'queued', 'accepted', 'failed', 'refused', 'unresolved')),
  batch INTEGER,
  before TEXT NOT NULL,
  sent_at INTEGER,
  resolved_at INTEGER,
  last_error TEXT,
  subscription_id INTEGER,
  PRIMARY KEY (job, ordinal),
  UNIQUE (job, webhook_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX replay_item_outcome ON replay_item (job, outcome, ordinal);
CREATE INDEX replay_item_webhook ON replay_item (webhook_id);
CREATE INDEX replay_job_plan ON replay_job (plan);
`;
