import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { createNonRetryableError } from '../../../contract/index.ts';
import { findDiskShortage } from '../../shared/disk-space.ts';
import { backUpBooks } from '../backups/back-up-books.ts';
import { LOST_HISTORY_CODE, requireExistingBooks, requireKnownHistory } from '../backups/books-history.ts';
import { findBestBackup } from '../backups/find-best-backup.ts';
import {
  getLatestSchemaVersion,
  getSchemaVersion,
  migrateStore,
  rejectNewerSchema,
  type StoreKind,
  sqliteApplicationIds,
} from '../migrations/migrate.ts';
import { openSqlite, type ReadableDb, SqliteError, type WritableDb } from '../sqlite/connection.ts';
import { verifyWebhookBodies } from '../webhooks/body-compression.ts';
import { applyConnectionSettings, openStoreIfCurrent } from './open-current-store.ts';
import { setAsideDatabase } from './set-aside-database.ts';

/** Error code for a disk on which no more files can be created. */
export const NO_FILES_LEFT_CODE = 'SQLITE_FULL_INODES';
/** Page size of a new cache in bytes, twice SQLite's default. Larger pages waste less space between 2 kB rows. */
const CACHE_PAGE_BYTES = 8192;
/** Number of pages in the write-ahead log before a checkpoint. A page with many changed rows is written only once. */
const WAL_CHECKPOINT_PAGES = 4000;

interface MigrationOptions {
  /** Called after each migration. */
  readonly onMigrated?: () => void;
}

/**
 * Opens a site's `cache.db` or `books.db`. Creates or migrates the database if necessary. For writing, renames a
 * damaged cache, which the next sync rebuilds, and backs up the books to `backups/` first. Throws `corrupt` if the
 * books are damaged, missing, or lack the history in the site's audit anchor, because Tieout cannot rebuild them.
 * Throws `storage` if a newer Tieout wrote the database.
 */
export function openStore(path: string, kind: StoreKind, options: { readonly: true }): ReadableDb;
export function openStore(path: string, kind: StoreKind, options?: MigrationOptions): WritableDb;
export function openStore(
  path: string,
  kind: StoreKind,
  options: { readonly: true } | MigrationOptions = {},
): ReadableDb {
  try {
    if ('readonly' in options) return openForReading(path, kind);
    return kind === 'cache' ? openCache(path, options) : openBooks(path, options);
  } catch (error) {
    throw explainShortage(error, dirname(path));
  }
}

/** Adds the cause to an I/O error on a full disk. SQLite reports no cause if it cannot create or extend a file. */
function explainShortage(error: unknown, folder: string): unknown {
  if (!(error instanceof SqliteError) || !/^SQLITE_(IOERR|CANTOPEN)/.test(error.code)) return error;
  const shortage = findDiskShortage(folder);
  if (shortage === null) return error;
  return new SqliteError(error.message, shortage === 'files' ? NO_FILES_LEFT_CODE : 'SQLITE_FULL');
}

/**
 * Reads books even if they do not continue the site's known history, to describe the difference. Otherwise throws the
 * errors of `openStore`.
 */
export function readUncheckedBooks<Result>(path: string, read: (books: ReadableDb) => Result): Result {
  const books = openUnlessLost(path) ?? (openSqlite(path, { readonly: true }) as ReadableDb);
  try {
    return read(books);
  } finally {
    books.close();
  }
}

/** Opens books for reading. Returns null if they have content but do not continue the known history. */
function openUnlessLost(path: string): ReadableDb | null {
  try {
    return openForReading(path, 'books');
  } catch (error) {
    const isLost = error instanceof Error && isLostHistory(error.cause) && existsSync(path);
    if (!isLost || statSync(path).size === 0) throw error;
    return null;
  }
}

const isLostHistory = (error: unknown): error is Error =>
  error instanceof SqliteError && error.code === LOST_HISTORY_CODE;

/** Closes a connection. A writer first checkpoints its write-ahead log. A failed checkpoint does not prevent closing. */
export function closeStore(db: ReadableDb): void {
  if (!db.open) return;
  try {
    if (!db.readonly) {
      db.pragma('optimize');
      db.pragma('wal_checkpoint(TRUNCATE)');
    }
  } catch (error) {
    if (isDatabaseDamage(error)) requestIntegrityCheck(db.name);
  } finally {
    db.close();
  }
}

/** Returns true if SQLite reports that a file is damaged or not a database. */
export function isDatabaseDamage(error: unknown): boolean {
  return error instanceof SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);
}

/** Requests an integrity check for the next opening for writing. Called when a read reports damage. */
export function requestIntegrityCheck(path: string): void {
  writeFileSync(`${path}.suspect`, '');
}

function openCache(path: string, options: MigrationOptions): WritableDb {
  try {
    return verifySuspect(path, openAndMigrate(path, 'cache', options));
  } catch (error) {
    if (!isDatabaseDamage(error)) throw error;
    setAsideDatabase(path, new Date());
    rmSync(`${path}.suspect`, { force: true });
    return openAndMigrate(path, 'cache');
  }
}

