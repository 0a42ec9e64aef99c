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
import { type BackupReason, backupReason } from '../../../contract/index.ts';
import { keptCopies } from '../../../domain/backups/index.ts';
import { syncFolder } from '../../sites/durable-file.ts';
import { damageOf } from '../damage.ts';
import { connect, prepared, type ReadableDb, SqliteError } from '../database.ts';
import { auditEnd, verifyAudit } from './audit-list.ts';

/** A copy of the books in the folder beside them. */
export interface StoredCopy {
  readonly path: string;
  readonly name: string;
  /** ms UTC. */
  readonly at: number;
  readonly why: BackupReason;
  readonly bytes: number;
}

const NAME = /^books-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z(?:-([a-z]+))?\.db$/;
/** What a copy is called until it is whole. */
const UNFINISHED = /\.new$/;
/** Older ones belong to nobody any more. */
const ABANDONED_MS = 3_600_000;

export const copiesFolder = (path: string): string => join(dirname(path), 'backups');

/** The copies of the books at `path`, newest first. */
export function backupsOf(path: string): StoredCopy[] {
  const folder = copiesFolder(path);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap((name) => copyNamed(folder, name) ?? [])
    .sort((one, other) => other.at - one.at);
}

function copyNamed(folder: string, name: string): StoredCopy | null {
  const [, year, month, day, hour, minute, second, ms, word = 'start'] = NAME.exec(name) ?? [];
  const why = backupReason.safeParse(word);
  if (year === undefined || !why.success) return null;
  const path = join(folder, name);
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`);
  return { path, name, at, why: why.data, bytes: statSync(path).size };
}

/** Whether something was written to the books since their newest copy was made. */
export function isCopyDue(path: string): boolean {
  const [newest] = backupsOf(path);
  return newest === undefined || statSync(newest.path).mtimeMs <= lastWrite(path);
}

/**
 * Copies the books into the folder beside them, and lets old copies go. The copy is whole and compact, was looked through, and stands
 * under its name only then. At a start, and before an update, the newest copy will do where nothing was written since.
 */
export function backUp(db: ReadableDb, path: string, why: BackupReason, now = Date.now()): StoredCopy {
  const folder = copiesFolder(path);
  const [newest] = backupsOf(path);
  if (newest !== undefined && (why === 'start' || why === 'update') && !isCopyDue(path)) return newest;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stamp = (at: number) => new Date(at).toISOString().replace(/[-:.]/g, '');
  let at = now;
  while (existsSync(join(folder, `books-${stamp(at)}-${why}.db`))) at++;
  const name = `books-${stamp(at)}-${why}.db`;
  copyBooks(db, join(folder, name));
  letGo(path, at);
  return copyNamed(folder, name) as StoredCopy;
}

/** Copies the books to a file, which stands under its name only when it is whole, durable and was looked through. */
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

/** Since this version of the books every entry of the audit log can be worked out again. */
const PROVABLE_LOG = 2;

/** A copy is sound in itself, and its audit log ends where that of the books does, every hash as good as there. */
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

/** Returns when what was written to the file is on the disk. */
export function makeDurable(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Removes the copies that need not be kept any more, and what was left of unfinished ones. */
function letGo(path: string, now: number): void {
  const copies = backupsOf(path);
  const kept = keptCopies(copies, now);
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

/** A copy of the folder by its name; null where there is none. */
export function backupNamed(path: string, name: string): StoredCopy | null {
  if (basename(name) !== name || !existsSync(join(copiesFolder(path), name))) return null;
  return copyNamed(copiesFolder(path), name);
}
