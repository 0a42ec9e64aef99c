import { existsSync } from 'node:fs';
import { requireKnownHistory } from '../backups/books-history.ts';
import { getLatestSchemaVersion, rejectNewerSchema, type StoreKind } from '../migrations/migrate.ts';
import { openSqlite, type ReadableDb } from '../sqlite/connection.ts';
import { requireCompleteFile } from '../sqlite/integrity-check.ts';
import { defineWebhookBodyFunction } from '../webhooks/body-compression.ts';

/** Page cache sizes in KiB. Doubling them makes listing a large log hardly faster. Jobs use `withPageCacheSize`. */
const pageCache: Record<StoreKind, { reading: number; writing: number }> = {
  cache: { reading: 32_768, writing: 32_768 },
  books: { reading: 8_192, writing: 4_096 },
};

/** Maximum milliseconds that a statement waits for another connection. */
export const BUSY_TIMEOUT_MS = 5000;
/** Length in bytes at which a write-ahead log is truncated. */
export const MAX_WAL_BYTES = 64 * 1024 * 1024;

/**
 * Opens a database for reading if its schema is current, otherwise returns null. Throws `storage` if the schema is
 * newer, and a database error if the file is truncated or the books lack the site's history.
 */
export function openStoreIfCurrent(path: string, kind: StoreKind): ReadableDb | null {
  if (!existsSync(path)) return null;
  const db = openSqlite(path, { readonly: true }) as ReadableDb;
  try {
    applyConnectionSettings(db, kind);
    const version = Number(db.pragma('user_version', { simple: true }));
    rejectNewerSchema(version, kind);
    requireCompleteFile(path);
    if (kind === 'books' && version > 0) requireKnownHistory(db, path);
    if (version === getLatestSchemaVersion(kind)) return db;
  } catch (error) {
    db.close();
    throw error;
  }
  db.close();
  return null;
}

/** Returns the number of migrations that a database needs. It is 0 for a missing, unreadable or newer database. */
export function countPendingMigrations(path: string, kind: StoreKind): number {
  if (!existsSync(path)) return 0;
  try {
    const db = openSqlite(path, { readonly: true });
    try {
      const version = Number(db.pragma('user_version', { simple: true }));
      return Math.max(0, getLatestSchemaVersion(kind) - version);
    } finally {
      db.close();
    }
  } catch {
    return 0;
  }
}

/** Applies the SQLite settings and functions that every connection needs. */
export function applyConnectionSettings(db: ReadableDb, kind: StoreKind): void {
  db.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  db.pragma('foreign_keys = ON');
  db.pragma('trusted_schema = OFF');
  db.pragma('cell_size_check = ON');
  db.pragma('mmap_size = 0');
  db.pragma('temp_store = MEMORY');
  db.pragma(`cache_size = -${pageCache[kind][db.readonly ? 'reading' : 'writing']}`);
  db.pragma(`journal_size_limit = ${MAX_WAL_BYTES}`);
  db.pragma(`synchronous = ${kind === 'books' ? 'FULL' : 'NORMAL'}`);
  if (kind === 'cache') defineWebhookBodyFunction(db);
}
