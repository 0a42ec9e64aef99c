import { existsSync } from 'node:fs';
import { latestVersion, refuseFuture, type StoreKind } from '../migrations/migrate.ts';
import { connect, type ReadableDb } from '../sqlite/connection.ts';

/** Page cache in KiB. Twice the size hardly speeds up listing a large log; jobs use `withPageCacheSize`. */
const pageCache: Record<StoreKind, { reading: number; writing: number }> = {
  cache: { reading: 32_768, writing: 32_768 },
  books: { reading: 8_192, writing: 4_096 },
};

/** Opens a current database for reading, else returns null. Throws `storage` for a newer version. */
export function openIfCurrent(path: string, kind: StoreKind): ReadableDb | null {
  if (!existsSync(path)) return null;
  const db = connect(path, { readonly: true }) as ReadableDb;
  try {
    applySettings(db, kind);
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
export function applySettings(db: ReadableDb, kind: StoreKind): void {
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
