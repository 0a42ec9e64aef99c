import type { ReplayItem, ReplayJob, ReplayOutcome, ReplayPlan } from '../../../contract/index.ts';
import { prepared, type ReadableDb, type WritableDb } from '../sqlite/connection.ts';

/** Delivery fields of a webhook as texts, which suffice to detect a change. */
export interface LogState {
  successful: boolean;
  accepted_at: string | null;
  last_sent_at: string | null;
  last_error_at: string | null;
  last_error: string | null;
}

export interface PlanItem extends LogState {
  webhook_id: number;
  event: string;
  /** UTC milliseconds. */
  created_at: number;
  subscription_id: number | null;
}

/** The parts of a plan that have no column of their own. */
export type PlanSummary = Omit<
  ReplayPlan,
  'plan' | 'site' | 'created_at' | 'description' | 'count' | 'ids_sha256' | 'job'
>;

export interface StoredPlan {
  id: string;
  /** UTC milliseconds. */
  created_at: number;
  description: string;
  count: number;
  ids_sha256: string;
  summary: PlanSummary;
}

/** Saves a plan, which never changes afterwards. */
export function addPlan(db: WritableDb, plan: StoredPlan): void {
  prepared(
    db,
    'INSERT INTO replay_plan (id, created_at, description, count, ids_sha256, summary) VALUES (?, ?, ?, ?, ?, ?)',
  ).run(
    plan.id,
    plan.created_at,
    plan.description,
    plan.count,
    plan.ids_sha256,
    JSON.stringify(plan.summary),
  );
}

/**
 * Saves a webhook of a plan in the order of sending. Must be called inside `commit`, together with the plan itself, which
 * may be saved after its webhooks, because its summary is known only then.
 */
