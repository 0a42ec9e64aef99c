import type { ArchiveSummary } from '../../contract/index.ts';
import { prepared, type ReadableDb, type WritableDb } from './database.ts';
import { isoMoment } from './moment.ts';

/** A file of the archive that is to be read again. */
export interface ArchiveFile {
  sha256: string;
  bytes: number;
  /** ms UTC; null where it was not read since it was stored. */
  checked_at: number | null;
}

/** What the archive holds by what is known of it; the files themselves are not looked at. */
export function archiveSummary(cache: ReadableDb, books: ReadableDb): ArchiveSummary {
  const statements = prepared<{ statements: number; held: number }>(
    cache,
    `SELECT count(*) AS statements, ifnull(sum(EXISTS (SELECT 1 FROM pdf WHERE pdf.statement_id = statement.id
       AND ifnull(pdf.statement_updated_at, -1) >= ifnull(statement.updated_at, -1))), 0) AS held
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
  return {
    ...statements,
    versions,
    ...files,
    checked: Math.min(checked.checked, files.files),
    oldest_check: checked.checked < files.files ? null : isoMoment(checked.oldest),
    wrong: wrongFiles(cache, books).map(({ sha256, state, checked_at }) => ({
      sha256,
      state,
      checked_at: isoMoment(checked_at),
      statements: statementsOf(cache, sha256),
    })),
  };
}

export interface WrongFile {
  sha256: string;
  state: 'damaged' | 'missing';
  checked_at: number;
}

/** The files that were found damaged or missing and that a statement's newest PDF still rests on. */
export function wrongFiles(cache: ReadableDb, books: ReadableDb): WrongFile[] {
  return prepared<WrongFile>(
    books,
    "SELECT sha256, state, checked_at FROM archive_check WHERE state <> 'whole' ORDER BY sha256",
  )
    .all()
    .filter(({ sha256 }) => statementsOf(cache, sha256).length > 0);
}

/** The statements whose newest PDF is this file. */
export function statementsOf(cache: ReadableDb, sha256: string): number[] {
  return prepared<number>(
    cache,
    `SELECT statement_id FROM pdf WHERE sha256 = ? AND version =
       (SELECT max(version) FROM pdf AS newest WHERE newest.statement_id = pdf.statement_id) ORDER BY statement_id`,
  )
    .pluck()
    .all(sha256);
}

/** Every file of the archive with when it was last read, in the order of their names; a thousand at a time. */
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

/** Notes how a file was found at `at` (ms UTC). */
export function noteCheck(
  books: WritableDb,
  sha256: string,
  state: WrongFile['state'] | 'whole',
  at: number,
): void {
  prepared(
    books,
    `INSERT INTO archive_check (sha256, checked_at, state) VALUES (?, ?, ?)
     ON CONFLICT (sha256) DO UPDATE SET checked_at = excluded.checked_at, state = excluded.state`,
  ).run(sha256, at, state);
}
