import type { ArchiveFile, ContractOutputs, StatementFilter } from '../../../contract/index.ts';
import { findLastRetentionDay, isPastRetention } from '../../../domain/archive/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { type PageRequest, readListPage, toRowIds } from '../lists/keyset-pagination.ts';
import { extractDate } from '../lists/time-range.ts';
import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';
import { planStatementList } from '../statements/statement-list-plan.ts';
import { selectStatements } from '../statements/statement-selection.ts';
import { findLegalHoldReason, listLegalHoldSubjects } from './archive-hold.ts';
import { listFailedArchiveFiles, listStatementsByPdfHash } from './archive-summary.ts';
import { getRetentionYears, limitFilterToPastRetention } from './retention-policy.ts';
import { listPdfVersions } from './statement-pdf.ts';

/** A statement whose PDF is in the archive. */
export interface ArchivedStatement {
  statement_id: number;
  subscription_id: number;
  customer: string;
  /** Document date: the closing day of the statement in the service's calendar. */
  date: string | null;
}

/** Returns the statements that have a PDF in the archive, ordered by filing day. */
export function listArchivedStatements(cache: ReadableDb, ids: readonly number[]): ArchivedStatement[] {
  const sql = `SELECT id AS statement_id, subscription_id, customer_name AS customer, closed_at_text AS closed
     FROM statement WHERE id IN (SELECT value FROM json_each(?))
       AND EXISTS (SELECT 1 FROM pdf WHERE pdf.statement_id = statement.id) ORDER BY dated_at, id`;
  return select
    .rows<Omit<ArchivedStatement, 'date'> & { closed: string | null }>(cache, sql, JSON.stringify(ids))
    .map(({ closed, ...rest }) => ({ ...rest, date: extractDate(closed) }));
}

interface FilesQuery extends PageRequest {
  filter: StatementFilter;
  only?: 'past_retention' | 'on_hold' | 'damaged' | undefined;
  today: string;
}

/** Number of statements read per batch, because most of them may have no PDF. */
const STATEMENTS_PER_BATCH = 500;

/** Returns a page of the statements with a PDF, sorted by document date, oldest first. */
export function listArchiveFiles(
  cache: ReadableDb,
  books: ReadableDb,
  { filter, only, after, limit, today }: FilesQuery,
): ContractOutputs['archive']['files'] {
  const years = getRetentionYears(books);
  const narrowed = only === 'past_retention' ? limitFilterToPastRetention(filter, years, today) : filter;
  const onlyIds =
    only === 'on_hold' || only === 'damaged' ? new Set(listSpecialStatements(cache, books, only)) : null;
  if (narrowed === null || onlyIds?.size === 0) return { rows: [], next: null, total: toTotal(after, 0) };
  const selection = selectStatements(cache, narrowed);
  const plan = {
    ...planStatementList(cache, selection, { by: 'closed_at', direction: 'asc' }),
    ...(onlyIds === null ? {} : { onlyIds }),
  };
  const readFile = (each: ArchivedStatement) => toArchiveFile(cache, books, each, { years, today });
  const rows: ArchiveFile[] = [];
  let next = after ?? null;
  do {
    const page = readListPage(cache, plan, {
      after: next ?? undefined,
      limit: Math.min(STATEMENTS_PER_BATCH, limit - rows.length),
    });
    const files = listArchivedStatements(cache, toRowIds(page.keys)).map(readFile);
    rows.push(...files.filter(({ hold }) => only !== 'past_retention' || hold === null));
    next = page.next;
  } while (next !== null && rows.length < limit);
  return { rows, next, total: toTotal(after, onlyIds?.size ?? null) };
}

/** Returns the count as the list's total for the first page, otherwise null. */
const toTotal = (after: string | undefined, count: number | null) =>
  after === undefined && count !== null ? { count, exact: true } : null;

/** Returns the statements on hold, or the statements with a damaged or missing latest PDF. */
function listSpecialStatements(cache: ReadableDb, books: ReadableDb, what: 'on_hold' | 'damaged'): number[] {
  if (what === 'damaged')
    return listFailedArchiveFiles(cache, books).flatMap(({ sha256 }) =>
      listStatementsByPdfHash(cache, sha256),
    );
  const { statements, subscriptions } = listLegalHoldSubjects(books);
  const sql = 'SELECT id FROM statement WHERE subscription_id IN (SELECT value FROM json_each(?))';
  const of = prepareSql<number>(cache, sql).pluck();
  return [...statements, ...of.all(JSON.stringify(subscriptions))];
}

function toArchiveFile(
  cache: ReadableDb,
  books: ReadableDb,
  { statement_id, subscription_id, customer, date }: ArchivedStatement,
  { years, today }: { years: number | null; today: string },
): ArchiveFile {
  const sql = 'SELECT checked_at, state FROM archive_check WHERE sha256 = ?';
  const read = prepareSql<{ checked_at: number; state: 'intact' | 'damaged' | 'missing' }>(books, sql);
  const versions = listPdfVersions(cache, statement_id).map(({ version, sha256, bytes, fetched_at }) => {
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
    hold: findLegalHoldReason(books, statement_id, subscription_id),
    bytes: versions.reduce((sum, { bytes }) => sum + bytes, 0),
    versions,
  };
}
