import { nonRetryableError } from '../../../contract/shared/contract-error.ts';
import { inTransaction, type WritableDb } from '../sqlite/connection.ts';
import * as booksBaseline from './books/baseline.ts';
import * as cacheBaseline from './cache/baseline.ts';

export type StoreKind = 'cache' | 'books';

/** "TOca" and "TObo" as numbers, so that other files are not mistaken for one of the databases, nor one for the other. */
export const applicationIds: Record<StoreKind, number> = { cache: 0x544f6361, books: 0x544f626f };

/** Migrates a database from the previous version to this one. Never changed after its release. */
export interface Migration {
  up(db: WritableDb): void;
}

/** In order. The position in the list, from 1, is the version. */
export const migrations: Record<StoreKind, readonly Migration[]> = {
  cache: [cacheBaseline],
  books: [booksBaseline],
};

export const latestVersion = (kind: StoreKind): number => migrations[kind].length;

/** Returns the version of a database: the number of its last migration. */
export function versionOf(db: WritableDb): number {
  return Number(db.pragma('user_version', { simple: true }));
}

/** Migrates to `target`, one transaction per version. Throws `storage` for a newer Tieout's database. */
export function migrate(db: WritableDb, kind: StoreKind, target = latestVersion(kind)): void {
  refuseFuture(versionOf(db), kind);
  for (let version = versionOf(db); version < target; version++) {
    inTransaction(db, () => {
      if (versionOf(db) !== version) return;
      migrations[kind][version]!.up(db);
      db.pragma(`user_version = ${version + 1}`);
    });
  }
}

export function refuseFuture(version: number, kind: StoreKind): void {
  if (version <= latestVersion(kind)) return;
  throw nonRetryableError(
    'storage',
    `This site’s ${kind}.db was written by a newer Tieout (version ${version}; this one knows ${latestVersion(kind)}).`,
    'Install the newer Tieout again; nothing was changed.',
  );
}
