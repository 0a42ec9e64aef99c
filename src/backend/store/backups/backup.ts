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
import { selectRetainedBackups } from '../../../domain/backups/index.ts';
import { syncFolder } from '../../shared/durable-file.ts';
import { auditEnd, verifyAudit } from '../audit-log/audit-list.ts';
import { connect, prepared, type ReadableDb, SqliteError } from '../sqlite/connection.ts';
import { damageOf } from '../sqlite/integrity-check.ts';

/** A backup in the folder beside the books. */
export interface StoredCopy {
  readonly path: string;
  readonly name: string;
  /** UTC milliseconds. */
  readonly at: number;
  readonly reason: BackupReason;
  readonly bytes: number;
}

const NAME = /^books-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z(?:-([a-z]+))?\.db$/;
/** Suffix of a backup until it is complete. */
const UNFINISHED = /\.new$/;
/** Age in milliseconds from which an incomplete backup belongs to a crashed process. */
const ABANDONED_MS = 3_600_000;

export const copiesFolder = (path: string): string => join(dirname(path), 'backups');

/** Returns the backups of the books at `path`, newest first. */
export function backupsOf(path: string): StoredCopy[] {
  const folder = copiesFolder(path);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap((name) => copyNamed(folder, name) ?? [])
    .sort((one, other) => other.at - one.at);
}

function copyNamed(folder: string, name: string): StoredCopy | null {
  const [, year, month, day, hour, minute, second, ms, word = 'start'] = NAME.exec(name) ?? [];
  const reason = backupReasonSchema.safeParse(word);
  if (year === undefined || !reason.success) return null;
  const path = join(folder, name);
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`);
  return { path, name, at, reason: reason.data, bytes: statSync(path).size };
}

/** Returns true if the books have changed since their latest backup. */
export function isCopyDue(path: string): boolean {
  const [newest] = backupsOf(path);
  return newest === undefined || statSync(newest.path).mtimeMs <= lastWrite(path);
}

/**
 * Makes a backup in the folder beside the books and deletes expired ones. The backup is complete, compact and verified
 * before it gets its name. At a start and before an update, the latest backup is reused if nothing has changed since.
 */
export function backUp(db: ReadableDb, path: string, reason: BackupReason, now = Date.now()): StoredCopy {
  const folder = copiesFolder(path);
  const [newest] = backupsOf(path);
  if (newest !== undefined && (reason === 'start' || reason === 'update') && !isCopyDue(path)) return newest;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stamp = (at: number) => new Date(at).toISOString().replace(/[-:.]/g, '');
  let at = now;
  while (existsSync(join(folder, `books-${stamp(at)}-${reason}.db`))) at++;
  const name = `books-${stamp(at)}-${reason}.db`;
  copyBooks(db, join(folder, name));
  letGo(path, at);
  return copyNamed(folder, name) as StoredCopy;
}

/** Copies the books to a file, which gets its name only when it is complete, durable and verified. */
export function copyBooks(db: ReadableDb, to: string): void {
  const temporary = unfinished(to);
  rmSync(temporary, { force: true });
  try {
    prepared(db, 'VACUUM INTO ?').run(temporary);
    expectEqual(db, temporary);
    makeDurable(temporary);
    renameSync(temporary, to);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(dirname(to));
}

export const unfinished = (path: string): string => `${path}.${process.pid}.new`;

/** Schema version of the books from which every entry of the audit log can be verified. */
const PROVABLE_LOG = 2;

/** Throws unless a backup is intact and its audit log ends like that of the books, with all hashes equally valid. */
function expectEqual(db: ReadableDb, path: string): void {
  const copy = connect(path, { readonly: true }) as ReadableDb;
  try {
    const damage = damageOf(copy, true);
    if (damage !== null) throw new SqliteError(damage, 'SQLITE_CORRUPT');
    if (auditEnd(copy)?.hash !== auditEnd(db)?.hash) {
      throw new SqliteError('the copy has another audit log', 'SQLITE_CORRUPT');
    }
    const version = Number(copy.pragma('user_version', { simple: true }));
    if (version >= PROVABLE_LOG && !verifyAudit(copy).ok && verifyAudit(db).ok) {
      throw new SqliteError('the audit log of the copy does not hold', 'SQLITE_CORRUPT');
    }
  } finally {
    copy.close();
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
function letGo(path: string, now: number): void {
  const copies = backupsOf(path);
  const kept = selectRetainedBackups(copies, now);
  for (const copy of copies) if (!kept.has(copy)) rmSync(copy.path, { force: true });
  const folder = copiesFolder(path);
  for (const name of readdirSync(folder)) {
    const left = join(folder, name);
    if (UNFINISHED.test(name) && now - statSync(left).mtimeMs > ABANDONED_MS) rmSync(left, { force: true });
  }
}

function lastWrite(path: string): number {
  return Math.max(...[path, `${path}-wal`].map((file) => (existsSync(file) ? statSync(file).mtimeMs : 0)));
}

/** Returns a backup of the folder by name, or null. */
export function backupNamed(path: string, name: string): StoredCopy | null {
  if (basename(name) !== name || !existsSync(join(copiesFolder(path), name))) return null;
  return copyNamed(copiesFolder(path), name);
}
