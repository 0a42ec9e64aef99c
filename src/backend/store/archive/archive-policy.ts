import type { StatementFilter } from '../../../contract/index.ts';
import { newestPastRetention, USUAL_YEARS } from '../../../domain/archive/index.ts';
import { prepared, type ReadableDb, type WritableDb } from '../database.ts';

/** Years from a document's date that the site keeps it; null: without end. */
export function retentionOf(books: ReadableDb): number | null {
  const row = prepared<{ years: number | null }>(books, 'SELECT years FROM archive_policy').get();
  return row === undefined ? USUAL_YEARS : row.years;
}

/** `at` in ms UTC. */
export function setRetention(books: WritableDb, years: number | null, at: number, who: string): void {
  prepared(
    books,
    `INSERT INTO archive_policy (one, years, set_at, set_by) VALUES (1, ?, ?, ?)
     ON CONFLICT (one) DO UPDATE SET years = excluded.years, set_at = excluded.set_at, set_by = excluded.set_by`,
  ).run(years, at, who);
}

/** A filter narrowed to what may be past its retention; null where nothing is. */
export function pastRetention(
  filter: StatementFilter,
  years: number | null,
  today: string,
): StatementFilter | null {
  const newest = newestPastRetention(years, today);
  if (newest === null) return null;
  const states = (filter.state ?? ['unpaid', 'paid']).filter((state) => state !== 'open');
  const until = filter.until !== undefined && filter.until < newest ? filter.until : newest;
  return { ...filter, state: states, until };
}