export function addPlanItem(db: WritableDb, plan: string, ordinal: number, item: PlanItem): void {
  prepared(
    db,
    `INSERT INTO replay_plan_item (plan, ordinal, webhook_id, event, created_at, successful, accepted_at, last_sent_at,
       last_error_at, last_error, subscription_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    plan,
    ordinal,
    item.webhook_id,
    item.event,
    item.created_at,
    Number(item.successful),
    item.accepted_at,
    item.last_sent_at,
    item.last_error_at,
    item.last_error,
    item.subscription_id,
  );
}

/** Deletes a plan and its items. Must be called inside `commit`. The database refuses to delete a plan with a replay. */
export function removePlan(db: WritableDb, plan: string): void {
  prepared(db, 'DELETE FROM replay_plan_item WHERE plan = ?').run(plan);
  prepared(db, 'DELETE FROM replay_plan WHERE id = ?').run(plan);
}

/** Lets rows of this transaction refer to a row that is written later. */
export function deferReferences(db: WritableDb): void {
  db.pragma('defer_foreign_keys = ON');
}

/** A replay as stored in books.db. Instants are UTC milliseconds. */
export interface StoredReplay {
  job: string;
  plan: string;
  mode: ReplayJob['mode'];
  batch_size: number;
  rate: number | null;
  /** 1 sends at most one webhook of a subscription at a time. */
  ordered: number;
  state: ReplayJob['state'];
  reason: string | null;
  paused_by: ReplayJob['paused_by'];
  step: string;
  started_at: number;
  ended_at: number | null;
  requests_total: number;
  requests_minimum: number;
  /** Live status as JSON. Null if it is not running. */
  live: string | null;
  /** Counts by outcome as JSON when it last ended. Null while they change. */
  counts: string | null;
}

/** Saves the start, progress or end of a replay. The database refuses a second one that is running or paused. */
export function saveReplay(db: WritableDb, replay: StoredReplay): void {
  prepared(
    db,
    `INSERT INTO replay_job (job, plan, mode, batch_size, rate, ordered, state, reason, paused_by, step, started_at,
       ended_at, requests_total, requests_minimum, live, counts)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (job) DO UPDATE SET state = excluded.state, reason = excluded.reason, paused_by = excluded.paused_by,
       step = excluded.step, ended_at = excluded.ended_at, requests_total = excluded.requests_total,
       requests_minimum = excluded.requests_minimum, live = excluded.live, counts = excluded.counts`,
  ).run(
    replay.job,
    replay.plan,
    replay.mode,
    replay.batch_size,
    replay.rate,
    replay.ordered,
    replay.state,
    replay.reason,
    replay.paused_by,
    replay.step,
    replay.started_at,
    replay.ended_at,
    replay.requests_total,
    replay.requests_minimum,
    replay.live,
    replay.counts,
  );
}

/** Returns null if the replay does not exist. */
export function storedReplay(db: ReadableDb, job: string): StoredReplay | null {
  return prepared<StoredReplay>(db, 'SELECT * FROM replay_job WHERE job = ?').get(job) ?? null;
}

/** Returns the replay of a plan, or null if it was not run. */
export function replayOfPlan(db: ReadableDb, plan: string): StoredReplay | null {
  return (
    prepared<StoredReplay>(db, 'SELECT * FROM replay_job WHERE plan = ? ORDER BY started_at LIMIT 1').get(
      plan,
    ) ?? null
  );
}

/** Returns the running or paused replay of the site. There is at most one. */
export function liveReplay(db: ReadableDb): StoredReplay | null {
  return (
    prepared<StoredReplay>(
      db,
      "SELECT * FROM replay_job WHERE state IN ('running', 'paused') LIMIT 1",
    ).get() ?? null
  );
}

/** Returns true if a replay continues without a person. If its process has crashed, it was interrupted. */
export const isUnderWay = ({ state, paused_by }: Pick<StoredReplay, 'state' | 'paused_by'>) =>
  state === 'running' || (state === 'paused' && paused_by === 'breaker');

/** Marks a replay of a crashed process as interrupted. One that waits for a person stays paused. */
export function interruptReplay(db: WritableDb, at: number): void {
  const replay = liveReplay(db);
  if (replay !== null && isUnderWay(replay))
    saveReplay(db, { ...replay, state: 'interrupted', ended_at: at });
}

/** A batch of the journal. `t0` is the service's clock when it was posted, UTC milliseconds. */
export interface StoredBatch {
  job: string;
  batch: number;
  step: string;
  state: 'posting' | 'queued' | 'refused' | 'unknown' | 'resolved';
  t0: number;
  posted_at: number | null;
  ids: number[];
  error: string | null;
}

/** Saves a batch: as `posting` before its request leaves, then with its result. */
export function saveBatch(db: WritableDb, batch: StoredBatch): void {
  prepared(
    db,
    `INSERT INTO replay_batch (job, batch, step, state, t0, posted_at, ids, error) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (job, batch) DO UPDATE SET state = excluded.state, posted_at = excluded.posted_at,
       error = excluded.error`,
  ).run(
    batch.job,
    batch.batch,
    batch.step,
    batch.state,
    batch.t0,
    batch.posted_at,
    JSON.stringify(batch.ids),
    batch.error,
  );
}

/** Returns a replay's batches in this state, in order. */
export function batchesIn(db: ReadableDb, job: string, state: StoredBatch['state']): StoredBatch[] {
  return prepared<Omit<StoredBatch, 'ids'> & { ids: string }>(
    db,
    'SELECT * FROM replay_batch WHERE job = ? AND state = ? ORDER BY batch',
  )
    .all(job, state)
    .map((row) => ({ ...row, ids: JSON.parse(row.ids) as number[] }));
}

/** A webhook of a replay. `before` holds its delivery state before it was sent. Instants are UTC milliseconds. */
export interface StoredItem {
  job: string;
  ordinal: number;
  webhook_id: number;
  event: string;
  subscription_id: number | null;
  outcome: ReplayOutcome;
  batch: number | null;
  before: LogState;
  sent_at: number | null;
  resolved_at: number | null;
  last_error: string | null;
}

/** Adds the plan's webhooks to a replay as waiting, in the plan's order. Must be called inside `commit`. */
export function addItems(db: WritableDb, job: string, plan: string): void {
  prepared(
    db,
    `INSERT INTO replay_item (job, ordinal, webhook_id, event, subscription_id, outcome, before)
     SELECT ?, ordinal, webhook_id, event, subscription_id, 'waiting', json_object('successful', json(iif(successful, 'true', 'false')),
       'accepted_at', accepted_at, 'last_sent_at', last_sent_at, 'last_error_at', last_error_at,
       'last_error', last_error)
     FROM replay_plan_item WHERE plan = ? ORDER BY ordinal`,
  ).run(job, plan);
}

/** Saves the current state of one webhook of a replay. */
export function saveItem(db: WritableDb, item: StoredItem): void {
  prepared(
    db,
    `UPDATE replay_item SET outcome = ?, batch = ?, before = ?, sent_at = ?, resolved_at = ?, last_error = ?
     WHERE job = ? AND webhook_id = ?`,
  ).run(
    item.outcome,
    item.batch,
    JSON.stringify(item.before),
    item.sent_at,
    item.resolved_at,
    item.last_error,
    item.job,
    item.webhook_id,
  );
}

/** Returns at most `limit` webhooks of a replay with these outcomes, in the plan's order. */
export function itemsIn(
  db: ReadableDb,
  job: string,
  outcomes: readonly ReplayItem['outcome'][],
  limit = 1_000_000,
): StoredItem[] {
  return prepared<StoredItemRow>(
    db,
    `SELECT * FROM replay_item WHERE job = ? AND outcome IN (SELECT value FROM json_each(?)) ORDER BY ordinal LIMIT ?`,
  )
    .all(job, JSON.stringify(outcomes), limit)
    .map(shownItem);
}

/** A row of `replay_item`. */
export type StoredItemRow = Omit<StoredItem, 'before'> & { before: string };

export const shownItem = (row: StoredItemRow): StoredItem => ({
  ...row,
  before: JSON.parse(row.before) as LogState,
});
