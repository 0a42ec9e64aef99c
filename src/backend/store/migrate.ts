import { contractError } from '../../contract/contract-error.ts';
import { commit, type WritableDb } from './database.ts';
import * as books1 from './migrations/books/0001-first.ts';
import * as books2 from './migrations/books/0002-exceptions.ts';
import * as books3 from './migrations/books/0003-allocations.ts';
import * as books4 from './migrations/books/0004-replay.ts';
import * as books5 from './migrations/books/0005-bank.ts';
import * as books6 from './migrations/books/0006-archive.ts';
import * as books7 from './migrations/books/0007-keeping.ts';
import * as books8 from './migrations/books/0008-workpaper.ts';
import * as books9 from './migrations/books/0009-periods.ts';
import * as cache1 from './migrations/cache/0001-first.ts';
import * as cache2 from './migrations/cache/0002-checks.ts';
import * as cache3 from './migrations/cache/0003-archive.ts';
import * as cache4 from './migrations/cache/0004-pdf-search.ts';
import * as cache5 from './migrations/cache/0005-briefs.ts';
import * as cache6 from './migrations/cache/0006-deleted-pdfs.ts';
import * as cache7 from './migrations/cache/0007-webhook-arrivals.ts';
import * as cache8 from './migrations/cache/0008-lighter-rows.ts';

export type StoreKind = 'cache' | 'books';

/** "TOca" and "TObo": so that no other file is taken for a store, nor one store for the other. */
export const applicationIds: Record<StoreKind, number> = { cache: 0x544f6361, books: 0x544f626f };

/** Takes a store from the version before to this one. Never edited once it has shipped. */
export interface Migration {
  up(db: WritableDb): void;
}

/** In order; the place in the list, from 1, is the version. */
export const migrations: Record<StoreKind, readonly Migration[]> = {
  cache: [cache1, cache2, cache3, cache4, cache5, cache6, cache7, cache8],
  books: [books1, books2, books3, books4, books5, books6, books7, books8, books9],
};

export const latestVersion = (kind: StoreKind): number => migrations[kind].length;

/** The version a store is at: the number of its last migration. */
export function versionOf(db: WritableDb): number {
  return Number(db.pragma('user_version', { simple: true }));
}

/**
 * Brings a store to `target` (the newest version unless told), each step and its `user_version` in one transaction.
 * A store from the future is refused (`storage`): what a newer version wrote must not be written by an older one.
 */
export function migrate(db: WritableDb, kind: StoreKind, target = latestVersion(kind)): void {
  refuseFuture(versionOf(db), kind);
  for (let version = versionOf(db); version < target; version++) {
    commit(db, () => {
      if (versionOf(db) !== version) return;
      migrations[kind][version]!.up(db);
      db.pragma(`user_version = ${version + 1}`);
    });
  }
}

export function refuseFuture(version: number, kind: StoreKind): void {
  if (version <= latestVersion(kind)) return;
  throw contractError({
    code: 'storage',
    message: `This site’s ${kind}.db was written by a newer Tieout (version ${version}; this one knows ${latestVersion(kind)}).`,
    hint: 'Install the newer Tieout again; nothing was changed.',
    retryable: false,
  });
}
