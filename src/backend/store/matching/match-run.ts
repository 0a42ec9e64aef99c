import type { MatchRun, Outputs } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { type Branch, countRows, type Order, readPage } from '../lists/keyset-pagination.ts';
import { prepared, type ReadableDb, type WritableDb } from '../sqlite/connection.ts';

export interface NewRun {
  job: string;
  dry_run: boolean;
  /** Ids of accounts. Null for all. */
  accounts: readonly number[] | null;
  /** UTC milliseconds. */
  at: number;
  user: string;
}

/** Figures of a run. */
export type RunFigures = Pick<
  MatchRun,
  | 'passes'
  | 'confirmed'
  | 'suggested'
  | 'ambiguous'
  | 'unmatched_lines'
  | 'unmatched_payments'
  | 'digest'
  | 'took'
>;

/** Records a run before it starts. Returns its id. */
export function beginRun(db: WritableDb, { job, dry_run, accounts, at, user }: NewRun): number {
  return Number(
    prepared(
      db,
      `INSERT INTO match_run (job, dry_run, accounts, state, started_at, user, passes) VALUES (?, ?, ?, 'running', ?, ?, '[]')`,
    ).run(job, Number(dry_run), accounts === null ? null : JSON.stringify(accounts), at, user)
      .lastInsertRowid,
  );
}

/** Ends a run, with its figures if there are any. */
export function endRun(
  db: WritableDb,
  id: number,
  state: 'done' | 'canceled',
  at: number,
  figures: RunFigures | null,
): void {
  if (figures === null) {
    prepared(db, 'UPDATE match_run SET state = ?, ended_at = ? WHERE id = ?').run(state, at, id);
    return;
  }
  prepared(
    db,
    `UPDATE match_run SET state = ?, ended_at = ?, passes = ?, confirmed = ?, suggested = ?, ambiguous = ?,
       unmatched_lines = ?, unmatched_payments = ?, digest = ?, took = ? WHERE id = ?`,
  ).run(
    state,
    at,
    JSON.stringify(figures.passes),
    figures.confirmed,
    figures.suggested,
    figures.ambiguous,
    figures.unmatched_lines,
    figures.unmatched_payments,
    figures.digest,
    JSON.stringify(figures.took),
    id,
  );
}

/** Marks a run as undone. Must be called in the transaction that removes the last of its matches. */
export function markRunUndone(
  db: WritableDb,
  id: number,
  { at, by, reason }: { at: number; by: string; reason: string },
): void {
  prepared(
    db,
    "UPDATE match_run SET state = 'undone', undone_at = ?, undone_by = ?, undone_reason = ? WHERE id = ?",
  ).run(at, by, reason, id);
}

/** Cancels runs left by a crashed process. */
export function cancelRuns(db: WritableDb, at: number): void {
  prepared(db, "UPDATE match_run SET state = 'canceled', ended_at = ? WHERE state = 'running'").run(at);
}

/** Returns a batch of a run's existing matches that nobody else has decided on. */
export function groupsOfRun(db: ReadableDb, run: number, after: number, limit: number): number[] {
  return prepared<number>(
    db,
    `SELECT id FROM match_group INDEXED BY match_group_run
     WHERE run_id = ? AND status IN ('confirmed', 'suggested', 'ambiguous') AND changed_by IS NULL AND id > ?
     ORDER BY id LIMIT ?`,
  )
    .pluck()
    .all(run, after, limit);
}

interface StoredRun {
  id: number;
  job: string;
  dry_run: number;
  accounts: string | null;
  state: MatchRun['state'];
  started_at: number;
  ended_at: number | null;
  user: string;
  passes: string;
  confirmed: number;
  suggested: number;
  ambiguous: number;
  unmatched_lines: number;
  unmatched_payments: number;
  digest: string | null;
  took: string | null;
  undone_at: number | null;
  undone_by: string | null;
  undone_reason: string | null;
}

export function runById(db: ReadableDb, id: number): MatchRun | null {
  const stored = prepared<StoredRun>(db, 'SELECT * FROM match_run WHERE id = ?').get(id);
  return stored === undefined ? null : shown(stored);
}

/** Returns the run of a job. */
export function runOfJob(db: ReadableDb, job: string): MatchRun | null {
  const stored = prepared<StoredRun>(db, 'SELECT * FROM match_run WHERE job = ?').get(job);
  return stored === undefined ? null : shown(stored);
}

/** Returns the last completed run that was no dry run, or null. */
export function lastRun(db: ReadableDb): MatchRun | null {
  const stored = prepared<StoredRun>(
    db,
    "SELECT * FROM match_run WHERE dry_run = 0 AND state IN ('done', 'undone') ORDER BY id DESC LIMIT 1",
  ).get();
  return stored === undefined ? null : shown(stored);
}

const byId: Order = { name: 'runs', columns: [{ name: 'id', type: 'number' }], direction: 'desc' };

/** Lists runs, newest first. */
export function listRuns(
  db: ReadableDb,
  page: { after?: string | undefined; limit: number },
): Outputs['match']['runs'] {
  const branches: Branch[] = [{ from: 'match_run', where: [], bound: [] }];
  const { keys, next } = readPage(db, { order: byId, groups: [{ lead: [], branches }], edge: null }, page);
  return {
    rows: keys.map(([id]) => runById(db, Number(id))!),
    next,
    total: page.after === undefined ? { count: countRows(db, branches), exact: true } : null,
  };
}

function shown(stored: StoredRun): MatchRun {
  const { undone_at, undone_by, undone_reason, ...rest } = stored;
  return {
    ...rest,
    dry_run: rest.dry_run === 1,
    accounts: rest.accounts === null ? null : (JSON.parse(rest.accounts) as number[]),
    started_at: formatTimestamp(rest.started_at),
    ended_at: formatTimestamp(rest.ended_at),
    passes: JSON.parse(rest.passes) as MatchRun['passes'],
    took: rest.took === null ? null : (JSON.parse(rest.took) as MatchRun['took']),
    undone:
      undone_at === null
        ? null
        : { at: formatTimestamp(undone_at), user: undone_by ?? '', reason: undone_reason ?? '' },
  };
}
