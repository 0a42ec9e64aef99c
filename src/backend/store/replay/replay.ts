import type { ReplayItem, ReplayJob, ReplayOutcome, ReplayPlan } from '../../../contract/index.ts';
import { prepareSql, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, insertSql, onConflictSql, pickColumns, updateRow } from '../sqlite/write-row.ts';

/** Delivery fields of a webhook as text, which is enough to detect changes. */
export interface DeliveryFields {
  successful: boolean;
  accepted_at: string | null;
  last_sent_at: string | null;
  last_error_at: string | null;
  last_error: string | null;
}

export interface StoredReplayPlanItem extends DeliveryFields {
  webhook_id: number;
  event: string;
  /** Creation time of the webhook in UTC milliseconds. */
  created_at: number;
  subscription_id: number | null;
  /** Id of the later webhook that supersedes this webhook, or null. */
  superseded_by: number | null;
}

/** Fields of a replay plan without a database column. */
export type ReplayPlanSummary = Omit<
  ReplayPlan,
  'plan' | 'site' | 'created_at' | 'description' | 'count' | 'ids_sha256' | 'job' | 'endpoint'
> & {
  /** True if a local delivery also sends bodies whose signature does not match the shared key. */
  include_unverified?: boolean;
};

export interface StoredReplayPlan {
  id: string;
  /** Creation time of the plan in UTC milliseconds. */
  created_at: number;
  description: string;
  count: number;
  ids_sha256: string;
  summary: ReplayPlanSummary;
  /** Address to which the stored bodies are posted, complete but without query. Null if the service resends them. */
  endpoint: string | null;
  address: string | null;
}

/** Saves a replay plan. Saved plans never change. */
export function addReplayPlan(db: WritableDb, plan: StoredReplayPlan): void {
  insertRow(db, 'replay_plan', { ...plan, summary: JSON.stringify(plan.summary) });
}

/** Adds a webhook to a replay plan. Must be called in the transaction that adds the plan. */
export function addReplayPlanItem(
  db: WritableDb,
  plan: string,
  ordinal: number,
  item: StoredReplayPlanItem,
): void {
  const values = planItemColumns.map((name) => item[name]);
  prepareSql(db, insertPlanItem).run(plan, ordinal, Number(item.successful), ...values);
}

const planItemColumns = [
  ...(['webhook_id', 'event', 'created_at', 'accepted_at', 'last_sent_at', 'last_error_at'] as const),
  ...(['last_error', 'subscription_id', 'superseded_by'] as const),
];
const insertPlanItem = insertSql('replay_plan_item', [
  ...['plan', 'ordinal', 'successful'],
  ...planItemColumns,
]);

/** Deletes a replay plan and its items, in a transaction. The database refuses to delete a plan with a replay. */
export function removeReplayPlan(db: WritableDb, plan: string): void {
  prepareSql(db, 'DELETE FROM replay_plan_item WHERE plan = ?').run(plan);
  prepareSql(db, 'DELETE FROM replay_plan WHERE id = ?').run(plan);
}

/** Defers foreign key checks in the current transaction, so that rows may refer to rows written later. */
export function deferForeignKeys(db: WritableDb): void {
  db.pragma('defer_foreign_keys = ON');
}

/** A replay as stored in the books. Instants are UTC milliseconds. */
export interface StoredReplay {
  job: string;
  plan: string;
  mode: ReplayJob['mode'];
  batch_size: number;
  rate: number | null;
  /** 1 if at most one webhook per subscription is sent at a time. */
  ordered: number;
  state: ReplayJob['state'];
  reason: string | null;
  paused_by: ReplayJob['paused_by'];
  step: string;
  started_at: number;
  ended_at: number | null;
  requests_total: number;
  requests_minimum: number;
  /** Live status as JSON. Null unless the replay is running. */
  live: string | null;
  /** Counts by outcome as JSON, saved when the replay last ended. Null while the replay is running. */
  counts: string | null;
  /** Maximum number of concurrent requests to the endpoint of a local delivery. Null if the service resends. */
  connections: number | null;
}

/** Saves the start, progress or end of a replay. The database refuses a second running or paused replay. */
export function saveReplay(db: WritableDb, replay: StoredReplay): void {
  const row = pickColumns(replay, [...newReplayColumns, ...replayStateColumns]);
  insertRow(db, 'replay_job', row, onConflictSql('job', ...replayStateColumns));
}

const newReplayColumns = [
  ...(['job', 'plan', 'mode', 'batch_size', 'rate', 'ordered', 'started_at', 'connections'] as const),
];
const replayStateColumns = [
  ...(['state', 'reason', 'paused_by', 'step', 'ended_at', 'requests_total', 'requests_minimum'] as const),
  ...(['live', 'counts'] as const),
];

export function findReplay(db: ReadableDb, job: string): StoredReplay | null {
  return select.row<StoredReplay>(db, 'SELECT * FROM replay_job WHERE job = ?', job);
}

