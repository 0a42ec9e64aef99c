import { constants, copyFileSync, existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { type BooksBackup, createContractError, createNonRetryableError } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { findAuditLogEnd } from '../audit-log/audit-entry-list.ts';
import { verifyAuditLog } from '../audit-log/verify-audit-log.ts';
import {
  getLatestSchemaVersion,
  getSchemaVersion,
  migrateStore,
  sqliteApplicationIds,
} from '../migrations/migrate.ts';
import { openSqlite, type ReadableDb, SqliteError, select, type WritableDb } from '../sqlite/connection.ts';
import { findDatabaseDamage } from '../sqlite/integrity-check.ts';
import { fsyncFile, getUnfinishedBackupPath } from './back-up-books.ts';
import { type BackupFile, getBackupFolder, readBackup } from './backup-files.ts';
import { findSiteOfBooks } from './books-history.ts';

type BackupFacts = Pick<BooksBackup, 'version' | 'entries' | 'last_at' | 'problem'>;

/** Describes a backup for the list of backups. Reads only the header, the version and the last audit log entry. */
export function describeBackup({ path, name, at, reason: why, bytes }: BackupFile): BooksBackup {
  return { name, made_at: formatTimestamp(at), reason: why, bytes, ...readBackupFacts(path) };
}

function readBackupFacts(path: string): BackupFacts {
  const unreadable = { version: null, entries: null, last_at: null, problem: 'It is damaged.' };
  return readBackup(path, readOpenBackupFacts) ?? unreadable;
}

function readOpenBackupFacts(db: ReadableDb): BackupFacts {
  if (Number(db.pragma('application_id', { simple: true })) !== sqliteApplicationIds.books) {
    return { version: null, entries: null, last_at: null, problem: 'It is not a backup of the books.' };
  }
  const version = Number(db.pragma('user_version', { simple: true }));
  const at = select.value<number>(db, 'SELECT at FROM audit ORDER BY seq DESC LIMIT 1');
  const problem =
    version > getLatestSchemaVersion('books')
      ? 'It was written by a newer version of Tieout. Install that version to use it.'
      : null;
  return { version, entries: findAuditLogEnd(db)?.seq ?? 0, last_at: formatTimestamp(at), problem };
}

/** Backup that is ready to replace the books: a verified copy, migrated to the current schema. */
export interface PreparedBackup {
  /** Path of the prepared copy. The original backup is not changed. */
  readonly path: string;
  readonly copy: BooksBackup;
  /** Description of a defect in the backup's audit log, or null if the log is valid. */
  readonly auditProblem: string | null;
  /** Deletes the prepared copy, unless a restore has moved it. */
  discard(): void;
}

/**
 * Prepares a backup to replace the books at `path`. The backup may have an older schema or a write-ahead log. Throws
 * `not_found`, `corrupt` if the backup is damaged or not a backup, `storage` if a newer Tieout wrote it, or
 * `validation` if it belongs to another site.
 */
export function prepareBackup(path: string, site: string, source: BackupFile): PreparedBackup {
  if (!existsSync(source.path)) throw createContractError(createBackupNotFoundError(source.name));
  mkdirSync(getBackupFolder(path), { recursive: true, mode: 0o700 });
  const preparedPath = getUnfinishedBackupPath(`${getBackupFolder(path)}/ready-${basename(source.path)}`);
  const discard = () => {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(preparedPath + suffix, { force: true });
  };
  discard();
  try {
    for (const suffix of ['', '-wal']) {
      if (existsSync(source.path + suffix))
        copyFileSync(source.path + suffix, preparedPath + suffix, constants.COPYFILE_FICLONE);
    }
    return { path: preparedPath, discard, ...verifyAndMigrate(preparedPath, site, source) };
  } catch (error) {
    discard();
    if (error instanceof SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code)) {
      throw createDamagedBackupError(source.name, error.message);
    }
    throw error;
  }
}

function verifyAndMigrate(
  preparedPath: string,
  site: string,
  source: BackupFile,
): { copy: BooksBackup; auditProblem: string | null } {
  const db = openSqlite(preparedPath) as WritableDb;
  try {
    disableExecution(db);
    db.pragma('journal_mode = DELETE');
    const facts = readOpenBackupFacts(db);
    if (facts.version === null)
      throw createDamagedBackupError(source.name, 'it is not a backup of the books');
    if (facts.version > getLatestSchemaVersion('books')) throw createNewerBackupError(source.name);
    const damage = findDatabaseDamage(db, true);
    if (damage !== null) throw createDamagedBackupError(source.name, damage);
    const of = findSiteOfBooks(db);
    if (of !== null && of !== site) throw createOtherSiteError(source.name, of, site);
    if (getSchemaVersion(db) < getLatestSchemaVersion('books')) migrateStore(db, 'books');
    if (readSchema(db) !== getBooksSchema()) {
      throw createDamagedBackupError(source.name, 'it does not have the tables of the books');
    }
    const { reason: why } = verifyAuditLog(db);
    const { name, at, reason, bytes } = source;
    return {
      copy: { name, made_at: formatTimestamp(at), reason: reason, bytes, ...facts },
      auditProblem: why,
    };
  } finally {
    db.close();
    fsyncFile(preparedPath);
  }
}

/** Restricts what a backup's schema can execute, because the file may come from an untrusted source. */
function disableExecution(db: ReadableDb): void {
  db.pragma('trusted_schema = OFF');
  db.pragma('cell_size_check = ON');
  db.pragma('foreign_keys = ON');
}

/** Returns the SQL of all tables, indexes and triggers, for comparing the schemas of a backup and the books. */
function readSchema(db: ReadableDb): string {
  const sql = "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name";
  return JSON.stringify(select.rows(db, sql));
}

function getBooksSchema(): string {
  const fresh = openSqlite(':memory:') as WritableDb;
  try {
    migrateStore(fresh, 'books');
    return readSchema(fresh);
  } finally {
    fresh.close();
  }
}

/** Describes a file outside the backup folder in the format of a backup. */
export function describeBackupFile(path: string): BackupFile {
  if (!existsSync(path) || !statSync(path).isFile())
    throw createContractError(createBackupNotFoundError(path));
  const { mtimeMs, size } = statSync(path);
  return { path, name: path, at: Math.trunc(mtimeMs), reason: 'manual', bytes: size };
}

export function createBackupNotFoundError(name: string) {
  return {
    code: 'not_found' as const,
    message: `There is no backup ${name}.`,
    hint: 'See the list of backups.',
    retryable: false,
  };
}

const createDamagedBackupError = (name: string, damage: string) =>
  createNonRetryableError(
    'corrupt',
    `The backup ${name} cannot be used: ${damage}.`,
    'The books are unchanged. Choose another backup.',
  );

const createNewerBackupError = (name: string) =>
  createNonRetryableError(
    'storage',
    `The backup ${name} was written by a newer version of Tieout.`,
    'The books are unchanged. Install the newer version to use it.',
  );

const createOtherSiteError = (name: string, of: string, site: string) =>
  createNonRetryableError(
    'validation',
    `The backup ${name} belongs to the site ${of}, not ${site}.`,
    'The books are unchanged. Choose a backup of this site.',
  );
