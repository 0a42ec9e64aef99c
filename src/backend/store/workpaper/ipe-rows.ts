import type { TimeRange } from '../lists/time-range.ts';
import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';

/** A statement closed in a time range. `read_at` is when the request that returned it was sent (UTC milliseconds). */
export interface StatementOrigin {
  read_at: number;
  /** 1 if the service no longer lists the statement. */
  vanished: 0 | 1;
}

/** Yields the stored statements closed in a time range, including those that the service no longer lists. */
export function readStatementOrigins(
  cache: ReadableDb,
  { from, until }: TimeRange,
): IterableIterator<StatementOrigin> {
  const sql = `SELECT read_at, vanished_at IS NOT NULL AS vanished FROM statement
    WHERE state IN (1, 2) AND dated_at >= ? AND dated_at < ?`;
  return prepareSql<StatementOrigin>(cache, sql).iterate(from, until);
}

/** Numbers of rows of an imported bank or processor file, and the days and lines taken from it. */
export interface ImportRowCounts {
  total: number;
  added: number;
  duplicate: number;
  failed: number;
  skipped: number;
  first_on: string | null;
  last_on: string | null;
}

/** Returns the row counts of an import. Throws if it does not exist. */
export function readImportRowCounts(books: ReadableDb, id: number): ImportRowCounts {
  const sql = `SELECT rows_total AS total, rows_new AS added, rows_duplicate AS duplicate, rows_failed AS failed,
      rows_skipped AS skipped, first_on, last_on FROM bank_import WHERE id = ?`;
  return select.row<ImportRowCounts>(books, sql, id)!;
}

/** Returns the number and total of the lines taken from an import, per currency. */
export function sumImportedLines(
  books: ReadableDb,
  id: number,
): { currency: string; count: number; cents: number }[] {
  const sql = `SELECT currency, count(*) AS count, sum(amount_in_cents) AS cents FROM bank_line
    WHERE import_id = ? AND removed = 0 GROUP BY currency ORDER BY currency`;
  return select.rows(books, sql, id);
}
