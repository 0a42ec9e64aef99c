import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { BackupReason } from '../../../contract/index.ts';
import { selectRetainedBackups } from '../../../domain/backups/retention.ts';
import { flushFolderToDisk } from '../../shared/durable-file.ts';
import { findAuditEntryHash, findAuditLogEnd } from '../audit-log/audit-entry-list.ts';
import { verifyAuditLog } from '../audit-log/verify-audit-log.ts';
import { openSqlite, prepareSql, type ReadableDb, SqliteError } from '../sqlite/connection.ts';
import { findDatabaseDamage } from '../sqlite/integrity-check.ts';
import {
  type BackupFile,
  findBackupFile,
  getBackupFolder,
  isBackupDue,
  listBackupFiles,
  readBackup,
} from './backup-files.ts';

/** File name suffix of an incomplete backup. */
const UNFINISHED_NAME = /\.new$/;
/** Age in milliseconds above which an incomplete backup counts as left by a crashed process. Chosen by judgment. */
const ABANDONED_MS = 3_600_000;

/** Makes and verifies a backup, then deletes expired backups. At a start or update, reuses an up-to-date backup. */
export function backUpBooks(
  db: ReadableDb,
  path: string,
  reason: BackupReason,
  now = Date.now(),
): BackupFile {
  const folder = getBackupFolder(path);
  const [newest] = listBackupFiles(path);
  if (newest !== undefined && (reason === 'start' || reason === 'update') && !isBackupDue(path))
    return newest;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stamp = (at: number) => new Date(at).toISOString().replace(/[-:.]/g, '');
  let at = now;
  while (existsSync(join(folder, `books-${stamp(at)}-${reason}.db`))) at++;
  const name = `books-${stamp(at)}-${reason}.db`;
  copyBooks(db, join(folder, name));
  deleteExpiredBackups(db, path, at);
  return findBackupFile(path, name) as BackupFile;
}

/** Copies the books to a file. The file gets its final name only once it is complete, flushed and verified. */
export function copyBooks(db: ReadableDb, to: string): void {
  const temporary = getUnfinishedBackupPath(to);
  rmSync(temporary, { force: true });
  try {
    prepareSql(db, 'VACUUM INTO ?').run(temporary);
    verifyBackup(db, temporary);
    fsyncFile(temporary);
    renameSync(temporary, to);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  flushFolderToDisk(dirname(to));
}

export const getUnfinishedBackupPath = (path: string): string => `${path}.${process.pid}.new`;

/** Throws if the backup is damaged, or if its audit log differs or fails a verification that the original passes. */
export function verifyBackup(db: ReadableDb, path: string): void {
  const backup = openSqlite(path, { readonly: true }) as ReadableDb;
  try {
    const damage = findDatabaseDamage(backup, true);
    if (damage !== null) throw new SqliteError(damage, 'SQLITE_CORRUPT');
    if (findAuditLogEnd(backup)?.hash !== findAuditLogEnd(db)?.hash) {
      throw new SqliteError('the backup has a different audit log', 'SQLITE_CORRUPT');
    }
    if (!verifyAuditLog(backup).ok && verifyAuditLog(db).ok) {
      throw new SqliteError('the audit log of the backup is not valid', 'SQLITE_CORRUPT');
    }
  } finally {
    backup.close();
  }
}

/** Flushes a file's content to disk. */
export function fsyncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Deletes expired backups and the incomplete backups of crashed processes. */
function deleteExpiredBackups(db: ReadableDb, path: string, now: number): void {
  const backups = listBackupFiles(path);
  const histories = groupByHistory(db, backups);
  const retained = selectRetainedBackups(backups, now, (backup) => histories.get(backup) ?? null);
  for (const backup of backups) if (!retained.has(backup)) rmSync(backup.path, { force: true });
  const folder = getBackupFolder(path);
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (UNFINISHED_NAME.test(name) && now - statSync(file).mtimeMs > ABANDONED_MS)
      rmSync(file, { force: true });
  }
}

/**
 * Returns a key for each readable backup. Backups with the same key belong to one history: their audit logs are
 * prefixes of one longer log. `newestFirst` must be sorted. The books themselves start the first history.
 */
function groupByHistory(db: ReadableDb, newestFirst: readonly BackupFile[]): Map<BackupFile, number> {
  const longest: ReadableDb[] = [db];
  const histories = new Map<BackupFile, number>();
  try {
    for (const backup of newestFirst) {
      readBackup(backup.path, (copy) => {
        const end = findAuditLogEnd(copy);
        const contains = (log: ReadableDb) => end === null || findAuditEntryHash(log, end.seq) === end.hash;
        const found = longest.findIndex(contains);
        histories.set(backup, found === -1 ? longest.length : found);
        if (found === -1) longest.push(openSqlite(backup.path, { readonly: true }) as ReadableDb);
      });
    }
  } finally {
    for (const opened of longest.slice(1)) opened.close();
  }
  return histories;
}
