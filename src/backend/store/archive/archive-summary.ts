import type { ArchiveSummary } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { extractDate } from '../lists/time-range.ts';
import { prepareSql, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, onConflictSql } from '../sqlite/write-row.ts';
import { selectStatements } from '../statements/statement-selection.ts';
import { listLegalHoldSubjects } from './archive-hold.ts';
import { getDailyArchiveCheck } from './daily-archive-check.ts';
import { countStatementsWithDeletedPdf } from './deleted-pdfs.ts';
import { getRetentionYears, limitFilterToPastRetention } from './retention-policy.ts';
import { isStatementPdf } from './statement-pdf.ts';

/** An archived file with the time of its last check. */
export interface ArchiveFile {
  sha256: string;
  bytes: number;
  /** Time of the last check in UTC milliseconds. Null if the file has not been checked since it was stored. */
  checked_at: number | null;
}

/** Returns the archive's figures as of a day from the databases, without reading any archived file. */
export function readArchiveSummary(cache: ReadableDb, books: ReadableDb, today: string): ArchiveSummary {
  const statementsSql = `SELECT count(*) AS statements, ifnull(sum(EXISTS (SELECT 1 FROM pdf WHERE pdf.statement_id = statement.id
       AND ifnull(pdf.statement_updated_at, -1) >= ifnull(statement.updated_at, -1))), 0) AS stored
     FROM statement WHERE state <> 0`;
  const statements = select.row<{ statements: number; stored: number }>(cache, statementsSql)!;
  const versions = select.value<number>(cache, 'SELECT count(*) FROM pdf')!;
  const filesSql =
    'SELECT count(*) AS files, ifnull(sum(bytes), 0) AS bytes FROM (SELECT sha256, max(bytes) AS bytes FROM pdf GROUP BY sha256)';
  const files = select.row<{ files: number; bytes: number }>(cache, filesSql)!;
  const checkedSql = 'SELECT count(*) AS checked, min(checked_at) AS oldest FROM archive_check';
  const checked = select.row<{ checked: number; oldest: number | null }>(books, checkedSql)!;
  const round = getDailyArchiveCheck(books);
  return {
    ...statements,
    ...readDocumentDates(cache),
    ...countRetention(cache, books, today),
    deleted: countStatementsWithDeletedPdf(books),
    daily_check: round === null ? null : { due: round.due, granted_at: formatTimestamp(round.granted_at) },
    versions,
    ...files,
    checked: Math.min(checked.checked, files.files),
    oldest_check: checked.checked < files.files ? null : formatTimestamp(checked.oldest),
    lost: countLostVersions(cache, books),
    wrong: listFailedArchiveFiles(cache, books).map(({ sha256, state, checked_at }) => ({
      sha256,
      state,
      checked_at: formatTimestamp(checked_at),
      statements: listStatementsByPdfHash(cache, sha256),
    })),
  };
}

function readDocumentDates(cache: ReadableDb): Pick<ArchiveSummary, 'oldest' | 'newest'> {
  const at = (direction: 'ASC' | 'DESC') =>
    [1, 2]
      .map((state) =>
        prepareSql<{ dated_at: number; closed: string | null }>(
          cache,
          `SELECT dated_at, closed_at_text AS closed FROM statement INDEXED BY statement_dated
           WHERE state = ? AND dated_at > 0 AND EXISTS (SELECT 1 FROM pdf WHERE pdf.statement_id = statement.id)
           ORDER BY dated_at ${direction} LIMIT 1`,
        ).get(state),
      )
      .filter((each) => each !== undefined)
      .sort((a, b) => (direction === 'ASC' ? a.dated_at - b.dated_at : b.dated_at - a.dated_at))[0];
  return { oldest: extractDate(at('ASC')?.closed ?? null), newest: extractDate(at('DESC')?.closed ?? null) };
}