function openBooks(path: string, { onMigrated }: MigrationOptions = {}): WritableDb {
  try {
    requireExistingBooks(path);
    const db = connectStore(path, 'books');
    try {
      rejectNewerSchema(getSchemaVersion(db), 'books');
      verifyIntact(db);
      if (getSchemaVersion(db) > 0) requireKnownHistory(db, path);
      backUpBeforeOpening(db, path);
      migrateStore(db, 'books', undefined, onMigrated);
    } catch (error) {
      db.close();
      throw error;
    }
    rmSync(`${path}.suspect`, { force: true });
    return db;
  } catch (error) {
    throw isDatabaseDamage(error) ? createDamagedBooksError(path, error) : error;
  }
}

/** Backs up the books. Before a migration, throws a failure. At other times, the list of backups shows the failure. */
function backUpBeforeOpening(db: WritableDb, path: string): void {
  const version = getSchemaVersion(db);
  if (version === 0) return;
  if (version < getLatestSchemaVersion('books')) {
    backUpBooks(db, path, 'update');
    return;
  }
  try {
    backUpBooks(db, path, 'start');
  } catch (error) {
    if (isDatabaseDamage(error)) throw error;
  }
}

/** Opens a database for reading. Creates or migrates it first, so that readers need not wait for a writer. */
function openForReading(path: string, kind: StoreKind): ReadableDb {
  try {
    const current = openStoreIfCurrent(path, kind);
    if (current !== null) return current;
    closeStore(kind === 'books' ? openBooks(path) : openAndMigrate(path, kind));
    return openForReading(path, kind);
  } catch (error) {
    if (!isDatabaseDamage(error)) throw error;
    throw kind === 'books' ? createDamagedBooksError(path, error) : createDamagedCacheError(path, error);
  }
}

function openAndMigrate(path: string, kind: StoreKind, { onMigrated }: MigrationOptions = {}): WritableDb {
  const db = connectStore(path, kind);
  try {
    migrateStore(db, kind, undefined, onMigrated);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Opens a database for writing without a backup, a migration or a check of its history, which a copy does not need. */
export function connectStore(path: string, kind: StoreKind): WritableDb {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const db = openSqlite(path) as WritableDb;
  try {
    applyConnectionSettings(db, kind);
    if (kind === 'cache') db.pragma(`page_size = ${CACHE_PAGE_BYTES}`);
    db.pragma('journal_mode = WAL');
    db.pragma(`wal_autocheckpoint = ${WAL_CHECKPOINT_PAGES}`);
    setApplicationId(db, kind);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Sets the application id of a new database file. Throws if the file belongs to another kind of database. */
function setApplicationId(db: WritableDb, kind: StoreKind): void {
  const id = Number(db.pragma('application_id', { simple: true }));
  if (id === sqliteApplicationIds[kind]) return;
  if (id !== 0 || getSchemaVersion(db) !== 0) {
    throw new SqliteError(`${basename(db.name)} is not a ${kind} store`, 'SQLITE_NOTADB');
  }
  db.pragma(`application_id = ${sqliteApplicationIds[kind]}`);
}

/** Verifies a cache that an earlier read reported as damaged, before the cache is used again. */
function verifySuspect(path: string, db: WritableDb): WritableDb {
  const mark = `${path}.suspect`;
  if (!existsSync(mark)) return db;
  try {
    verifyIntact(db);
    verifyWebhookBodies(db);
  } catch (error) {
    db.close();
    throw error;
  }
  rmSync(mark, { force: true });
  return db;
}

function verifyIntact(db: WritableDb): void {
  const found = String(db.pragma('quick_check(1)', { simple: true }));
  if (found !== 'ok') throw new SqliteError(found, 'SQLITE_CORRUPT');
}

function createDamagedCacheError(path: string, cause: unknown) {
  requestIntegrityCheck(path);
  return Object.assign(
    createNonRetryableError(
      'corrupt',
      'The local copy of this site’s data (cache.db) is damaged.',
      'Sync the site. The damaged file is renamed and its data downloaded again.',
    ),
    { cause },
  );
}

function createDamagedBooksError(path: string, cause: unknown) {
  if (!isLostHistory(cause)) requestIntegrityCheck(path);
  const message = `The books of this site (books.db) ${isLostHistory(cause) ? `cannot be used: ${cause.message}` : 'are damaged'}.`;
  return Object.assign(createNonRetryableError('corrupt', message, adviseRestore(path)), { cause });
}

/** Returns advice to restore the best backup, with the number of audit log entries that would be lost. */
export function adviseRestore(path: string): string {
  const best = findBestBackup(path);
  if (best === null)
    return 'There is no backup. Keep the file. Remove the site and connect it again to start with new books.';
  const { backup, entries, known } = best;
  const time = new Date(backup.at).toISOString().slice(0, 16).replace('T', ' ');
  const lacking =
    known === null ? '' : `, which lacks ${Math.max(0, known - entries)} of ${known} audit log entries`;
  return `Restore the best intact backup, from ${time} UTC${lacking}, after reviewing its changes: under “Backups”, or with: tieout restore ${backup.name}`;
}