/** Returns the replay of a plan, or null if the plan has not been run. */
export function findReplayForPlan(db: ReadableDb, plan: string): StoredReplay | null {
  const sql = 'SELECT * FROM replay_job WHERE plan = ? ORDER BY started_at LIMIT 1';
  return select.row<StoredReplay>(db, sql, plan);
}

/** Returns the site's running or paused replay, or null. There is at most one. */
export function findActiveReplay(db: ReadableDb): StoredReplay | null {
  const sql = "SELECT * FROM replay_job WHERE state IN ('running', 'paused') LIMIT 1";
  return select.row<StoredReplay>(db, sql);
}

/** Returns true if a replay continues without a person, because it is running or the breaker paused it. */
export const isReplayInProgress = ({ state, paused_by }: Pick<StoredReplay, 'state' | 'paused_by'>) =>
  state === 'running' || (state === 'paused' && paused_by === 'breaker');

/** Marks the replay of a crashed process as interrupted. A replay that only a person can resume stays paused. */
export function interruptReplay(db: WritableDb, at: number): void {
  const replay = findActiveReplay(db);
  if (replay !== null && isReplayInProgress(replay))
    saveReplay(db, { ...replay, state: 'interrupted', ended_at: at });
}

/** A batch in the replay journal. `t0` is the service's clock when the batch was sent, in UTC milliseconds. */
export interface StoredReplayBatch {
  job: string;
  batch: number;
  step: string;
  state: 'posting' | 'queued' | 'refused' | 'unknown' | 'resolved';
  t0: number;
  posted_at: number | null;
  ids: number[];
  error: string | null;
}

/** Saves a replay batch: as `posting` before the request is sent, then with the result. */
export function saveReplayBatch(db: WritableDb, batch: StoredReplayBatch): void {
  const { job, step, state, t0, posted_at, ids, error } = batch;
  const row = { job, batch: batch.batch, step, state, t0, posted_at, ids: JSON.stringify(ids), error };
  insertRow(db, 'replay_batch', row, onConflictSql('job, batch', 'state', 'posted_at', 'error'));
}

export function listReplayBatchesInState(
  db: ReadableDb,
  job: string,
  state: StoredReplayBatch['state'],
): StoredReplayBatch[] {
  const sql = 'SELECT * FROM replay_batch WHERE job = ? AND state = ? ORDER BY batch';
  return select.rows<Omit<StoredReplayBatch, 'ids'> & { ids: string }>(db, sql, job, state).map((row) => ({
    ...row,
    ids: JSON.parse(row.ids) as number[],
  }));
}

/** A webhook of a replay. `before` is the delivery state before the webhook was sent. Instants are UTC milliseconds. */
export interface StoredReplayItem {
  job: string;
  ordinal: number;
  webhook_id: number;
  event: string;
  subscription_id: number | null;
  outcome: ReplayOutcome;
  batch: number | null;
  before: DeliveryFields;
  sent_at: number | null;
  resolved_at: number | null;
  last_error: string | null;
}

/** Adds the plan's webhooks to a replay as waiting, in plan order. Must be called in a transaction. */
export function addReplayItems(db: WritableDb, job: string, plan: string): void {
  const sql = `INSERT INTO replay_item (job, ordinal, webhook_id, event, subscription_id, outcome, before)
     SELECT ?, ordinal, webhook_id, event, subscription_id, 'waiting', json_object('successful', json(iif(successful, 'true', 'false')),
       'accepted_at', accepted_at, 'last_sent_at', last_sent_at, 'last_error_at', last_error_at,
       'last_error', last_error)
     FROM replay_plan_item WHERE plan = ? ORDER BY ordinal`;
  prepareSql(db, sql).run(job, plan);
}

export function saveReplayItem(db: WritableDb, item: StoredReplayItem): void {
  const { job, webhook_id, outcome, batch, before, sent_at, resolved_at, last_error } = item;
  const row = { outcome, batch, before: JSON.stringify(before), sent_at, resolved_at, last_error };
  updateRow(db, 'replay_item', row, { job, webhook_id });
}

/** Returns at most `limit` webhooks of a replay with these outcomes, in plan order. */
export function listReplayItemsByOutcome(
  db: ReadableDb,
  job: string,
  outcomes: readonly ReplayItem['outcome'][],
  limit = 1_000_000,
): StoredReplayItem[] {
  const sql = `SELECT * FROM replay_item WHERE job = ? AND outcome IN (SELECT value FROM json_each(?)) ORDER BY ordinal LIMIT ?`;
  return select
    .rows<StoredReplayItemRow>(db, sql, job, JSON.stringify(outcomes), limit)
    .map(toStoredReplayItem);
}

export type StoredReplayItemRow = Omit<StoredReplayItem, 'before'> & { before: string };

export const toStoredReplayItem = (row: StoredReplayItemRow): StoredReplayItem => ({
  ...row,
  before: JSON.parse(row.before) as DeliveryFields,
});
