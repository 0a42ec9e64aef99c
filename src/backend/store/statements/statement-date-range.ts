import { extractDate } from '../lists/time-range.ts';
import { type ReadableDb, select } from '../sqlite/connection.ts';
import { statementStates } from './statement.ts';

/** Returns the first opening day and the last filing day of the statements, in the service's calendar. */
export function findStatementDateRange(db: ReadableDb): { first: string | null; last: string | null } {
  const end = (sql: string): (string | null)[] =>
    statementStates.map((_, state) => extractDate(select.value<string>(db, sql, state)));
  const opened = end(
    `SELECT opened_at_text FROM statement INDEXED BY statement_opened
     WHERE state = ? AND opened_at > 0 ORDER BY opened_at LIMIT 1`,
  );
  const filed = end(
    `SELECT coalesce(closed_at_text, opened_at_text) FROM statement INDEXED BY statement_dated
     WHERE state = ? AND dated_at > 0 ORDER BY dated_at DESC LIMIT 1`,
  );
  const days = (all: (string | null)[]) => all.filter((day) => day !== null).sort();
  return { first: days(opened)[0] ?? null, last: days(filed).at(-1) ?? null };
}
