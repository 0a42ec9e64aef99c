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
import { basename, dirname, join } from 'node:path';
import { type BackupReason, backupReasonSchema } from '../../../contract/index.ts';
import { selectRetainedBackups } from '../../../domain/backups/retention.ts';
import { syncFolder } from '../../shared/durable-file.ts';
import { findAuditEnd, verifyAudit } from '../audit-log/audit-list.ts';
import { connect, prepare, type ReadableDb, SqliteError } from '../sqlite/connection.ts';
import { findDamage } from '../sqlite/integrity-check.ts';

/** A backup file in the backup folder of the books. */
export interface BackupFile {
  readonly path: string;
  readonly name: string;
  /** UTC milliseconds. */
  readonly at: number;
  readonly reason: BackupReason;
  readonly bytes: number;
}

const BACKUP_NAME = /^books-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z(?:-([a-z]+))?\.db$/;
/** Suffix of a backup until it is complete. */
const UNFINISHED_NAME = /\.new$/;
/** Age in milliseconds from which an incomplete backup belongs to a crashed process. */
const ABANDONED_MS = 3_600_000;

export const getBackupFolder = (path: string): string => join(dirname(path), 'backups');

/** Returns the backups of the books at `path`, newest first. */
export function listBackupFiles(path: string): BackupFile[] {
  const folder = getBackupFolder(path);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap((name) => parseBackupFile(folder, name) ?? [])
    .sort((one, other) => other.at - one.at);
}

function parseBackupFile(folder: string, name: string): BackupFile | null {
  const [, year, month, day, hour, minute, second, ms, word = 'start'] = BACKUP_NAME.exec(name) ?? [];
  const reason = backupReasonSchema.safeParse(word);
  if (year === undefined || !reason.success) return null;
  const path = join(folder, name);
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`);
  return { path, name, at, reason: reason.data, bytes: statSync(path).size };
}

/** Returns true if the books have changed since their latest backup. */
export function isBackupDue(path: string): boolean {
  const [newest] = listBackupFiles(path);
  return newest === undefined || statSync(newest.path).mtimeMs <= getLastWriteTime(path);
}

/** Makes and verifies a backup, and deletes expired ones. At a start or update, an unchanged backup is reused. */
export function backUp(db: ReadableDb, path: string, reason: BackupReason, now = Date.now()): BackupFile {
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
  deleteExpiredBackups(path, at);
  return parseBackupFile(folder, name) as BackupFile;
}

/** Copies the books to a file, which gets its name only when it is complete, durable and verified. */
export function copyBooks(db: ReadableDb, to: string): void {
  const temporary = getUnfinishedPath(to);
  rmSync(temporary, { force: true });
  try {
    prepare(db, 'VACUUM INTO ?').run(temporary);
    verifyBackup(db, temporary);
    makeDurable(temporary);
    renameSync(temporary, to);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(dirname(to));
}

export const getUnfinishedPath = (path: string): string => `${path}.${process.pid}.new`;

/** Schema version of the books from which every entry of the audit log can be verified. */
const FIRST_VERIFIABLE_VERSION = 2;

/** Throws unless a backup is intact and its audit log ends like that of the books, with all hashes equally valid. */
function verifyBackup(db: ReadableDb, path: string): void {
  const backup = connect(path, { readonly: true }) as ReadableDb;
  try {
    const damage = findDamage(backup, true);
    if (damage !== null) throw new SqliteError(damage, 'SQLITE_CORRUPT');
    if (findAuditEnd(backup)?.hash !== findAuditEnd(db)?.hash) {
      throw new SqliteError('the backup has a different audit log', 'SQLITE_CORRUPT');
    }
    const version = Number(backup.pragma('user_version', { simple: true }));
    if (version >= FIRST_VERIFIABLE_VERSION && !verifyAudit(backup).ok && verifyAudit(db).ok) {
      throw new SqliteError('the audit log of the backup is not valid', 'SQLITE_CORRUPT');
    }
  } finally {
    backup.close();
  }
}

/** Waits until the file's content is on the disk. */
export function makeDurable(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Deletes expired backups and the remains of incomplete ones. */
function deleteExpiredBackups(path: string, now: number): void {
  const backups = listBackupFiles(path);
  const retained = selectRetainedBackups(backups, now);
  for (const backup of backups) if (!retained.has(backup)) rmSync(backup.path, { force: true });
  const folder = getBackupFolder(path);
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (UNFINISHED_NAME.test(name) && now - statSync(file).mtimeMs > ABANDONED_MS)
      rmSync(file, { force: true });
  }
}

function getLastWriteTime(path: string): number {
  return Math.max(...[path, `${path}-wal`].map((file) => (existsSync(file) ? statSync(file).mtimeMs : 0)));
}

/** Returns a backup of the folder by name, or null. */
export function findBackupFile(path: string, name: string): BackupFile | null {
  if (basename(name) !== name || !existsSync(join(getBackupFolder(path), name))) return null;
  return parseBackupFile(getBackupFolder(path), name);
}
