import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { nonRetryableError } from '../../../contract/index.ts';
import { backUp, listBackupFiles } from '../backups/backup.ts';
import {
  applicationIds,
  latestVersion,
  migrate,
  refuseFuture,
  type StoreKind,
  versionOf,
} from '../migrations/migrate.ts';
import { connect, type ReadableDb, SqliteError, type WritableDb } from '../sqlite/connection.ts';
import { applySettings, openIfCurrent } from './open-if-current.ts';
import { setAsideDatabase } from './set-aside-database.ts';

/** Page size of a new cache in bytes: twice the default leaves less space unused between 2 kB rows. */
const CACHE_PAGE_BYTES = 8192;
/** Number of pages in the write-ahead log before a checkpoint. Pages changed by many rows are then written once. */
const WAL_CHECKPOINT_PAGES = 4000;

/**
 * Opens a site's `cache.db` or `books.db`, and creates or migrates it if necessary.
 *
 * For writing, a damaged cache is renamed and rebuilt by the next sync. Books are backed up to `backups/` first, and
 * damaged books are refused (`corrupt`), because they cannot be rebuilt. A database of a newer Tieout is refused
 * (`storage`).
 */
export function openStore(path: string, kind: StoreKind, options: { readonly: true }): ReadableDb;
export function openStore(path: string, kind: StoreKind): WritableDb;
export function openStore(path: string, kind: StoreKind, options?: { readonly: true }): ReadableDb {
  if (options?.readonly) return openForReading(path, kind);
  return kind === 'cache' ? openCache(path) : openBooks(path);
}

/** Closes a connection. A writer also checkpoints its write-ahead log; a failure does not prevent closing. */
export function closeStore(db: ReadableDb): void {
  if (!db.open) return;
  try {
    if (!db.readonly) {
      db.pragma('optimize');
      db.pragma('wal_checkpoint(TRUNCATE)');
    }
  } catch (error) {
    if (isDamage(error)) requestIntegrityCheck(db.name);
  } finally {
    db.close();
  }
}

/** Returns true if SQLite reports that the file is damaged or no database. */
export function isDamage(error: unknown): boolean {
  return error instanceof SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);
}

/** Requests a check of a database when it is next opened for writing. Called if reading it showed damage. */
export function requestIntegrityCheck(path: string): void {
  writeFileSync(`${path}.suspect`, '');
}

function openCache(path: string): WritableDb {
  try {
    return verifySuspect(path, openAndMigrate(path, 'cache'));
  } catch (error) {
    if (!isDamage(error)) throw error;
    setAsideDatabase(path, new Date());
    rmSync(`${path}.suspect`, { force: true });
    return openAndMigrate(path, 'cache');
  }
}

function openBooks(path: string): WritableDb {
  try {
    const db = connectStore(path, 'books');
    try {
      refuseFuture(versionOf(db), 'books');
      verifyIntact(db);
      backUpBeforeOpening(db, path);
      migrate(db, 'books');
    } catch (error) {
      db.close();
      throw error;
    }
    rmSync(`${path}.suspect`, { force: true });
    return db;
  } catch (error) {
    throw isDamage(error) ? createDamagedBooksError(path, error) : error;
  }
}

/** Backs up the books. Before a migration, a failure is thrown; otherwise it is shown in the backup list. */
function backUpBeforeOpening(db: WritableDb, path: string): void {
  const version = versionOf(db);
  if (version === 0) return;
  if (version < latestVersion('books')) {
    backUp(db, path, 'update');
    return;
  }
  try {
    backUp(db, path, 'start');
  } catch (error) {
    if (isDamage(error)) throw error;
  }
}

/** Opens for reading. Creates or migrates the database first, because a reader does not wait for a writer. */
function openForReading(path: string, kind: StoreKind): ReadableDb {
  try {
    const current = openIfCurrent(path, kind);
    if (current !== null) return current;
    closeStore(kind === 'books' ? openBooks(path) : openAndMigrate(path, kind));
    return openForReading(path, kind);
  } catch (error) {
    if (!isDamage(error)) throw error;
    throw kind === 'books' ? createDamagedBooksError(path, error) : createDamagedCacheError(path, error);
  }
}

function openAndMigrate(path: string, kind: StoreKind): WritableDb {
  const db = connectStore(path, kind);
  try {
    migrate(db, kind);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function connectStore(path: string, kind: StoreKind): WritableDb {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const db = connect(path) as WritableDb;
  try {
    applySettings(db, kind);
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

/** Marks a new file as this kind of database. Throws if the file is marked as another kind. */
function setApplicationId(db: WritableDb, kind: StoreKind): void {
  const id = Number(db.pragma('application_id', { simple: true }));
  if (id === applicationIds[kind]) return;
  if (id !== 0 || versionOf(db) !== 0) {
    throw new SqliteError(`${basename(db.name)} is not a ${kind} store`, 'SQLITE_NOTADB');
  }
  db.pragma(`application_id = ${applicationIds[kind]}`);
}

/** Checks a suspect cache completely before it is used again. */
function verifySuspect(path: string, db: WritableDb): WritableDb {
  const mark = `${path}.suspect`;
  if (!existsSync(mark)) return db;
  try {
    verifyIntact(db);
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
    nonRetryableError(
      'corrupt',
      'The local copy of this site’s data (cache.db) is damaged.',
      'Sync the site. The damaged file is renamed and its data downloaded again.',
    ),
    { cause },
  );
}

function createDamagedBooksError(path: string, cause: unknown) {
  requestIntegrityCheck(path);
  const [copy] = listBackupFiles(path);
  return Object.assign(
    nonRetryableError(
      'corrupt',
      'The books of this site (books.db) are damaged.',
      copy === undefined
        ? 'There is no backup yet. Move books.db out of the site’s folder to start with new books.'
        : `Restore the last intact backup, from ${new Date(copy.at).toISOString().slice(0, 16).replace('T', ' ')} UTC, after reviewing its changes: under “Backups”, or with: tieout restore ${copy.name}`,
    ),
    { cause },
  );
}
