import {
  type Marks,
  type Outputs,
  type ReplayItem,
  type ReplayJob,
  type ReplayLive,
  type ReplayOutcome,
  type ReplayPlan,
  replayOutcomeSchema,
} from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { type Branch, countRows, type Reading, readMarks, readPage } from '../lists/keyset-pagination.ts';
import { prepared, type ReadableDb, type Values } from '../sqlite/connection.ts';
import type { PlanSummary, StoredReplay } from './replay.ts';

const planColumns = `SELECT replay_plan.*, (SELECT job FROM replay_job WHERE plan = replay_plan.id
  ORDER BY started_at LIMIT 1) AS job FROM replay_plan`;

interface StoredPlanRow {
  id: string;
  created_at: number;
  description: string;
  count: number;
  ids_sha256: string;
  summary: string;
  job: string | null;
}

/** Lists plans, newest first. */
export function listPlans(books: ReadableDb, site: string): ReplayPlan[] {
  return prepared<StoredPlanRow>(books, `${planColumns} ORDER BY created_at DESC, id DESC`)
    .all()
    .map((row) => shownPlan(row, site));
}

/** Returns null if the plan does not exist. */
export function replayPlan(books: ReadableDb, site: string, id: string): ReplayPlan | null {
  const row = prepared<StoredPlanRow>(books, `${planColumns} WHERE id = ?`).get(id);
  return row === undefined ? null : shownPlan(row, site);
}

function shownPlan(row: StoredPlanRow, site: string): ReplayPlan {
  const { id, created_at, summary, ...rest } = row;
  return {
    plan: id,
    site,
    created_at: formatTimestamp(created_at),
    ...NO_FORECAST,
    ...rest,
    ...(JSON.parse(summary) as PlanSummary),
  };
}

/** Defaults for plans of earlier versions. */
const NO_FORECAST = { retrying: 0, retrying_until: null, expected: null };

type StoredReplayRow = StoredReplay & { description: string };

const replayColumns =
  'SELECT replay_job.*, replay_plan.description FROM replay_job JOIN replay_plan ON replay_plan.id = replay_job.plan';

/** Lists replays, newest first. */
export function listReplays(books: ReadableDb, site: string): ReplayJob[] {
  return prepared<StoredReplayRow>(books, `${replayColumns} ORDER BY started_at DESC, job DESC`)
    .all()
    .map((row) => shownReplay(books, row, site));
}

/** Returns null if the replay does not exist. */
export function replayOf(books: ReadableDb, site: string, job: string): ReplayJob | null {
  const row = prepared<StoredReplayRow>(books, `${replayColumns} WHERE job = ?`).get(job);
  return row === undefined ? null : shownReplay(books, row, site);
}

function shownReplay(books: ReadableDb, row: StoredReplayRow, site: string): ReplayJob {
  const counts = row.counts === null ? outcomeCounts(books, row.job) : keptCounts(row.counts);
  return {
    job: row.job,
    site,
    plan: row.plan,
    description: row.description,
    state: row.state,
    reason: row.reason,
    paused_by: row.state === 'paused' ? row.paused_by : null,
    mode: row.mode,
    batch_size: row.batch_size,
    rate: row.rate,
    ordered: row.ordered === 1,
    started_at: formatTimestamp(row.started_at),
    ended_at: formatTimestamp(row.ended_at),
    step: row.step,
    counts,
    in_flight: counts.queued + counts.sending,
    live: row.live === null || row.ended_at !== null ? null : (JSON.parse(row.live) as ReplayLive),
    requests: { total: row.requests_total, minimum: row.requests_minimum },
  };
}

const keptCounts = (json: string) => JSON.parse(json) as ReplayJob['counts'];

/** Returns the number of webhooks per outcome. */
export function outcomeCounts(books: ReadableDb, job: string): ReplayJob['counts'] {
  const counts = prepared<[ReplayOutcome, number]>(
    books,
    'SELECT outcome, count(*) FROM replay_item WHERE job = ? GROUP BY outcome',
  )
    .raw()
    .all(job);
  return { ...NONE, ...Object.fromEntries(counts) };
}

const NONE = Object.fromEntries(
  replayOutcomeSchema.options.map((outcome) => [outcome, 0]),
) as ReplayJob['counts'];

interface ItemQuery {
  job: string;
  outcome?: ReplayOutcome[] | undefined;
}

function itemBranches({ job, outcome }: ItemQuery): Branch[] {
  return outcome === undefined
    ? [{ from: 'replay_item', where: ['job = ?'], bound: [job] }]
    : [...new Set(outcome)].map((each) => ({
        from: 'replay_item INDEXED BY replay_item_outcome',
        where: ['job = ?', 'outcome = ?'],
        bound: [job, each],
      }));
}

function itemReading(branches: Branch[]): Reading {
  return {
    order: { name: 'replay items', columns: [{ name: 'ordinal', type: 'number' }], direction: 'asc' },
    groups: branches.length === 0 ? [] : [{ lead: [], branches }],
    edge: null,
  };
}

/** Lists a replay's webhooks in the order of sending. */
export function listItems(
  books: ReadableDb,
  query: ItemQuery & { after?: string | undefined; limit: number },
): Outputs['replay']['items'] {
  const { job, after, limit } = query;
  const branches = itemBranches(query);
  const { keys, next } = readPage(books, itemReading(branches), { after, limit });
  return {
    rows: keys.map((key) => itemAt(books, job, key)),
    next,
    total: after === undefined ? { count: countRows(books, branches), exact: true } : null,
  };
}

/** Returns cursors at regular intervals of the list, so that any part of it can be read directly. */
export function itemMarks(books: ReadableDb, query: ItemQuery & { every: number }): Marks {
  return readMarks(books, itemReading(itemBranches(query)), query.every, 'replay_item');
}

function itemAt(books: ReadableDb, job: string, key: Values): ReplayItem {
  const row = prepared<
    Omit<ReplayItem, 'sent_at' | 'resolved_at'> & { sent_at: number | null; resolved_at: number | null }
  >(
    books,
    `SELECT webhook_id AS id, event, outcome, sent_at, resolved_at, last_error FROM replay_item
     WHERE job = ? AND ordinal = ?`,
  ).get(job, ...key)!;
  return { ...row, sent_at: formatTimestamp(row.sent_at), resolved_at: formatTimestamp(row.resolved_at) };
}
