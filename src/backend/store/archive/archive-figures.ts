import type { ArchiveSummary } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { dateOf } from '../lists/day-range.ts';
import { prepared, type ReadableDb, type WritableDb } from '../sqlite/connection.ts';
import { selectStatements } from '../statements/statement-selection.ts';
import { countDeleted } from './archive-deleted.ts';
import { heldBack } from './archive-hold.ts';
import { pastRetention, retentionOf } from './archive-policy.ts';
import { archiveRound } from './archive-round.ts';
import { isOfAStatement } from './pdf.ts';

/** A file of the archive to read again. */
export interface ArchiveFile {
  sha256: string;
  bytes: number;
  /** UTC milliseconds. Null if it was never read since it was stored. */
  checked_at: number | null;
}

/** Returns figures about the archive on a day from the databases, without reading files. */
export function archiveSummary(cache: ReadableDb, books: ReadableDb, today: string): ArchiveSummary {
  const statements = prepared<{ statements: number; stored: number }>(
    cache,
    `SELECT count(*) AS statements, ifnull(sum(EXISTS (SELECT 1 FROM pdf WHERE pdf.statement_id = statement.id
       AND ifnull(pdf.statement_updated_at, -1) >= ifnull(statement.updated_at, -1))), 0) AS stored
     FROM statement WHERE state <> 0`,
  ).get()!;
  const versions = prepared<number>(cache, 'SELECT count(*) FROM pdf').pluck().get()!;
  const files = prepared<{ files: number; bytes: number }>(
    cache,
    'SELECT count(*) AS files, ifnull(sum(bytes), 0) AS bytes FROM (SELECT sha256, max(bytes) AS bytes FROM pdf GROUP BY sha256)',
  ).get()!;
  const checked = prepared<{ checked: number; oldest: number | null }>(
    books,
    'SELECT count(*) AS checked, min(checked_at) AS oldest FROM archive_check',
  ).get()!;
  const round = archiveRound(books);
  return {
    ...statements,
    ...documentDates(cache),
    ...keeping(cache, books, today),
    deleted: countDeleted(books),
    daily_check: round === null ? null : { due: round.due, granted_at: formatTimestamp(round.granted_at) },
    versions,
    ...files,
    checked: Math.min(checked.checked, files.files),
    oldest_check: checked.checked < files.files ? null : formatTimestamp(checked.oldest),
    lost: lostVersions(cache, books),
    wrong: wrongFiles(cache, books).map(({ sha256, state, checked_at }) => ({
      sha256,
      state,
      checked_at: formatTimestamp(checked_at),
      statements: statementsOf(cache, sha256),
    })),
  };
}

/** Returns the dates of the oldest and newest document with a PDF. */
function documentDates(cache: ReadableDb): Pick<ArchiveSummary, 'oldest' | 'newest'> {
  const at = (direction: 'ASC' | 'DESC') =>
    [1, 2]
      .map((state) =>
        prepared<{ filed_at: number; closed: string | null }>(
          cache,
          `SELECT filed_at, closed_at_text AS closed FROM statement INDEXED BY statement_filed
           WHERE state = ? AND filed_at > 0 AND EXISTS (SELECT 1 FROM pdf WHERE pdf.statement_id = statement.id)
           ORDER BY filed_at ${direction} LIMIT 1`,
        ).get(state),
      )
      .filter((each) => each !== undefined)
      .sort((a, b) => (direction === 'ASC' ? a.filed_at - b.filed_at : b.filed_at - a.filed_at))[0];
  return { oldest: dateOf(at('ASC')?.closed ?? null), newest: dateOf(at('DESC')?.closed ?? null) };
}

