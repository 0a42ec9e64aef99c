import type { StatementFilter } from '../../../contract/index.ts';
import { DEFAULT_RETENTION_YEARS, findNewestDatePastRetention } from '../../../domain/archive/index.ts';
import { prepared, type ReadableDb, type WritableDb } from '../sqlite/connection.ts';

/** Returns the retention in years from a document's date. Null for unlimited. */
export function retentionOf(books: ReadableDb): number | null {
  const row = prepared<{ years: number | null }>(books, 'SELECT years FROM archive_policy').get();
  return row === undefined ? DEFAULT_RETENTION_YEARS : row.years;
}

/** Saves the retention. `at` is UTC milliseconds. */
export function setRetention(books: WritableDb, years: number | null, at: number, user: string): void {
  prepared(
    books,
    `INSERT INTO archive_policy (one, years, set_at, set_by) VALUES (1, ?, ?, ?)
     ON CONFLICT (one) DO UPDATE SET years = excluded.years, set_at = excluded.set_at, set_by = excluded.set_by`,
  ).run(years, at, user);
}

/** Narrows a filter to statements that may be past retention. Returns null if there are none. */
export function pastRetention(
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
