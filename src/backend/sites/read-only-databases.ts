import { statSync } from 'node:fs';
import { join } from 'node:path';
import { contractError } from '../../contract/index.ts';
import { closeStore, isDamage, openStore, suspect } from '../store/database/open-store.ts';
import type { StoreKind } from '../store/migrations/migrate.ts';
import { prepared, type ReadableDb } from '../store/sqlite/connection.ts';
import { noSuchSiteError, readSite, type SiteFile, siteFolder } from './site-file.ts';

/** A site opened by the reader. Each database is opened on first use. */
export interface ReadOnlySite {
  readonly file: SiteFile;
  readonly folder: string;
  readonly cache: ReadableDb;
  readonly books: ReadableDb;
}

/** The sites' databases, opened for reading and kept open. */
export interface ReadOnlyDatabases {
  /**
   * Returns the result of `work`, which reads from one snapshot of each database. Throws `not_found`, and the errors of
   * the databases. A database with damage is marked for a check when it is next opened for writing.
   */
  read<Result>(site: string, work: (site: ReadOnlySite) => Result): Result;
  close(): void;
}

interface Opened {
  db: ReadableDb;
  /** Inode of the file, to distinguish a removed site from a new one of the same name. */
  file: number;
}

/** Opens databases for reading on first use and keeps them open. Must be closed. */
export function createReadOnlyDatabases(home: string): ReadOnlyDatabases {
  const opened = new Map<string, Opened>();

  function store(folder: string, kind: StoreKind): ReadableDb {
    const path = join(folder, `${kind}.db`);
    const known = opened.get(path);
    if (known !== undefined) {
      if (fileAt(path) === known.file) return known.db;
      opened.delete(path);
      closeStore(known.db);
    }
    const db = openStore(path, kind, { readonly: true });
    opened.set(path, { db, file: fileAt(path) });
    return db;
  }

  return {
    read(name, work) {
      const file = readSite(home, name);
      if (file === null) throw contractError(noSuchSiteError(name));
      const folder = siteFolder(home, file.site);
      return inSnapshots(
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

/** Calls `work` with functions that open a database at their first call. Each database is read from one snapshot. */
function inSnapshots<Result>(
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

/** Returns the inode of a file, or 0 if it does not exist. */
function fileAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? 0;
}
