import type { ArchiveSummary } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { extractDate } from '../lists/day-range.ts';
import { prepare, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, updateOnConflict } from '../sqlite/write-row.ts';
import { selectStatements } from '../statements/statement-selection.ts';
import { listHeldSubjects } from './archive-hold.ts';
import { filterPastRetention, getRetentionYears } from './archive-policy.ts';
import { getDailyCheck } from './daily-check.ts';
import { countStatementsWithDeletedPdf } from './deleted-pdfs.ts';
import { isPdfOfStatement } from './pdf.ts';

/** A file of the archive to read again. */
export interface ArchiveFile {
  sha256: string;
  bytes: number;
  /** UTC milliseconds. Null if it was never read since it was stored. */
  checked_at: number | null;
}

/** Returns figures about the archive on a day from the databases, without reading files. */
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
  const round = getDailyCheck(books);
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
    wrong: listFailedFiles(cache, books).map(({ sha256, state, checked_at }) => ({
      sha256,
      state,
      checked_at: formatTimestamp(checked_at),
      statements: listStatementsOfPdf(cache, sha256),
    })),
  };
}

/** Returns the dates of the oldest and newest document with a PDF. */
function readDocumentDates(cache: ReadableDb): Pick<ArchiveSummary, 'oldest' | 'newest'> {
  const at = (direction: 'ASC' | 'DESC') =>
    [1, 2]
      .map((state) =>
        prepare<{ dated_at: number; closed: string | null }>(
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

/** Returns how many statements are on hold, and how many are past retention without a hold. */
function countRetention(
  cache: ReadableDb,
  books: ReadableDb,
  today: string,
): Pick<ArchiveSummary, 'on_hold' | 'past_retention' | 'retention_years'> {
  const years = getRetentionYears(books);
  const { statements, subscriptions } = listHeldSubjects(books);
  const bound = [JSON.stringify(statements), JSON.stringify(subscriptions)];
  const stored = `(id IN (SELECT value FROM json_each(?)) OR subscription_id IN (SELECT value FROM json_each(?)))
    AND EXISTS (SELECT 1 FROM pdf WHERE pdf.statement_id = statement.id)`;
  const on_hold =
    statements.length + subscriptions.length === 0
      ? 0
      : (select.value<number>(cache, `SELECT count(*) FROM statement WHERE ${stored}`, ...bound) ?? 0);
  const past = filterPastRetention({}, years, today);
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

/** Returns the damaged or missing files that are a statement's latest PDF. */
export function listFailedFiles(cache: ReadableDb, books: ReadableDb): FailedArchiveFile[] {
  const sql = "SELECT sha256, state, checked_at FROM archive_check WHERE state <> 'intact' ORDER BY sha256";
  return select
    .rows<FailedArchiveFile>(books, sql)
    .filter(({ sha256 }) => listStatementsOfPdf(cache, sha256).length > 0);
}

/** Returns the number of damaged or missing files that are only older versions, which nobody can provide any more. */
function countLostVersions(cache: ReadableDb, books: ReadableDb): number {
  const sql = "SELECT sha256 FROM archive_check WHERE state <> 'intact'";
  return select
    .values<string>(books, sql)
    .filter((sha256) => isPdfOfStatement(cache, sha256) && listStatementsOfPdf(cache, sha256).length === 0)
    .length;
}

/** Returns the statements whose latest PDF is this file. */
export function listStatementsOfPdf(cache: ReadableDb, sha256: string): number[] {
  const sql = `SELECT statement_id FROM pdf WHERE sha256 = ? AND version =
       (SELECT max(version) FROM pdf AS newest WHERE newest.statement_id = pdf.statement_id) ORDER BY statement_id`;
  return select.values<number>(cache, sql, sha256);
}

/** Yields every file of the archive by name with the time it was last read, in batches of a thousand. */
export function* readArchiveFiles(
  cache: ReadableDb,
  books: ReadableDb,
): Generator<ArchiveFile, void, undefined> {
  const sql =
    'SELECT sha256, max(bytes) AS bytes FROM pdf WHERE sha256 > ? GROUP BY sha256 ORDER BY sha256 LIMIT 1000';
  const page = prepare<{ sha256: string; bytes: number }>(cache, sql);
  const checked = prepare<number>(books, 'SELECT checked_at FROM archive_check WHERE sha256 = ?').pluck();
  for (let last = ''; ; ) {
    const files = page.all(last);
    for (const file of files) yield { ...file, checked_at: checked.get(file.sha256) ?? null };
    if (files.length < 1000) return;
    last = files.at(-1)?.sha256 ?? last;
  }
}

/** Records the state of a file. `checked_at` is UTC milliseconds. */
export function saveFileCheck(
  books: WritableDb,
  sha256: string,
  state: FailedArchiveFile['state'] | 'intact',
  checked_at: number,
): void {
  const onConflict = updateOnConflict('sha256', 'checked_at', 'state');
  insertRow(books, 'archive_check', { sha256, checked_at, state }, onConflict);
}
