import type {
  ContractOutputs,
  Site,
  SyncPart,
  SyncPartStatus,
  SyncProblem,
  SyncRun,
} from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { findDatabaseSetAsideTime } from '../database/set-aside-database.ts';
import { orderByColumn, type PageRequest, planListScans, readRowPage } from '../lists/keyset-pagination.ts';
import { whereEqual } from '../lists/sql-conditions.ts';
import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';
import { getDefaultSyncParts, getPossibleSyncParts } from './default-sync-parts.ts';
import { findOldestSyncTime } from './oldest-sync-time.ts';
import { hasUnreadRecords } from './sync-problem.ts';
import type { StoredSyncRun } from './sync-run.ts';
import { readSyncPartState } from './sync-unit.ts';
import { findUnreadWebhookLogRanges } from './unread-log-ranges.ts';

/** Returns what is stored, outdated and missing for a site. `isWorkedOn` returns true while a process syncs it. */
export function readSyncStatus(
  cache: ReadableDb,
  books: ReadableDb,
  site: Pick<Site, 'site' | 'service_details'>,
  isWorkedOn: () => boolean,
): ContractOutputs['sync']['status'] {
  const defaultParts = getDefaultSyncParts(site);
  const partStatuses = getPossibleSyncParts(site).map((part) => readPartStatus(cache, part));
  const sql = "SELECT id FROM job WHERE state IN ('running', 'paused') AND kind = 'sync' LIMIT 1";
  const running = select.value<string>(books, sql);
  const isInterrupted = running !== null && !isWorkedOn();
  const complete = partStatuses.every((each) => each.complete || !defaultParts.includes(each.part));
  return {
    site: site.site,
    parts: partStatuses,
    complete,
    synced_at: findOldestSyncTime(cache, site),
    last: findLastSync(cache, isInterrupted),
    running: isInterrupted ? null : running,
    set_aside: complete ? null : findDatabaseSetAsideTime(cache.name),
  };
}

/** SQL that counts the stored statements that the service no longer lists. */
const VANISHED_STATEMENTS = `SELECT count(*) FROM statement_known WHERE vanished_at IS NOT NULL
  AND EXISTS (SELECT 1 FROM statement WHERE statement.id = statement_known.id)`;

/** SQL for the number of stored records, the expected number and the newest record of each part. */
const stored: Record<SyncPart, { stored: string; expected: string; newest: string }> = {
  webhooks: {
    stored: 'SELECT sum(count) FROM webhook_class',
    expected: "SELECT expected FROM sync_part WHERE part = 'webhooks'",
    newest: 'SELECT created_at_text FROM webhook INDEXED BY webhook_created ORDER BY created_at DESC LIMIT 1',
  },
  statements: {
    stored: 'SELECT sum(count) FROM statement_sum',
    expected: `SELECT iif(EXISTS (SELECT 1 FROM sync_part WHERE part = 'statements'),
        (SELECT count(*) FROM statement_known WHERE vanished_at IS NULL)
          + (${VANISHED_STATEMENTS}), NULL)`,
    newest: `SELECT text FROM (
        SELECT dated_at, coalesce(closed_at_text, opened_at_text) AS text FROM (
          SELECT * FROM (SELECT * FROM statement WHERE state = 0 ORDER BY dated_at DESC LIMIT 1)
          UNION ALL SELECT * FROM (SELECT * FROM statement WHERE state = 1 ORDER BY dated_at DESC LIMIT 1)
          UNION ALL SELECT * FROM (SELECT * FROM statement WHERE state = 2 ORDER BY dated_at DESC LIMIT 1)))
      ORDER BY dated_at DESC LIMIT 1`,
  },
  allocations: {
    stored: "SELECT count(*) FROM subscription_component WHERE state = 'complete'",
    expected: "SELECT count(*) FROM subscription_component WHERE state <> 'missing'",
    newest: 'SELECT last_at_text FROM subscription_component ORDER BY last_at DESC LIMIT 1',
  },
  pdf: {
    stored: 'SELECT count(DISTINCT statement_id) FROM pdf',
    expected: 'SELECT sum(count) FROM statement_sum WHERE state <> 0',
    newest: "SELECT strftime('%Y-%m-%dT%H:%M:%SZ', max(fetched_at) / 1000, 'unixepoch') FROM pdf",
  },
};

