import { statSync } from 'node:fs';
import { join } from 'node:path';
import { contractError } from '../../contract/index.ts';
import { closeStore, isDamage, openStore, suspect } from '../store/database/open-store.ts';
import type { StoreKind } from '../store/migrations/migrate.ts';
import { prepared, type ReadableDb } from '../store/sqlite/connection.ts';
import { readSite, type SiteFile, siteFolder, unknownSiteError } from './site-file.ts';

/** Site with its databases opened for reading. Each database is opened on first use. */
export interface ReadOnlySite {
  readonly file: SiteFile;
  readonly folder: string;
  readonly cache: ReadableDb;
  readonly books: ReadableDb;
}

/** Databases of the sites, opened for reading. They stay open between queries. */
export interface ReadOnlyDatabases {
  /**
   * Runs `work` on one snapshot of each database and returns its result. Throws `not_found` for an unknown site, and
   * database errors. A damaged database is marked, so that it is checked when it is next opened for writing.
   */
  read<Result>(site: string, work: (site: ReadOnlySite) => Result): Result;
  close(): void;
}

interface OpenDatabase {
  db: ReadableDb;
  /** Inode of the database file. Distinguishes a removed site from a new one of the same name. */
  inode: number;
}

/** Opens databases for reading on first use and keeps them open until `close`. */
export function createReadOnlyDatabases(home: string): ReadOnlyDatabases {
  const opened = new Map<string, OpenDatabase>();

  function store(folder: string, kind: StoreKind): ReadableDb {
    const path = join(folder, `${kind}.db`);
    const existing = opened.get(path);
    if (existing !== undefined) {
      if (inodeOf(path) === existing.inode) return existing.db;
      opened.delete(path);
      closeStore(existing.db);
    }
    const db = openStore(path, kind, { readonly: true });
    opened.set(path, { db, inode: inodeOf(path) });
    return db;
  }

  return {
    read(name, work) {
      const file = readSite(home, name);
      if (file === null) throw contractError(unknownSiteError(name));
      const folder = siteFolder(home, file.site);
      return withSnapshots(
        (kind) => store(folder, kind),
        folder,
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
    },
    close() {
      for (const { db } of opened.values()) closeStore(db);
      opened.clear();
    },
  };
}

/** Calls `work` with functions that open a database on first call. Each database is read from one snapshot. */
function withSnapshots<Result>(
  open: (kind: StoreKind) => ReadableDb,
  folder: string,
  work: (begin: Record<StoreKind, () => ReadableDb>) => Result,
): Result {
  const begun = new Map<StoreKind, ReadableDb>();
  const begin = (kind: StoreKind) => {
    const db = begun.get(kind) ?? open(kind);
    if (!begun.has(kind)) prepared(db, 'BEGIN').run();
    begun.set(kind, db);
    return db;
  };
  try {
    return work({ cache: () => begin('cache'), books: () => begin('books') });
  } catch (error) {
    if (isDamage(error)) for (const kind of begun.keys()) suspect(join(folder, `${kind}.db`));
    throw error;
  } finally {
    for (const db of begun.values()) if (db.inTransaction) prepared(db, 'ROLLBACK').run();
  }
}

/** Returns the inode of a file, or 0 if the file does not exist. */
function inodeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? 0;
}
