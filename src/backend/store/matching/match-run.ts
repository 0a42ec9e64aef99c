import type { ContractOutputs, MatchRun } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { orderByColumn, type PageRequest, planListScans, readRowPage } from '../lists/keyset-pagination.ts';
import { prepareSql, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, updateRow } from '../sqlite/write-row.ts';

export interface NewMatchRun {
  job: string;
  dry_run: boolean;
  /** Ids of the accounts to match, or null for all accounts. */
  accounts: readonly number[] | null;
  /** Start of the run in UTC milliseconds. */
  at: number;
  user: string;
}

/** Figures that a completed matching run records. */
export type MatchRunFigures = Pick<
  MatchRun,
  | 'passes'
  | 'confirmed'
  | 'suggested'
  | 'ambiguous'
  | 'unmatched_lines'
  | 'unmatched_payments'
  | 'digest'
  | 'durations'
>;

/** Records a matching run before it starts. Returns the run's id. */
export function beginMatchRun(db: WritableDb, { job, dry_run, accounts, at, user }: NewMatchRun): number {
  const scope = accounts === null ? null : JSON.stringify(accounts);
  const row = { job, dry_run: Number(dry_run), accounts: scope, state: 'running', started_at: at, user };
  return insertRow(db, 'match_run', { ...row, passes: '[]' });
}

/** Records the end of a matching run, the version of its input and, if available, its figures. */
export function endMatchRun(
  db: WritableDb,
  id: number,
  { state, ended_at, input = null }: { state: 'done' | 'canceled'; ended_at: number; input?: string | null },
  figures: MatchRunFigures | null,
): void {
  updateRow(db, 'match_run', { state, ended_at, input, ...(figures && toFigureColumns(figures)) }, { id });
}

function toFigureColumns(figures: MatchRunFigures) {
  const { confirmed, suggested, ambiguous, unmatched_lines, unmatched_payments, digest } = figures;
  return {
    ...{ confirmed, suggested, ambiguous, unmatched_lines, unmatched_payments, digest },
    passes: JSON.stringify(figures.passes),
    durations: JSON.stringify(figures.durations),
  };
}

/** Marks a matching run as undone. Its last match must be removed in the same transaction. */
export function markMatchRunUndone(
  db: WritableDb,
  id: number,
  { at, by, reason }: { at: number; by: string; reason: string },
): void {
  const row = { state: 'undone', undone_at: at, undone_by: by, undone_reason: reason };
  updateRow(db, 'match_run', row, { id });
}

/** Marks matching runs of a crashed process as canceled. */
export function cancelMatchRuns(db: WritableDb, at: number): void {
  prepareSql(db, "UPDATE match_run SET state = 'canceled', ended_at = ? WHERE state = 'running'").run(at);
}

/** Returns a batch of a run's existing matches that no person has decided on. */
export function listUndecidedMatchesOfRun(
  db: ReadableDb,
  run: number,
  after: number,
  limit: number,
): number[] {
  const sql = `SELECT id FROM match_group INDEXED BY match_group_run
     WHERE run_id = ? AND status IN ('confirmed', 'suggested', 'ambiguous') AND changed_by IS NULL AND id > ?
     ORDER BY id LIMIT ?`;
  return select.values<number>(db, sql, run, after, limit);
}

interface StoredMatchRun
  extends Omit<
    MatchRun,
    'dry_run' | 'accounts' | 'started_at' | 'ended_at' | 'passes' | 'durations' | 'undone'
  > {
  dry_run: number;
  accounts: string | null;
  started_at: number;
  ended_at: number | null;
  passes: string;
  durations: string | null;
  undone_at: number | null;
  undone_by: string | null;
  undone_reason: string | null;
  input: string | null;
}

export function findMatchRun(db: ReadableDb, id: number): MatchRun | null {
  const stored = prepareSql<StoredMatchRun>(db, 'SELECT * FROM match_run WHERE id = ?').get(id);
  return stored === undefined ? null : toMatchRun(stored);
}

export function findMatchRunByJob(db: ReadableDb, job: string): MatchRun | null {
  const stored = prepareSql<StoredMatchRun>(db, 'SELECT * FROM match_run WHERE job = ?').get(job);
  return stored === undefined ? null : toMatchRun(stored);
}

/** Returns the last completed matching run that was not a dry run, or null. */
export function findLastMatchRun(db: ReadableDb): MatchRun | null {
  const sql =
    "SELECT * FROM match_run WHERE dry_run = 0 AND state IN ('done', 'undone') ORDER BY id DESC LIMIT 1";
  const stored = prepareSql<StoredMatchRun>(db, sql).get();
  return stored === undefined ? null : toMatchRun(stored);
}

/**
 * Returns the latest run that may have written matches, if it is complete, covered the same accounts and read the same
 * input. Repeating such a run would write nothing.
 */
export function findEquivalentMatchRun(
  db: ReadableDb,
  accounts: readonly number[] | null,
  input: string,
): MatchRun | null {
  const sql = "SELECT * FROM match_run WHERE dry_run = 0 AND state <> 'running' ORDER BY id DESC LIMIT 1";
  const last = prepareSql<StoredMatchRun>(db, sql).get();
  const scope = accounts === null ? null : JSON.stringify(accounts);
  const isEqual = last?.state === 'done' && last.accounts === scope && last.input === input;
  return isEqual ? toMatchRun(last) : null;
}

/** Lists matching runs, newest first. */
export function listMatchRuns(db: ReadableDb, page: PageRequest): ContractOutputs['match']['runs'] {
  const scan = { from: 'match_run', where: [], bound: [] };
  const plan = planListScans(orderByColumn('runs', 'id', 'desc'), [scan]);
  return readRowPage(db, plan, page, ([id]) => findMatchRun(db, Number(id))!);
}

function toMatchRun(stored: StoredMatchRun): MatchRun {
  const { undone_at, undone_by, undone_reason, input: _input, ...rest } = stored;
  return {
    ...rest,
    dry_run: rest.dry_run === 1,
    accounts: rest.accounts === null ? null : (JSON.parse(rest.accounts) as number[]),
    started_at: formatTimestamp(rest.started_at),
    ended_at: formatTimestamp(rest.ended_at),
    passes: JSON.parse(rest.passes) as MatchRun['passes'],
    durations: rest.durations === null ? null : (JSON.parse(rest.durations) as MatchRun['durations']),
    undone:
      undone_at === null
        ? null
        : { at: formatTimestamp(undone_at), user: undone_by ?? '', reason: undone_reason ?? '' },
  };
}