/** Counts the statements on hold, and the statements past retention that are not on hold. */
function countRetention(
  cache: ReadableDb,
  books: ReadableDb,
  today: string,
): Pick<ArchiveSummary, 'on_hold' | 'past_retention' | 'retention_years'> {
  const years = getRetentionYears(books);
  const { statements, subscriptions } = listLegalHoldSubjects(books);
  const bound = [JSON.stringify(statements), JSON.stringify(subscriptions)];
  const stored = `(id IN (SELECT value FROM json_each(?)) OR subscription_id IN (SELECT value FROM json_each(?)))
    AND EXISTS (SELECT 1 FROM pdf WHERE pdf.statement_id = statement.id)`;
  const on_hold =
    statements.length + subscriptions.length === 0
      ? 0
      : (select.value<number>(cache, `SELECT count(*) FROM statement WHERE ${stored}`, ...bound) ?? 0);
  const past = limitFilterToPastRetention({}, years, today);
  const filed = past === null ? null : selectStatements(cache, past).filed;
  const sql = `SELECT count(*) FROM statement INDEXED BY statement_dated
           WHERE state IN (1, 2) AND dated_at >= ? AND dated_at < ?
             AND EXISTS (SELECT 1 FROM pdf WHERE pdf.statement_id = statement.id)
             AND id NOT IN (SELECT value FROM json_each(?)) AND subscription_id NOT IN (SELECT value FROM json_each(?))`;
  const past_retention =
    filed === null ? 0 : (select.value<number>(cache, sql, filed.from, filed.until, ...bound) ?? 0);
  return { on_hold, past_retention, retention_years: years };
}

export interface FailedArchiveFile {
  sha256: string;
  state: 'damaged' | 'missing';
  checked_at: number;
}

/** Returns the damaged or missing files that are the latest PDF of a statement. */
export function listFailedArchiveFiles(cache: ReadableDb, books: ReadableDb): FailedArchiveFile[] {
  const sql = "SELECT sha256, state, checked_at FROM archive_check WHERE state <> 'intact' ORDER BY sha256";
  return select
    .rows<FailedArchiveFile>(books, sql)
    .filter(({ sha256 }) => listStatementsByPdfHash(cache, sha256).length > 0);
}

/** Counts damaged or missing files of older PDF versions, which cannot be downloaded again. */
function countLostVersions(cache: ReadableDb, books: ReadableDb): number {
  const sql = "SELECT sha256 FROM archive_check WHERE state <> 'intact'";
  return select
    .values<string>(books, sql)
    .filter((sha256) => isStatementPdf(cache, sha256) && listStatementsByPdfHash(cache, sha256).length === 0)
    .length;
}

/** Returns the statements whose latest PDF has this hash. */
export function listStatementsByPdfHash(cache: ReadableDb, sha256: string): number[] {
  const sql = `SELECT statement_id FROM pdf WHERE sha256 = ? AND version =
       (SELECT max(version) FROM pdf AS newest WHERE newest.statement_id = pdf.statement_id) ORDER BY statement_id`;
  return select.values<number>(cache, sql, sha256);
}

/** Yields every archived file by name, with the time of its last check, in batches of a thousand. */
export function* readArchiveFiles(
  cache: ReadableDb,
  books: ReadableDb,
): Generator<ArchiveFile, void, undefined> {
  const sql =
    'SELECT sha256, max(bytes) AS bytes FROM pdf WHERE sha256 > ? GROUP BY sha256 ORDER BY sha256 LIMIT 1000';
  const page = prepareSql<{ sha256: string; bytes: number }>(cache, sql);
  const checked = prepareSql<number>(books, 'SELECT checked_at FROM archive_check WHERE sha256 = ?').pluck();
  for (let last = ''; ; ) {
    const files = page.all(last);
    for (const file of files) yield { ...file, checked_at: checked.get(file.sha256) ?? null };
    if (files.length < 1000) return;
    last = files.at(-1)?.sha256 ?? last;
  }
}

/** Records the result of a file check. `checked_at` is UTC milliseconds. */
export function saveArchiveFileCheck(
  books: WritableDb,
  sha256: string,
  state: FailedArchiveFile['state'] | 'intact',
  checked_at: number,
): void {
  const onConflict = onConflictSql('sha256', 'checked_at', 'state');
  insertRow(books, 'archive_check', { sha256, checked_at, state }, onConflict);
}
