import type { StatementFilter } from '../../../contract/index.ts';
import { DEFAULT_RETENTION_YEARS, findNewestDatePastRetention } from '../../../domain/archive/index.ts';
import { prepareSql, type ReadableDb, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, onConflictSql } from '../sqlite/write-row.ts';

/** Returns the retention period in years, which starts on the document date. Null means unlimited. */
export function getRetentionYears(books: ReadableDb): number | null {
  const row = prepareSql<{ years: number | null }>(books, 'SELECT years FROM archive_policy').get();
  return row === undefined ? DEFAULT_RETENTION_YEARS : row.years;
}

/** Saves the retention period in years. `at` is UTC milliseconds. */
export function storeRetentionYears(books: WritableDb, years: number | null, at: number, user: string): void {
  const row = { one: 1, years, set_at: at, set_by: user };
  insertRow(books, 'archive_policy', row, onConflictSql('one', 'years', 'set_at', 'set_by'));
}

/** Narrows a statement filter to statements that may be past retention. Returns null if there are none. */
export function limitFilterToPastRetention(
  filter: StatementFilter,
  years: number | null,
  today: string,
): StatementFilter | null {
  const newest = findNewestDatePastRetention(years, today);
  if (newest === null) return null;
  const states = (filter.state ?? ['unpaid', 'paid']).filter((state) => state !== 'open');
  const until = filter.until !== undefined && filter.until < newest ? filter.until : newest;
  return { ...filter, state: states, until };
}
