import { dirname, join } from 'node:path';
import { createContractError } from '../../contract/index.ts';
import {
  closeStore,
  isDatabaseDamage,
  openStore,
  requestIntegrityCheck,
} from '../store/database/open-store.ts';
import type { StoreKind } from '../store/migrations/migrate.ts';
import { prepareSql, type ReadableDb } from '../store/sqlite/connection.ts';
import { readInode } from './read-inode.ts';
import { createUnknownSiteError, getSiteFolder, readSite, type SiteFile } from './site-file.ts';

/** Site with databases that open for reading on first use. */
export interface ReadOnlySite {
  readonly file: SiteFile;
  readonly folder: string;
  readonly cache: ReadableDb;
  readonly books: ReadableDb;
}

interface OpenDatabase {
  db: ReadableDb;
  /** Inode of the database file, which distinguishes a removed site from a new site of the same name. */
  inode: number;
}

/** Databases of the sites, opened for reading on first use. They stay open between queries. */
export class ReadOnlyDatabases {
  readonly #home: string;
  readonly #openByPath = new Map<string, OpenDatabase>();

  constructor(home: string) {
    this.#home = home;
  }

  /** Runs `work` on one snapshot of each database. Throws `not_found` and database errors. Marks damaged databases. */
  read<Result>(name: string, work: (site: ReadOnlySite) => Result): Result {
    const file = readSite(this.#home, name);
    if (file === null) throw createContractError(createUnknownSiteError(name));
    const folder = getSiteFolder(this.#home, file.site);
    try {
      return this.#readOnce(file, folder, work);
    } catch (error) {
      if (!isDatabaseDamage(error)) throw error;
      return this.#readAgain(file, folder, work);
    }
  }

  /** Repeats a read on new connections, because long-lived connections may report damage in an intact file. */
  #readAgain<Result>(file: SiteFile, folder: string, work: (site: ReadOnlySite) => Result): Result {
    for (const kind of ['cache', 'books'] as const) this.#close(join(folder, `${kind}.db`));
    try {
      return this.#readOnce(file, folder, work);
    } catch (error) {
      if (isDatabaseDamage(error))
        for (const path of this.#openByPath.keys()) if (dirname(path) === folder) requestIntegrityCheck(path);
      throw error;
    }
  }

  #readOnce<Result>(file: SiteFile, folder: string, work: (site: ReadOnlySite) => Result): Result {
    return withSnapshots(
      (kind) => this.#open(folder, kind),
      ({ cache, books }) =>
        work({
          file,
          folder,
          get cache() {
            return cache();
          },
          get books() {
            return books();
          },
        }),
    );
  }

  close(): void {
    for (const { db } of this.#openByPath.values()) closeStore(db);
    this.#openByPath.clear();
  }

  #close(path: string): void {
    const existing = this.#openByPath.get(path);
    this.#openByPath.delete(path);
    if (existing !== undefined) closeStore(existing.db);
  }

  #open(folder: string, kind: StoreKind): ReadableDb {
    const path = join(folder, `${kind}.db`);
    const existing = this.#openByPath.get(path);
    if (existing !== undefined) {
      if (readInode(path) === existing.inode) return existing.db;
      this.#close(path);
    }
    const db = openStore(path, kind, { readonly: true });
    this.#openByPath.set(path, { db, inode: readInode(path) });
    return db;
  }
}

/** Calls `work` with functions that open a database on the first call. Each database is read from one snapshot. */
function withSnapshots<Result>(
  open: (kind: StoreKind) => ReadableDb,
  work: (begin: Record<StoreKind, () => ReadableDb>) => Result,
): Result {
  const begun = new Map<StoreKind, ReadableDb>();
  const begin = (kind: StoreKind) => {
    const db = begun.get(kind) ?? open(kind);
    if (!begun.has(kind)) prepareSql(db, 'BEGIN').run();
    begun.set(kind, db);
    return db;
  };
  try {
    return work({ cache: () => begin('cache'), books: () => begin('books') });
  } finally {
    for (const db of begun.values()) if (db.inTransaction) prepareSql(db, 'ROLLBACK').run();
  }
}
