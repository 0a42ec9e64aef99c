import type { ReplayItem, ReplayJob, ReplayOutcome, ReplayPlan } from '../../../contract/index.ts';
import { prepare, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { createInsert, insertRow, pickColumns, updateOnConflict, updateRow } from '../sqlite/write-row.ts';

/** Delivery fields of a webhook as texts, which suffice to detect a change. */
export interface DeliveryFields {
  successful: boolean;
  accepted_at: string | null;
  last_sent_at: string | null;
  last_error_at: string | null;
  last_error: string | null;
}

export interface PlanItem extends DeliveryFields {
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
  const { id, created_at, description, count, ids_sha256, summary } = plan;
  const row = { id, created_at, description, count, ids_sha256, summary: JSON.stringify(summary) };
  insertRow(db, 'replay_plan', row);
}

/** Adds a webhook to a plan, in the transaction that also adds the plan. */
export function addPlanItem(db: WritableDb, plan: string, ordinal: number, item: PlanItem): void {
  const values = planItemColumns.map((name) => item[name]);
  prepare(db, insertPlanItem).run(plan, ordinal, Number(item.successful), ...values);
}

const planItemColumns = [
  ...(['webhook_id', 'event', 'created_at', 'accepted_at', 'last_sent_at', 'last_error_at'] as const),
  ...(['last_error', 'subscription_id'] as const),
];
const insertPlanItem = createInsert('replay_plan_item', [
  ...['plan', 'ordinal', 'successful'],
  ...planItemColumns,
]);

/** Deletes a plan and its items. Must be called in a transaction. The database refuses to delete a plan with a replay. */
export function removePlan(db: WritableDb, plan: string): void {
  prepare(db, 'DELETE FROM replay_plan_item WHERE plan = ?').run(plan);
  prepare(db, 'DELETE FROM replay_plan WHERE id = ?').run(plan);
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
  const row = pickColumns(replay, [...newReplayColumns, ...replayStateColumns]);
  insertRow(db, 'replay_job', row, updateOnConflict('job', ...replayStateColumns));
}

const newReplayColumns = ['job', 'plan', 'mode', 'batch_size', 'rate', 'ordered', 'started_at'] as const;
const replayStateColumns = [
  ...(['state', 'reason', 'paused_by', 'step', 'ended_at', 'requests_total', 'requests_minimum'] as const),
  ...(['live', 'counts'] as const),
];

/** Returns null if the replay does not exist. */
export function findReplay(db: ReadableDb, job: string): StoredReplay | null {
  return select.row<StoredReplay>(db, 'SELECT * FROM replay_job WHERE job = ?', job);
}

/** Returns the replay of a plan, or null if it was not run. */
export function findReplayOfPlan(db: ReadableDb, plan: string): StoredReplay | null {
  const sql = 'SELECT * FROM replay_job WHERE plan = ? ORDER BY started_at LIMIT 1';
  return select.row<StoredReplay>(db, sql, plan);
}

/** Returns the running or paused replay of the site. There is at most one. */
export function findLiveReplay(db: ReadableDb): StoredReplay | null {
  const sql = "SELECT * FROM replay_job WHERE state IN ('running', 'paused') LIMIT 1";
  return select.row<StoredReplay>(db, sql);
}

/** Returns true if a replay continues without a person. If its process has crashed, it was interrupted. */
export const isUnderWay = ({ state, paused_by }: Pick<StoredReplay, 'state' | 'paused_by'>) =>
  state === 'running' || (state === 'paused' && paused_by === 'breaker');

/** Marks a replay of a crashed process as interrupted. One that waits for a person stays paused. */
export function interruptReplay(db: WritableDb, at: number): void {
  const replay = findLiveReplay(db);
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
  const { job, step, state, t0, posted_at, ids, error } = batch;
  const row = { job, batch: batch.batch, step, state, t0, posted_at, ids: JSON.stringify(ids), error };
  insertRow(db, 'replay_batch', row, updateOnConflict('job, batch', 'state', 'posted_at', 'error'));
}

/** Returns a replay's batches in this state, in order. */
export function listBatchesInState(db: ReadableDb, job: string, state: StoredBatch['state']): StoredBatch[] {
  const sql = 'SELECT * FROM replay_batch WHERE job = ? AND state = ? ORDER BY batch';
  return select.rows<Omit<StoredBatch, 'ids'> & { ids: string }>(db, sql, job, state).map((row) => ({
    ...row,
    ids: JSON.parse(row.ids) as number[],
  }));
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
  before: DeliveryFields;
  sent_at: number | null;
  resolved_at: number | null;
  last_error: string | null;
}

/** Adds the plan's webhooks to a replay as waiting, in the plan's order. Must be called in a transaction. */
export function addReplayItems(db: WritableDb, job: string, plan: string): void {
  const sql = `INSERT INTO replay_item (job, ordinal, webhook_id, event, subscription_id, outcome, before)
     SELECT ?, ordinal, webhook_id, event, subscription_id, 'waiting', json_object('successful', json(iif(successful, 'true', 'false')),
       'accepted_at', accepted_at, 'last_sent_at', last_sent_at, 'last_error_at', last_error_at,
       'last_error', last_error)
     FROM replay_plan_item WHERE plan = ? ORDER BY ordinal`;
  prepare(db, sql).run(job, plan);
}

/** Saves the current state of one webhook of a replay. */
export function saveReplayItem(db: WritableDb, item: StoredItem): void {
  const { job, webhook_id, outcome, batch, before, sent_at, resolved_at, last_error } = item;
  const row = { outcome, batch, before: JSON.stringify(before), sent_at, resolved_at, last_error };
  updateRow(db, 'replay_item', row, { job, webhook_id });
}

/** Returns at most `limit` webhooks of a replay with these outcomes, in the plan's order. */
export function listItemsByOutcome(
  db: ReadableDb,
  job: string,
  outcomes: readonly ReplayItem['outcome'][],
  limit = 1_000_000,
): StoredItem[] {
  const sql = `SELECT * FROM replay_item WHERE job = ? AND outcome IN (SELECT value FROM json_each(?)) ORDER BY ordinal LIMIT ?`;
  return select.rows<StoredItemRow>(db, sql, job, JSON.stringify(outcomes), limit).map(toStoredItem);
}

/** A row of `replay_item`. */
export type StoredItemRow = Omit<StoredItem, 'before'> & { before: string };

export const toStoredItem = (row: StoredItemRow): StoredItem => ({
  ...row,
  before: JSON.parse(row.before) as DeliveryFields,
});