function readPartStatus(db: ReadableDb, part: SyncPart): SyncPartStatus {
  const one = <Value>(sql: string) => select.value<Value>(db, sql);
  const state = readSyncPartState<{ since?: string | null; gone_before?: number | null } | null>(db, part);
  const problems = prepareSql<number>(db, 'SELECT count(*) FROM problem WHERE part = ?').pluck().get(part);
  const count = one<number>(stored[part].stored) ?? 0;
  const expected = one<number>(stored[part].expected);
  return {
    part,
    stored: count,
    expected,
    synced_at: formatTimestamp(state?.synced_at ?? null),
    newest_at: one<string>(stored[part].newest),
    complete: state?.complete === true && count >= (expected ?? 0) && !hasUnreadRecords(db, part),
    problems: problems ?? 0,
    since: state?.checkpoint?.since ?? null,
    ...(part === 'webhooks'
      ? {
          gaps: findUnreadWebhookLogRanges(db, state),
          kept_from_before: formatTimestamp(state?.checkpoint?.gone_before ?? null),
        }
      : {}),
    ...(part === 'statements' ? { gone: one<number>(VANISHED_STATEMENTS) ?? 0 } : {}),
  };
}

function findLastSync(db: ReadableDb, isInterrupted: boolean): ContractOutputs['sync']['status']['last'] {
  const [last] = readSyncRuns(db, isInterrupted ? '1' : 'ended_at IS NOT NULL', 1);
  if (last === undefined) return null;
  const { ended_at, started_at, error, complete } = last;
  const state = last.state === 'running' ? 'interrupted' : last.state;
  return {
    at: formatTimestamp(ended_at ?? started_at),
    ok: state === 'done',
    error: jsonOrNull(error),
    state,
    complete: complete === 1,
  };
}

interface StoredSyncRunRow extends Omit<StoredSyncRun, 'requests' | 'rows' | 'complete' | 'error'> {
  requests: string;
  rows: string;
  complete: number;
  error: string | null;
}

function readSyncRuns(db: ReadableDb, where: string, limit: number): StoredSyncRunRow[] {
  const sql = `SELECT * FROM sync_run WHERE ${where} ORDER BY started_at DESC, job DESC LIMIT ?`;
  return select.rows<StoredSyncRunRow>(db, sql, limit);
}

export function listSyncRuns(db: ReadableDb, limit: number): SyncRun[] {
  return readSyncRuns(db, '1', limit).map((run) => toSyncRun(db, run));
}

export function getSyncRun(db: ReadableDb, job: string): SyncRun | null {
  const run = prepareSql<StoredSyncRunRow>(db, 'SELECT * FROM sync_run WHERE job = ?').get(job);
  return run === undefined ? null : toSyncRun(db, run);
}

function toSyncRun(db: ReadableDb, run: StoredSyncRunRow): SyncRun {
  const end = run.ended_at ?? Date.now();
  const sql = `SELECT ${problemColumns} FROM problem WHERE job = ? ORDER BY id LIMIT 1000`;
  return {
    job: run.job,
    started_at: formatTimestamp(run.started_at),
    ended_at: formatTimestamp(run.ended_at),
    state: run.state,
    requests: JSON.parse(run.requests) as SyncRun['requests'],
    rows: JSON.parse(run.rows) as SyncRun['rows'],
    bytes: run.bytes,
    seconds: (end - run.started_at) / 1000,
    complete: run.complete === 1,
    problems: select.rows<StoredProblem>(db, sql, run.job).map(toSyncProblem),
    error: jsonOrNull(run.error),
  };
}

function jsonOrNull(text: string | null): SyncRun['error'] {
  return text === null ? null : (JSON.parse(text) as SyncRun['error']);
}

const problemColumns = 'id, part, location, reason, raw, seen_at';
type StoredProblem = Omit<SyncProblem, 'seen_at'> & { seen_at: number };
const toSyncProblem = (row: StoredProblem): SyncProblem => ({
  ...row,
  seen_at: formatTimestamp(row.seen_at),
});

/** Lists sync problems, newest first. */
export function listSyncProblems(
  db: ReadableDb,
  query: PageRequest & { part?: SyncPart | undefined },
): ContractOutputs['sync']['problems'] {
  const scan = { from: 'problem', ...whereEqual('part', query.part) };
  const plan = planListScans(orderByColumn('problems', 'id', 'desc'), [scan]);
  const sql = `SELECT ${problemColumns} FROM problem WHERE id = ?`;
  return readRowPage(db, plan, query, ([id]) => toSyncProblem(select.row<StoredProblem>(db, sql, id!)!));
}
