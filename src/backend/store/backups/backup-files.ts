import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type BackupReason, backupReasons } from '../../../contract/app/backup-reasons.ts';
import { openSqlite, type ReadableDb, SqliteError } from '../sqlite/connection.ts';

/** A backup file of a site's books. */
export interface BackupFile {
  readonly path: string;
  readonly name: string;
  /** Time of the backup in UTC milliseconds. */
  readonly at: number;
  readonly reason: BackupReason;
  readonly bytes: number;
}

const BACKUP_NAME = /^books-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z(?:-([a-z]+))?\.db$/;
export const getBackupFolder = (path: string): string => join(dirname(path), 'backups');

/** Returns the backups of the books at `path`, newest first. */
export function listBackupFiles(path: string): BackupFile[] {
  const folder = getBackupFolder(path);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder)
    .flatMap((name) => parseBackupFile(folder, name) ?? [])
    .sort((one, other) => other.at - one.at);
}

function parseBackupFile(folder: string, name: string): BackupFile | null {
  const [, year, month, day, hour, minute, second, ms, word = 'start'] = BACKUP_NAME.exec(name) ?? [];
  const reason = backupReasons.find((known) => known === word);
  if (year === undefined || reason === undefined) return null;
  const path = join(folder, name);
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`);
  return { path, name, at, reason, bytes: statSync(path).size };
}

/** Returns true if the books have changed since their latest backup. */
export function isBackupDue(path: string): boolean {
  const [newest] = listBackupFiles(path);
  return newest === undefined || statSync(newest.path).mtimeMs <= getLastWriteTime(path);
}

/** Reads from a backup. Returns null if the backup is damaged or not a database. */
export function readBackup<Result>(path: string, read: (copy: ReadableDb) => Result): Result | null {
  try {
    const copy = openSqlite(path, { readonly: true, fileMustExist: true }) as ReadableDb;
    try {
      return read(copy);
    } finally {
      copy.close();
    }
  } catch (error) {
    if (error instanceof SqliteError) return null;
    throw error;
  }
}

function getLastWriteTime(path: string): number {
  return Math.max(...[path, `${path}-wal`].map((file) => (existsSync(file) ? statSync(file).mtimeMs : 0)));
}

/** Returns the backup with this name from the backup folder, or null. */
export function findBackupFile(path: string, name: string): BackupFile | null {
  if (basename(name) !== name || !existsSync(join(getBackupFolder(path), name))) return null;
  return parseBackupFile(getBackupFolder(path), name);
}
