import { createNonRetryableError } from '../../../contract/shared/contract-error.ts';
import { runInTransaction, type WritableDb } from '../sqlite/connection.ts';
import * as booksBaseline from './books/baseline.ts';
import * as cacheBaseline from './cache/baseline.ts';

export type StoreKind = 'cache' | 'books';

/** SQLite application ids ("TOca" and "TObo"), which distinguish the two databases from each other and other files. */
export const sqliteApplicationIds: Record<StoreKind, number> = { cache: 0x544f6361, books: 0x544f626f };

/** A migration from the previous schema version. Must not change after its release. */
export interface SchemaMigration {
  up(db: WritableDb): void;
}

/** Migrations in order. The schema version is the number of migrations applied. */
export const schemaMigrations: Record<StoreKind, readonly SchemaMigration[]> = {
  cache: [cacheBaseline],
  books: [booksBaseline],
};

export const getLatestSchemaVersion = (kind: StoreKind): number => schemaMigrations[kind].length;

export function getSchemaVersion(db: WritableDb): number {
  return Number(db.pragma('user_version', { simple: true }));
}

/**
 * Migrates a database to `target`, with one transaction per version, and calls `onMigrated` after each. Throws `storage` if
 * a newer Tieout wrote the database.
 */
export function migrateStore(
  db: WritableDb,
  kind: StoreKind,
  target = getLatestSchemaVersion(kind),
  onMigrated?: () => void,
): void {
  rejectNewerSchema(getSchemaVersion(db), kind);
  for (let version = getSchemaVersion(db); version < target; version++) {
    runInTransaction(db, () => {
      if (getSchemaVersion(db) !== version) return;
      schemaMigrations[kind][version]!.up(db);
      db.pragma(`user_version = ${version + 1}`);
    });
    onMigrated?.();
  }
}

export function rejectNewerSchema(version: number, kind: StoreKind): void {
  if (version <= getLatestSchemaVersion(kind)) return;
  throw createNonRetryableError(
    'storage',
    `This site’s ${kind}.db was written by a newer Tieout (schema version ${version}; this Tieout supports ${getLatestSchemaVersion(kind)}).`,
    'Nothing was changed. Install the newer Tieout again.',
  );
}