/** Returns how many statements are on hold, and how many are past retention without a hold. */
function keeping(
  cache: ReadableDb,
  books: ReadableDb,
  today: string,
): Pick<ArchiveSummary, 'on_hold' | 'past_retention' | 'retention_years'> {
  const years = retentionOf(books);
  const { statements, subscriptions } = heldBack(books);
  const bound = [JSON.stringify(statements), JSON.stringify(subscriptions)];
  const stored = `(id IN (SELECT value FROM json_each(?)) OR subscription_id IN (SELECT value FROM json_each(?)))
    AND EXISTS (SELECT 1 FROM pdf WHERE pdf.statement_id = statement.id)`;
  const on_hold =
    statements.length + subscriptions.length === 0
      ? 0
      : (prepared<number>(cache, `SELECT count(*) FROM statement WHERE ${stored}`)
          .pluck()
          .get(...bound) ?? 0);
  const past = pastRetention({}, years, today);
  const filed = past === null ? null : selectStatements(cache, past).filed;
  const past_retention =
    filed === null
      ? 0
      : (prepared<number>(
          cache,
          `SELECT count(*) FROM statement INDEXED BY statement_filed
           WHERE state IN (1, 2) AND filed_at >= ? AND filed_at < ?
             AND EXISTS (SELECT 1 FROM pdf WHERE pdf.statement_id = statement.id)
             AND id NOT IN (SELECT value FROM json_each(?)) AND subscription_id NOT IN (SELECT value FROM json_each(?))`,
        )
          .pluck()
          .get(filed.from, filed.until, ...bound) ?? 0);
  return { on_hold, past_retention, retention_years: years };
}

export interface WrongFile {
  sha256: string;
  state: 'damaged' | 'missing';
  checked_at: number;
}

/** Returns the damaged or missing files that are a statement's latest PDF. */
export function wrongFiles(cache: ReadableDb, books: ReadableDb): WrongFile[] {
  return prepared<WrongFile>(
    books,
    "SELECT sha256, state, checked_at FROM archive_check WHERE state <> 'intact' ORDER BY sha256",
  )
    .all()
    .filter(({ sha256 }) => statementsOf(cache, sha256).length > 0);
}

/** Returns the number of damaged or missing files that are only older versions, which nobody can provide any more. */
function lostVersions(cache: ReadableDb, books: ReadableDb): number {
  return prepared<string>(books, "SELECT sha256 FROM archive_check WHERE state <> 'intact'")
    .pluck()
    .all()
    .filter((sha256) => isOfAStatement(cache, sha256) && statementsOf(cache, sha256).length === 0).length;
}

/** Returns the statements whose latest PDF is this file. */
export function statementsOf(cache: ReadableDb, sha256: string): number[] {
  return prepared<number>(
    cache,
    `SELECT statement_id FROM pdf WHERE sha256 = ? AND version =
       (SELECT max(version) FROM pdf AS newest WHERE newest.statement_id = pdf.statement_id) ORDER BY statement_id`,
  )
    .pluck()
    .all(sha256);
}

/** Yields every file of the archive by name with the time it was last read, in batches of a thousand. */
export function* archiveFiles(cache: ReadableDb, books: ReadableDb): Generator<ArchiveFile, void, undefined> {
  const page = prepared<{ sha256: string; bytes: number }>(
    cache,
    'SELECT sha256, max(bytes) AS bytes FROM pdf WHERE sha256 > ? GROUP BY sha256 ORDER BY sha256 LIMIT 1000',
  );
  const checked = prepared<number>(books, 'SELECT checked_at FROM archive_check WHERE sha256 = ?').pluck();
  for (let last = ''; ; ) {
    const files = page.all(last);
    for (const file of files) yield { ...file, checked_at: checked.get(file.sha256) ?? null };
    if (files.length < 1000) return;
    last = files.at(-1)?.sha256 ?? last;
  }
}

/** Records the state of a file at `at` (UTC milliseconds). */
export function noteCheck(
  books: WritableDb,
  sha256: string,
  state: WrongFile['state'] | 'intact',
  at: number,
): void {
  prepared(
    books,
    `INSERT INTO archive_check (sha256, checked_at, state) VALUES (?, ?, ?)
     ON CONFLICT (sha256) DO UPDATE SET checked_at = excluded.checked_at, state = excluded.state`,
  ).run(sha256, at, state);
}
