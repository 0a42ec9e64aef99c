import type { ArchiveFile, Outputs, StatementFilter } from '../../../contract/index.ts';
import { findLastRetentionDay, isPastRetention } from '../../../domain/archive/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { dateOf } from '../lists/day-range.ts';
import { idsOf, readPage } from '../lists/keyset-pagination.ts';
import { prepared, type ReadableDb } from '../sqlite/connection.ts';
import { statementReading } from '../statements/statement-reading.ts';
import { selectStatements } from '../statements/statement-selection.ts';
import { statementsOf, wrongFiles } from './archive-figures.ts';
import { heldBack, holdOn } from './archive-hold.ts';
import { pastRetention, retentionOf } from './archive-policy.ts';
import { versionsOf } from './pdf.ts';

/** A statement with a PDF in the archive. */
export interface ArchivedStatement {
  statement_id: number;
  subscription_id: number;
  customer: string;
  /** The document's date: the day the statement was closed, in the service's calendar. */
  date: string | null;
}

/**
 * Returns which of these statements have a PDF in the archive, by filing day. Those missing from the cache have no date.
 */
export function archivedStatements(cache: ReadableDb, ids: readonly number[]): ArchivedStatement[] {
  return prepared<Omit<ArchivedStatement, 'date'> & { closed: string | null }>(
    cache,
    `SELECT id AS statement_id, subscription_id, customer_name AS customer, closed_at_text AS closed
     FROM statement WHERE id IN (SELECT value FROM json_each(?))
       AND EXISTS (SELECT 1 FROM pdf WHERE pdf.statement_id = statement.id) ORDER BY filed_at, id`,
  )
    .all(JSON.stringify(ids))
    .map(({ closed, ...rest }) => ({ ...rest, date: dateOf(closed) }));
}

interface FilesQuery {
  filter: StatementFilter;
  only?: 'past_retention' | 'on_hold' | 'damaged' | undefined;
  after?: string | undefined;
  limit: number;
  today: string;
}

/** Number of statements read at once if most have no PDF. */
const CHUNK = 500;

/** Returns a page of the statements with PDFs by document date, oldest first. */
export function listFiles(
  cache: ReadableDb,
  books: ReadableDb,
  { filter, only, after, limit, today }: FilesQuery,
): Outputs['archive']['files'] {
  const years = retentionOf(books);
  const narrowed = only === 'past_retention' ? pastRetention(filter, years, today) : filter;
  const among = only === 'on_hold' || only === 'damaged' ? new Set(marked(cache, books, only)) : null;
  if (narrowed === null || among?.size === 0) return { rows: [], next: null, total: total(after, 0) };
  const reading = {
    ...statementReading(cache, selectStatements(cache, narrowed), { by: 'closed_at', direction: 'asc' }),
    ...(among === null ? {} : { only: among }),
  };
  const rows: ArchiveFile[] = [];
  let place = after;
  for (;;) {
    const page = readPage(cache, reading, { after: place, limit: Math.min(CHUNK, limit - rows.length) });
    const found = archivedStatements(cache, idsOf(page.keys));
    for (const each of found) {
      const file = shown(cache, books, each, years, today);
      if (only !== 'past_retention' || file.hold === null) rows.push(file);
    }
    if (page.next === null || rows.length >= limit) {
      return { rows, next: page.next, total: total(after, among?.size ?? null) };
    }
    place = page.next;
  }
}

/** The total is returned with the first page if it is known. */
const total = (after: string | undefined, count: number | null) =>
  after === undefined && count !== null ? { count, exact: true } : null;

/** Returns the statements that are on hold, or whose latest PDF is damaged or missing. */
function marked(cache: ReadableDb, books: ReadableDb, what: 'on_hold' | 'damaged'): number[] {
  if (what === 'damaged')
    return wrongFiles(cache, books).flatMap(({ sha256 }) => statementsOf(cache, sha256));
  const { statements, subscriptions } = heldBack(books);
  const of = prepared<number>(
    cache,
    'SELECT id FROM statement WHERE subscription_id IN (SELECT value FROM json_each(?))',
  ).pluck();
  return [...statements, ...of.all(JSON.stringify(subscriptions))];
}

function shown(
  cache: ReadableDb,
  books: ReadableDb,
  { statement_id, subscription_id, customer, date }: ArchivedStatement,
  years: number | null,
  today: string,
): ArchiveFile {
  const read = prepared<{ checked_at: number; state: 'intact' | 'damaged' | 'missing' }>(
    books,
    'SELECT checked_at, state FROM archive_check WHERE sha256 = ?',
  );
  const versions = versionsOf(cache, statement_id).map(({ version, sha256, bytes, fetched_at }) => {
    const last = read.get(sha256);
    return {
      version,
      sha256,
      bytes,
      fetched_at: formatTimestamp(fetched_at),
      checked_at: formatTimestamp(last?.checked_at ?? null),
      state: last?.state ?? null,
    };
  });
  return {
    statement: statement_id,
    subscription: subscription_id,
    customer,
    date,
    kept_until: date === null ? null : findLastRetentionDay(date, years),
    past_retention: isPastRetention(date, years, today),
    hold: holdOn(books, statement_id, subscription_id),
    bytes: versions.reduce((sum, { bytes }) => sum + bytes, 0),
    versions,
  };
}
