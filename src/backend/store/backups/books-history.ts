import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { type AuditAnchor, containsAnchor, readAuditAnchor } from '../audit-log/audit-anchor.ts';
import { findAuditEntryHash, findAuditLogEnd } from '../audit-log/audit-entry-list.ts';
import { openSqlite, type ReadableDb, SqliteError, select } from '../sqlite/connection.ts';
import { readBackup } from './backup-files.ts';
import { findBestBackup } from './find-best-backup.ts';

/** Error code for readable books that are not the site's latest. Begins like SQLite's codes for a damaged database. */
export const LOST_HISTORY_CODE = 'SQLITE_CORRUPT_HISTORY';

/** Throws if the books at `path` are missing or empty although the site has had books. */
export function requireExistingBooks(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? null;
  if (size !== null && size > 0) return;
  if (findKnownHistory(path) !== null)
    throw lostHistoryError(`they are ${size === null ? 'missing' : 'empty'}`);
}

/**
 * Throws if the books do not continue the history in the site's audit anchor or backups, because they belong to another
 * site, are other books of this site, or are an older version. Accepts any books if no history is known, for example
 * for a new site.
 */
export function requireKnownHistory(books: ReadableDb, path: string): void {
  const folder = dirname(path);
  const anchor = findKnownHistory(path);
  if (anchor !== null && containsAnchor(books, anchor)) return;
  const owner = findSiteOfBooks(books);
  const site = readSiteName(folder);
  if (owner !== null && site !== null && owner !== site)
    throw lostHistoryError(`they belong to another site, ${owner}`);
  if (anchor === null) return;
  const end = findAuditLogEnd(books);
  const entries = end?.seq ?? 0;
  if (entries >= anchor.entries) throw lostHistoryError('they have a different audit log than before');
  const lacking = `${anchor.entries - entries} of ${anchor.entries} audit log entries are missing`;
  throw lostHistoryError(`they are older than on ${anchor.at.slice(0, 10)}: ${lacking}`);
}

/** Returns the site's audit anchor, or else one made from the longest backup's audit log, or null. */
function findKnownHistory(path: string): AuditAnchor | null {
  const anchor = readAuditAnchor(dirname(path));
  const backup = anchor === null ? findBestBackup(path)?.backup : undefined;
  if (backup === undefined) return anchor;
  return readBackup(backup.path, (copy) => {
    const [first, end] = [findAuditEntryHash(copy, 1), findAuditLogEnd(copy)];
    if (first === null || end === null) return null;
    return { entries: end.seq, hash: end.hash, first, at: formatTimestamp(backup.at) };
  });
}

/** Returns a clause that says why the books at `path` are not the site's latest, or null if they are. */
export function findHistoryProblem(path: string): string | null {
  try {
    requireExistingBooks(path);
    if (!existsSync(path)) return null;
    const books = openSqlite(path, { readonly: true }) as ReadableDb;
    try {
      requireKnownHistory(books, path);
    } finally {
      books.close();
    }
    return null;
  } catch (error) {
    if (!(error instanceof SqliteError)) throw error;
    return error.message;
  }
}

/** Returns the site named in the books' audit log, or null. */
export function findSiteOfBooks(books: ReadableDb): string | null {
  const sql = "SELECT subject FROM audit WHERE action = 'sites.add' ORDER BY seq LIMIT 1";
  return select.value<string>(books, sql);
}

function readSiteName(folder: string): string | null {
  const path = join(folder, 'site.json');
  if (!existsSync(path)) return null;
  try {
    const { site } = JSON.parse(readFileSync(path, 'utf8')) as { site?: unknown };
    return typeof site === 'string' ? site : null;
  } catch {
    return null;
  }
}

const lostHistoryError = (problem: string) => new SqliteError(problem, LOST_HISTORY_CODE);
