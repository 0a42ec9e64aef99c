import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { contractError } from '../../../contract/index.ts';
import { backUp, backupsOf } from '../backups/backup.ts';
import {
  applicationIds,
  latestVersion,
  migrate,
  refuseFuture,
  type StoreKind,
  versionOf,
} from '../migrations/migrate.ts';
import { connect, type ReadableDb, SqliteError, type WritableDb } from '../sqlite/connection.ts';
import { setAside } from './damaged-database.ts';
import { openReady, settings } from './open-ready.ts';

/**
 * Page size of a new cache in bytes, twice the default: rows of about 2 kB leave less space unused, and fewer pages are
 * written.
 */
const CACHE_PAGE = 8192;
/** Number of pages in the write-ahead log before a checkpoint. Pages changed by many rows are then written once. */
const LOGGED_PAGES = 4000;

/**
 * Opens a site's `cache.db` or `books.db`, and creates or migrates it if necessary.
 *
 * For writing, a damaged cache is set aside and rebuilt by the next sync. Books are backed up to `backups/` first, and
 * damaged books are refused (`corrupt`), because they cannot be rebuilt. A database of a newer Tieout is refused
 * (`storage`).
 */
export function openStore(path: string, kind: StoreKind, options: { readonly: true }): ReadableDb;
export function openStore(path: string, kind: StoreKind): WritableDb;
export function openStore(path: string, kind: StoreKind, options?: { readonly: true }): ReadableDb {
  if (options?.readonly) return openForReading(path, kind);
  return kind === 'cache' ? openCache(path) : openBooks(path);
}

/** Closes a connection. A writer also empties its write-ahead log into the file. What fails is left to the next one. */
export function closeStore(db: ReadableDb): void {
  if (!db.open) return;
  try {
    if (!db.readonly) {
      db.pragma('optimize');
      db.pragma('wal_checkpoint(TRUNCATE)');
    }
  } catch (error) {
    if (isDamage(error)) suspect(db.name);
  } finally {
    db.close();
  }
}

/** Returns true if SQLite reports that the file is damaged or no database. */
export function isDamage(error: unknown): boolean {
  return error instanceof SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);
}

/** Requests a check of a database when it is next opened for writing. Called if reading it showed damage. */
export function suspect(path: string): void {
  writeFileSync(`${path}.suspect`, '');
}

function openCache(path: string): WritableDb {
  try {
    return checked(path, openAndMigrate(path, 'cache'));
  } catch (error) {
    if (!isDamage(error)) throw error;
    setAside(path, new Date());
    rmSync(`${path}.suspect`, { force: true });
    return openAndMigrate(path, 'cache');
  }
}

function openBooks(path: string): WritableDb {
  try {
    const db = connected(path, 'books');
    try {
      refuseFuture(versionOf(db), 'books');
      thoroughlySound(db);
      copyFirst(db, path);
      migrate(db, 'books');
    } catch (error) {
      db.close();
      throw error;
    }
    rmSync(`${path}.suspect`, { force: true });
    return db;
  } catch (error) {
    throw isDamage(error) ? damagedBooks(path, error) : error;
  }
}

/**
 * Books are never migrated without a backup. A backup that fails at a start, perhaps on a full disk, does not prevent
 * opening them: it is reported in the list of backups and tried again at the next start.
 */
function copyFirst(db: WritableDb, path: string): void {
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

/**
 * Opens for reading. A missing or outdated database is created or migrated first, because the reader does not wait for a
 * writer.
 */
function openForReading(path: string, kind: StoreKind): ReadableDb {
  try {
    const ready = openReady(path, kind);
    if (ready !== null) return ready;
    closeStore(kind === 'books' ? openBooks(path) : openAndMigrate(path, kind));
    return openForReading(path, kind);
  } catch (error) {
    if (!isDamage(error)) throw error;
    throw kind === 'books' ? damagedBooks(path, error) : damagedCache(path, error);
  }
}

function openAndMigrate(path: string, kind: StoreKind): WritableDb {
  const db = connected(path, kind);
  try {
    migrate(db, kind);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function connected(path: string, kind: StoreKind): WritableDb {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const db = connect(path) as WritableDb;
  try {
    settings(db, kind);
    if (kind === 'cache') db.pragma(`page_size = ${CACHE_PAGE}`);
    db.pragma('journal_mode = WAL');
    db.pragma(`wal_autocheckpoint = ${LOGGED_PAGES}`);
    identify(db, kind);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Marks a new file as this kind of database. Throws if the file is marked as another kind. */
function identify(db: WritableDb, kind: StoreKind): void {
  const id = Number(db.pragma('application_id', { simple: true }));
  if (id === applicationIds[kind]) return;
  if (id !== 0 || versionOf(db) !== 0) {
    throw new SqliteError(`${basename(db.name)} is not a ${kind} store`, 'SQLITE_NOTADB');
  }
  db.pragma(`application_id = ${applicationIds[kind]}`);
}

/** Checks a suspect cache completely before it is used again. */
function checked(path: string, db: WritableDb): WritableDb {
  const mark = `${path}.suspect`;
  if (!existsSync(mark)) return db;
  try {
    thoroughlySound(db);
  } catch (error) {
    db.close();
    throw error;
  }
  rmSync(mark, { force: true });
  return db;
}

function thoroughlySound(db: WritableDb): void {
  const found = String(db.pragma('quick_check(1)', { simple: true }));
  if (found !== 'ok') throw new SqliteError(found, 'SQLITE_CORRUPT');
}

function damagedCache(path: string, cause: unknown) {
  suspect(path);
  return Object.assign(
    contractError({
      code: 'corrupt',
      message: 'The copy of this site’s data (cache.db) is damaged.',
      hint: 'Sync the site: the damaged file is set aside and its data fetched again.',
      retryable: false,
    }),
    { cause },
  );
}

function damagedBooks(path: string, cause: unknown) {
  suspect(path);
  const [copy] = backupsOf(path);
  return Object.assign(
    contractError({
      code: 'corrupt',
      message: 'The books of this site (books.db) are damaged.',
      hint:
        copy === undefined
          ? 'There is no copy of them yet. Move books.db out of the site’s folder to begin with new ones.'
          : `Put the last good copy back, of ${new Date(copy.at).toISOString().slice(0, 16).replace('T', ' ')} UTC, after a look at what it changes: under “Backups”, or with: tieout restore ${copy.name}`,
      retryable: false,
    }),
    { cause },
  );
}
