import { constants, copyFileSync, existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { type BooksBackup, contractError, nonRetryableError } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { findAuditEnd, verifyAudit } from '../audit-log/audit-list.ts';
import { applicationIds, latestVersion, migrate, versionOf } from '../migrations/migrate.ts';
import { connect, type ReadableDb, SqliteError, select, type WritableDb } from '../sqlite/connection.ts';
import { findDamage } from '../sqlite/integrity-check.ts';
import { type BackupFile, getBackupFolder, getUnfinishedPath, makeDurable } from './backup.ts';

type BackupFacts = Pick<BooksBackup, 'version' | 'entries' | 'last_at' | 'problem'>;

/** Returns a backup for a list. Only its header is read, not its content. */
export function describeBackup({ path, name, at, reason: why, bytes }: BackupFile): BooksBackup {
  return { name, made_at: formatTimestamp(at), reason: why, bytes, ...readBackupFacts(path) };
}

function readBackupFacts(path: string): BackupFacts {
  try {
    const db = connect(path, { readonly: true, fileMustExist: true }) as ReadableDb;
    try {
      return readOpenBackupFacts(db);
    } finally {
      db.close();
    }
  } catch (error) {
    if (!(error instanceof SqliteError)) throw error;
    return { version: null, entries: null, last_at: null, problem: 'It is damaged.' };
  }
}

function readOpenBackupFacts(db: ReadableDb): BackupFacts {
  if (Number(db.pragma('application_id', { simple: true })) !== applicationIds.books) {
    return { version: null, entries: null, last_at: null, problem: 'It is not a backup of the books.' };
  }
  const version = Number(db.pragma('user_version', { simple: true }));
  const at = select.value<number>(db, 'SELECT at FROM audit ORDER BY seq DESC LIMIT 1');
  const problem =
    version > latestVersion('books')
      ? 'It was written by a newer version of Tieout. Install that version to use it.'
      : null;
  return { version, entries: findAuditEnd(db)?.seq ?? 0, last_at: formatTimestamp(at), problem };
}

/** A backup prepared to replace the books: verified, migrated to the current schema, in a file of its own. */
export interface PreparedBackup {
  /** Path of the prepared file. The backup itself is unchanged. */
  readonly path: string;
  readonly copy: BooksBackup;
  /** Sentence that describes a defect of its audit log, or null. */
  readonly auditProblem: string | null;
  /** Deletes the file unless it has been moved away. */
  discard(): void;
}

/**
 * Prepares a backup in the backup folder of the books at `path`. The source may have an older schema or a write-ahead log. Throws
 * `not_found`, `corrupt` if it is damaged or no backup, `storage` if a newer Tieout wrote it, `validation` if it belongs
 * to another site.
 */
export function prepareBackup(path: string, site: string, source: BackupFile): PreparedBackup {
  if (!existsSync(source.path)) throw contractError(createBackupNotFoundError(source.name));
  mkdirSync(getBackupFolder(path), { recursive: true, mode: 0o700 });
  const preparedPath = getUnfinishedPath(`${getBackupFolder(path)}/ready-${basename(source.path)}`);
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
  const db = connect(preparedPath) as WritableDb;
  try {
    disableExecution(db);
    db.pragma('journal_mode = DELETE');
    const facts = readOpenBackupFacts(db);
    if (facts.version === null)
      throw createDamagedBackupError(source.name, 'it is not a backup of the books');
    if (facts.version > latestVersion('books')) throw createNewerBackupError(source.name);
    const damage = findDamage(db, true);
    if (damage !== null) throw createDamagedBackupError(source.name, damage);
    const of = findSiteOfBooks(db);
    if (of !== null && of !== site) throw createOtherSiteError(source.name, of, site);
    if (versionOf(db) < latestVersion('books')) migrate(db, 'books');
    if (readSchema(db) !== getBooksSchema()) {
      throw createDamagedBackupError(source.name, 'it does not have the tables of the books');
    }
    const { reason: why } = verifyAudit(db);
    const { name, at, reason, bytes } = source;
    return {
      copy: { name, made_at: formatTimestamp(at), reason: reason, bytes, ...facts },
      auditProblem: why,
    };
  } finally {
    db.close();
    makeDurable(preparedPath);
  }
}

/** Disables everything in the schema that could execute, because the file may come from anywhere. */
function disableExecution(db: ReadableDb): void {
  db.pragma('trusted_schema = OFF');
  db.pragma('cell_size_check = ON');
  db.pragma('foreign_keys = ON');
}

/** Returns the SQL of all tables, indexes and triggers. A backup must have exactly those of the books. */
function readSchema(db: ReadableDb): string {
  const sql = "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name";
  return JSON.stringify(select.rows(db, sql));
}

function getBooksSchema(): string {
  const fresh = connect(':memory:') as WritableDb;
  try {
    migrate(fresh, 'books');
    return readSchema(fresh);
  } finally {
    fresh.close();
  }
}

/** Returns the site of the books from their audit log, or null. */
function findSiteOfBooks(db: ReadableDb): string | null {
  const sql = "SELECT subject FROM audit WHERE action = 'sites.add' ORDER BY seq LIMIT 1";
  return select.value<string>(db, sql);
}

/** Returns a file of this computer as a backup. */
export function describeBackupFile(path: string): BackupFile {
  if (!existsSync(path) || !statSync(path).isFile()) throw contractError(createBackupNotFoundError(path));
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
  nonRetryableError(
    'corrupt',
    `The backup ${name} cannot be used: ${damage}.`,
    'The books are unchanged. Choose another backup.',
  );

const createNewerBackupError = (name: string) =>
  nonRetryableError(
    'storage',
    `The backup ${name} was written by a newer version of Tieout.`,
    'The books are unchanged. Install the newer version to use it.',
  );

const createOtherSiteError = (name: string, of: string, site: string) =>
  nonRetryableError(
    'validation',
    `The backup ${name} belongs to the site ${of}, not ${site}.`,
    'The books are unchanged. Choose a backup of this site.',
  );
