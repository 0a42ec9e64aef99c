import { existsSync } from 'node:fs';
import { latestVersion, refuseFuture, type StoreKind } from '../migrations/migrate.ts';
import { connect, type ReadableDb } from '../sqlite/connection.ts';

/**
 * Page cache of a connection in KiB. The operating system caches the file as well: twice the size makes listing a large
 * log hardly faster. Writing needs no more, and jobs that do use `withPages`.
 */
const pageCache: Record<StoreKind, { reading: number; writing: number }> = {
  cache: { reading: 32_768, writing: 32_768 },
  books: { reading: 8_192, writing: 4_096 },
};

/**
 * Opens a database for reading if it exists in the current version, else returns null. Throws `storage` for a database of
 * a newer Tieout, and SQLite's errors for a damaged one.
 */
export function openReady(path: string, kind: StoreKind): ReadableDb | null {
  if (!existsSync(path)) return null;
  const db = connect(path, { readonly: true }) as ReadableDb;
  try {
    settings(db, kind);
    const version = Number(db.pragma('user_version', { simple: true }));
    refuseFuture(version, kind);
    if (version === latestVersion(kind)) return db;
  } catch (error) {
    db.close();
    throw error;
  }
  db.close();
  return null;
}

/** Applies the settings of every connection. */
export function settings(db: ReadableDb, kind: StoreKind): void {
  db.pragma('busy_timeout = 5000');
  db.pragma('foreign_keys = ON');
  db.pragma('trusted_schema = OFF');
  db.pragma('cell_size_check = ON');
  db.pragma('mmap_size = 0');
  db.pragma('temp_store = MEMORY');
  db.pragma(`cache_size = -${pageCache[kind][db.readonly ? 'reading' : 'writing']}`);
  db.pragma('journal_size_limit = 67108864');
  db.pragma(`synchronous = ${kind === 'books' ? 'FULL' : 'NORMAL'}`);
}
