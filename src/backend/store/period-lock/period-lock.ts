import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';

/** Returns the last day of the closed periods, or null if no period is locked. */
export function findLastLockedDay(db: ReadableDb): string | null {
  return prepareSql<string>(db, 'SELECT until FROM period_lock').pluck().get() || null;
}

/** SQL condition for a match `g` that was cleared on a locked day. */
export const LOCKED_MATCH_CONDITION = `EXISTS (SELECT 1 FROM match_cleared
  WHERE match_cleared.group_id = g.id AND cleared_on <= (SELECT until FROM period_lock))`;

/** Returns the locked matches among these ids, with the days on which they were cleared. */
export function listLockedMatches(db: ReadableDb, ids: readonly number[]): { id: number; day: string }[] {
  const sql = `SELECT group_id AS id, cleared_on AS day FROM json_each(?) AS wanted CROSS JOIN match_cleared ON group_id = wanted.value
     WHERE cleared_on <= (SELECT until FROM period_lock) ORDER BY group_id`;
  return select.rows<{ id: number; day: string }>(db, sql, JSON.stringify(ids));
}

/** Returns the number of a run's locked matches and their latest cleared day. */
export function countLockedMatchesOfRun(db: ReadableDb, run: number): { count: number; day: string | null } {
  return countLocked(
    db,
    `SELECT count(*) AS count, max(cleared_on) AS day FROM match_group AS g JOIN match_cleared ON group_id = g.id
     WHERE run_id = ? AND cleared_on <= (SELECT until FROM period_lock)`,
    run,
  );
}

/** Returns the number of an import's locked lines and their latest booking day. */
export function countLockedLinesOfImport(db: ReadableDb, id: number): { count: number; day: string | null } {
  return countLocked(
    db,
    `SELECT count(*) AS count, max(booked_on) AS day FROM bank_line INDEXED BY bank_line_import
     WHERE import_id = ? AND removed = 0 AND ${createLockedRowCondition('line', 'bank_line', 'booked_on')}`,
    id,
  );
}

/** Returns the number of locked matches with lines of an import, and their latest cleared day. */
export function countLockedMatchesOfImport(
  db: ReadableDb,
  id: number,
): { count: number; day: string | null } {
  return countLocked(
    db,
    `SELECT count(DISTINCT match_item.group_id) AS count, max(cleared_on) AS day
     FROM bank_line INDEXED BY bank_line_import CROSS JOIN match_item ON line_id = bank_line.id
       CROSS JOIN match_cleared ON match_cleared.group_id = match_item.group_id
     WHERE import_id = ? AND removed = 0 AND cleared_on <= (SELECT until FROM period_lock)`,
    id,
  );
}

/** Returns the number of an account's locked lines and their latest booking day. */
export function countLockedLinesOfAccount(db: ReadableDb, id: number): { count: number; day: string | null } {
  return countLocked(
    db,
    `SELECT count(*) AS count, max(booked_on) AS day FROM bank_line
     WHERE account_id = ? AND removed = 0 AND ${createLockedRowCondition('line', 'bank_line', 'booked_on')}`,
    id,
  );
}

/** Returns the payments with locked dates among these ids. */
export function findLockedPayments(db: ReadableDb, ids: readonly number[]): Set<number> {
  const sql = `SELECT match_payment.id FROM json_each(?) AS wanted CROSS JOIN match_payment ON match_payment.id = wanted.value
       WHERE removed = 0 AND ${createLockedRowCondition('payment', 'match_payment', 'paid_on')}`;
  return new Set(select.values<number>(db, sql, JSON.stringify(ids)));
}

/** Returns the locked day of an exception, or null if the exception is not locked. */
export function findLockedExceptionDay(db: ReadableDb, id: number): string | null {
  const sql = `SELECT dated_on FROM exception WHERE id = ? AND dated_on <> '' AND ${createLockedRowCondition('exception', 'exception', 'dated_on')}`;
  return select.value<string>(db, sql, id);
}

/** Returns the SQL condition for a locked row: its date is locked, and it existed before the lock. */
export function createLockedRowCondition(
  kind: 'line' | 'payment' | 'payout' | 'exception',
  table: string,
  day: string,
): string {
  return `${table}.${day} <= (SELECT until FROM period_lock) AND coalesce((SELECT posted_on FROM late_row
    WHERE late_row.kind = '${kind}' AND late_row.id = ${table}.id), '') <= (SELECT until FROM period_lock)`;
}

function countLocked(db: ReadableDb, sql: string, id: number): { count: number; day: string | null } {
  return select.row<{ count: number; day: string | null }>(db, sql, id) ?? { count: 0, day: null };
}
