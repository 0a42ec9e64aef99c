import { existsSync } from 'node:fs';
import { connect, type ReadableDb } from './database.ts';
import { latestVersion, refuseFuture, type StoreKind } from './migrate.ts';

/**
 * Pages kept in memory by a connection, in KiB. The system keeps the file in memory too: with twice as many pages a list of a large log
 * comes hardly sooner. One that writes goes on from where it was, and needs no more; what needs more for a while says so (`withPages`).
 */
const pageCache: Record<StoreKind, { reading: number; writing: number }> = {
  cache: { reading: 32_768, writing: 32_768 },
  books: { reading: 8_192, writing: 4_096 },
};

/**
 * Opens for reading a store that is ready for it; null where it must be made or brought to this version first. Throws `storage`
 * for a store of a newer Tieout, and what SQLite throws for one that is damaged.
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

/** How every connection to a store works. */
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
