import {
  type ContractOutputs,
  type LiveReplayStatus,
  type PageMarks,
  type ReplayItem,
  type ReplayJob,
  type ReplayOutcome,
  type ReplayPlan,
  replayOutcomeSchema,
} from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import {
  type ListQueryPlan,
  orderByColumn,
  type PageRequest,
  planListScans,
  readPageCursors,
  readRowPage,
} from '../lists/keyset-pagination.ts';
import { joinConditions, whereEqual } from '../lists/sql-conditions.ts';
import { prepareSql, type ReadableDb, type SqlValues, select } from '../sqlite/connection.ts';
import type { ReplayPlanSummary, StoredReplay, StoredReplayPlan } from './replay.ts';

const planColumns = `SELECT replay_plan.*, (SELECT job FROM replay_job WHERE plan = replay_plan.id
  ORDER BY started_at LIMIT 1) AS job FROM replay_plan`;

type StoredPlanRow = Omit<StoredReplayPlan, 'summary'> & { summary: string; job: string | null };

/** Lists replay plans, newest first. */
export function listReplayPlans(books: ReadableDb, site: string): ReplayPlan[] {
  const sql = `${planColumns} ORDER BY created_at DESC, id DESC`;
  return select.rows<StoredPlanRow>(books, sql).map((row) => toReplayPlan(row, site));
}

export function getReplayPlan(books: ReadableDb, site: string, id: string): ReplayPlan | null {
  const row = prepareSql<StoredPlanRow>(books, `${planColumns} WHERE id = ?`).get(id);
  return row === undefined ? null : toReplayPlan(row, site);
}

function toReplayPlan(row: StoredPlanRow, site: string): ReplayPlan {
  const { id, created_at, summary: stored, endpoint: _, address, ...rest } = row;
  const { include_unverified: _unverified, ...summary } = JSON.parse(stored) as ReplayPlanSummary;
  return {
    plan: id,
    site,
    created_at: formatTimestamp(created_at),
    ...NO_FORECAST,
    ...rest,
    endpoint: address,
    ...summary,
  };
}

/** Forecast for replay plans from earlier versions of Tieout, which stored none. */
const NO_FORECAST = {
  retrying: 0,
  retrying_until: null,
  expected: null,
  rates: [],
  superseded: 0,
  largest_subscription: 0,
};

type StoredReplayRow = StoredReplay & { description: string; endpoint: string | null };

const replayColumns = `SELECT replay_job.*, replay_plan.description, replay_plan.address AS endpoint
  FROM replay_job JOIN replay_plan ON replay_plan.id = replay_job.plan`;

/** Lists replays, newest first. */
export function listReplays(books: ReadableDb, site: string): ReplayJob[] {
  const sql = `${replayColumns} ORDER BY started_at DESC, job DESC`;
  return select.rows<StoredReplayRow>(books, sql).map((row) => toReplayJob(books, row, site));
}

export function getReplay(books: ReadableDb, site: string, job: string): ReplayJob | null {
  const row = prepareSql<StoredReplayRow>(books, `${replayColumns} WHERE job = ?`).get(job);
  return row === undefined ? null : toReplayJob(books, row, site);
}

function toReplayJob(books: ReadableDb, row: StoredReplayRow, site: string): ReplayJob {
  const { requests_total, requests_minimum, live, ...rest } = row;
  const counts =
    row.counts === null
      ? countReplayOutcomes(books, row.job)
      : (JSON.parse(row.counts) as ReplayJob['counts']);
  return {
    ...rest,
    site,
    paused_by: row.state === 'paused' ? row.paused_by : null,
    ordered: row.ordered === 1,
    started_at: formatTimestamp(row.started_at),
    ended_at: formatTimestamp(row.ended_at),
    counts,
    in_flight: counts.queued + counts.sending,
    live: live === null || row.ended_at !== null ? null : (JSON.parse(live) as LiveReplayStatus),
    requests: { total: requests_total, minimum: requests_minimum },
  };
}

/** Returns the number of a replay's webhooks per outcome. */
export function countReplayOutcomes(books: ReadableDb, job: string): ReplayJob['counts'] {
  const sql = 'SELECT outcome, count(*) FROM replay_item WHERE job = ? GROUP BY outcome';
  const counts = prepareSql<[ReplayOutcome, number]>(books, sql).raw().all(job);
  return { ...ZERO_COUNTS, ...Object.fromEntries(counts) };
}

const ZERO_COUNTS = Object.fromEntries(
  replayOutcomeSchema.options.map((outcome) => [outcome, 0]),
) as ReplayJob['counts'];

interface ItemQuery {
  job: string;
  outcome?: ReplayOutcome[] | undefined;
}

function planItemList({ job, outcome }: ItemQuery): ListQueryPlan {
  const ofJob = whereEqual('job', job);
  const scans = [...new Set(outcome)].map((each) => ({
    from: 'replay_item INDEXED BY replay_item_outcome',
    ...joinConditions(ofJob, whereEqual('outcome', each)),
  }));
  const order = orderByColumn('replay items', 'ordinal', 'asc');
  return planListScans(order, outcome === undefined ? [{ from: 'replay_item', ...ofJob }] : scans);
}

/** Lists the webhooks of a replay in sending order. */
export function listReplayItems(
  books: ReadableDb,
  query: ItemQuery & PageRequest,
): ContractOutputs['replay']['items'] {
  return readRowPage(books, planItemList(query), query, (key) => getReplayItem(books, query.job, key));
}

export function readReplayItemPageCursors(
  books: ReadableDb,
  query: ItemQuery & { every: number },
): PageMarks {
  return readPageCursors(books, planItemList(query), query.every, 'replay_item');
}

function getReplayItem(books: ReadableDb, job: string, key: SqlValues): ReplayItem {
  const sql = `SELECT webhook_id AS id, event, outcome, sent_at, resolved_at, last_error FROM replay_item
     WHERE job = ? AND ordinal = ?`;
  const row = select.row<
    Omit<ReplayItem, 'sent_at' | 'resolved_at'> & { sent_at: number | null; resolved_at: number | null }
  >(books, sql, job, ...key)!;
  return { ...row, sent_at: formatTimestamp(row.sent_at), resolved_at: formatTimestamp(row.resolved_at) };
}
