import { dateOf } from '../lists/day-range.ts';
import { prepared, type ReadableDb } from '../sqlite/connection.ts';
import { statementStates } from './statement.ts';

/**
 * Returns the day the first statement was opened and the last filing day (closed, else opened), in the service's
 * calendar.
 */
export function statementDays(db: ReadableDb): { first: string | null; last: string | null } {
  const end = (sql: string): (string | null)[] =>
    statementStates.map((_, state) => dateOf(prepared<string | null>(db, sql).pluck().get(state) ?? null));
  const opened = end(
    `SELECT opened_at_text FROM statement INDEXED BY statement_opened
     WHERE state = ? AND opened_at > 0 ORDER BY opened_at LIMIT 1`,
  );
  const filed = end(
    `SELECT coalesce(closed_at_text, opened_at_text) FROM statement INDEXED BY statement_filed
     WHERE state = ? AND filed_at > 0 ORDER BY filed_at DESC LIMIT 1`,
  );
  const days = (all: (string | null)[]) => all.filter((day) => day !== null).sort();
  return { first: days(opened)[0] ?? null, last: days(filed).at(-1) ?? null };
}
