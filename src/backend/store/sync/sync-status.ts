import type { Outputs, PartStatus, SyncPart, SyncProblem, SyncRun } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { setAsideAt } from '../database/damaged-database.ts';
import { type Branch, countRows, type Reading, readPage } from '../lists/keyset-pagination.ts';
import { prepared, type ReadableDb } from '../sqlite/connection.ts';
import { logGaps } from './log-gaps.ts';
import { partState } from './sync-unit.ts';

/** The parts of a sync by default. */
const usualParts: readonly SyncPart[] = ['webhooks', 'statements', 'allocations'];
const parts: readonly SyncPart[] = [...usualParts, 'pdf'];

/**
 * Returns what is stored, how fresh it is and what is missing. A sync marked as running was interrupted if `isWorkedOn`
 * says that no process is working on the site.
 */
export function syncStatus(
  cache: ReadableDb,
  books: ReadableDb,
  site: string,
  isWorkedOn: () => boolean,
): Outputs['sync']['status'] {
  const shown = parts.map((part) => partStatus(cache, part));
  const running =
    prepared<string>(
      books,
      "SELECT id FROM job WHERE state IN ('running', 'paused') AND kind = 'sync' LIMIT 1",
    )
      .pluck()
      .get() ?? null;
  const isCutOff = running !== null && !isWorkedOn();
  const complete = shown.every((each) => each.complete || !usualParts.includes(each.part));
  return {
    site,
    parts: shown,
    complete,
    last: lastTry(cache, isCutOff),
    running: isCutOff ? null : running,
    set_aside: complete ? null : setAsideAt(cache.name),
  };
}

/** Statements that are stored but no longer listed by the service. */
const GONE = `SELECT count(*) FROM statement_known WHERE vanished_at IS NOT NULL
  AND EXISTS (SELECT 1 FROM statement WHERE statement.id = statement_known.id)`;

/**
 * Per part: SQL for the number of stored records, the expected number, and the newest record. Allocations are counted by
 * subscription components.
 */
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
          + (${GONE}), NULL)`,
    newest: `SELECT text FROM (
        SELECT filed_at, coalesce(closed_at_text, opened_at_text) AS text FROM (
          SELECT * FROM (SELECT * FROM statement WHERE state = 0 ORDER BY filed_at DESC LIMIT 1)
          UNION ALL SELECT * FROM (SELECT * FROM statement WHERE state = 1 ORDER BY filed_at DESC LIMIT 1)
          UNION ALL SELECT * FROM (SELECT * FROM statement WHERE state = 2 ORDER BY filed_at DESC LIMIT 1)))
      ORDER BY filed_at DESC LIMIT 1`,
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

function partStatus(db: ReadableDb, part: SyncPart): PartStatus {
  const one = <Value>(sql: string) => prepared<Value | null>(db, sql).pluck().get() ?? null;
  const state = partState<{ since?: string | null; gone_before?: number | null } | null>(db, part);
  const problems = prepared<number>(db, 'SELECT count(*) FROM problem WHERE part = ?').pluck().get(part);
  const holds = one<number>(stored[part].stored) ?? 0;
  const expected = one<number>(stored[part].expected);
  return {
    part,
    stored: holds,
    expected,
    synced_at: formatTimestamp(state?.synced_at ?? null),
    newest_at: one<string>(stored[part].newest),
    complete: state?.complete === true && holds >= (expected ?? 0),
    problems: problems ?? 0,
    since: state?.checkpoint?.since ?? null,
    ...(part === 'webhooks'
      ? {
          gaps: logGaps(db, state),
          kept_from_before: formatTimestamp(state?.checkpoint?.gone_before ?? null),
        }
      : {}),
    ...(part === 'statements' ? { gone: one<number>(GONE) ?? 0 } : {}),
  };
}

function lastTry(db: ReadableDb, isCutOff: boolean): Outputs['sync']['status']['last'] {
  const [last] = storedRuns(db, isCutOff ? '1' : 'ended_at IS NOT NULL', 1);
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

interface StoredRunRow {
  job: string;
  started_at: number;
  ended_at: number | null;
  state: SyncRun['state'];
  requests: string;
  rows: string;
  bytes: number;
  complete: number;
  error: string | null;
}

function storedRuns(db: ReadableDb, where: string, limit: number): StoredRunRow[] {
  return prepared<StoredRunRow>(
    db,
    `SELECT * FROM sync_run WHERE ${where} ORDER BY started_at DESC, job DESC LIMIT ?`,
  ).all(limit);
}

/** Lists syncs, newest first. */
export function listRuns(db: ReadableDb, limit: number): SyncRun[] {
  return storedRuns(db, '1', limit).map((run) => shownRun(db, run));
}

/** Returns null if the sync does not exist. */
export function syncRun(db: ReadableDb, job: string): SyncRun | null {
  const run = prepared<StoredRunRow>(db, 'SELECT * FROM sync_run WHERE job = ?').get(job);
  return run === undefined ? null : shownRun(db, run);
}

function shownRun(db: ReadableDb, run: StoredRunRow): SyncRun {
  const end = run.ended_at ?? Date.now();
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
    problems: prepared<StoredProblem>(
      db,
      `SELECT ${problemColumns} FROM problem WHERE job = ? ORDER BY id LIMIT 1000`,
    )
      .all(run.job)
      .map(shownProblem),
    error: jsonOrNull(run.error),
  };
}

function jsonOrNull(text: string | null): SyncRun['error'] {
  return text === null ? null : (JSON.parse(text) as SyncRun['error']);
}

const problemColumns = 'id, part, location, reason, raw, seen_at';
type StoredProblem = Omit<SyncProblem, 'seen_at'> & { seen_at: number };
const shownProblem = (row: StoredProblem): SyncProblem => ({ ...row, seen_at: formatTimestamp(row.seen_at) });

/** Lists problems, newest first. */
export function listProblems(
  db: ReadableDb,
  { part, after, limit }: { part?: SyncPart | undefined; after?: string | undefined; limit: number },
): Outputs['sync']['problems'] {
  const branch: Branch = {
    from: 'problem',
    where: part === undefined ? [] : ['part = ?'],
    bound: part === undefined ? [] : [part],
  };
  const reading: Reading = {
    order: { name: 'problems', columns: [{ name: 'id', type: 'number' }], direction: 'desc' },
    groups: [{ lead: [], branches: [branch] }],
    edge: null,
  };
  const { keys, next } = readPage(db, reading, { after, limit });
  return {
    rows: keys.map(([id]) =>
      shownProblem(
        prepared<StoredProblem>(db, `SELECT ${problemColumns} FROM problem WHERE id = ?`).get(id!)!,
      ),
    ),
    next,
    total: after === undefined ? { count: countRows(db, [branch]), exact: true } : null,
  };
}
