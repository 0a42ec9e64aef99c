import { statSync } from 'node:fs';
import { join } from 'node:path';
import { contractError } from '../../contract/index.ts';
import { noSuchSite, readSite, type SiteFile, siteFolder } from '../sites/site-file.ts';
import { prepared, type ReadableDb } from '../store/database.ts';
import type { StoreKind } from '../store/migrate.ts';
import { closeStore, isDamage, openStore, suspect } from '../store/open.ts';

/** A site as the reader sees it; a store is opened when it is first asked for. */
export interface ReadSite {
  readonly file: SiteFile;
  readonly folder: string;
  readonly cache: ReadableDb;
  readonly books: ReadableDb;
}

/** The stores of the sites, opened for reading and kept open. */
export interface ReadStores {
  /**
   * Gives what `work` reads of a site, all of it from one state of each store. Throws `not_found` where there is no such site, and what the stores throw; a store
   * that shows damage is marked, so that it is looked through when it is opened for writing next.
   */
  read<Result>(site: string, work: (site: ReadSite) => Result): Result;
  close(): void;
}

interface Opened {
  db: ReadableDb;
  /** Which file it was: a site set aside and one of its name made anew are not the same. */
  file: number;
}

/** Opens stores for reading when they are first asked for, and keeps them open. To be closed. */
export function createReadStores(home: string): ReadStores {
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
      if (file === null) throw contractError(noSuchSite(name));
      const folder = siteFolder(home, file.site);
      const reading = new Map<StoreKind, ReadableDb>();
      const begun = (kind: StoreKind) => {
        const db = reading.get(kind) ?? store(folder, kind);
        if (!reading.has(kind)) prepared(db, 'BEGIN').run();
        reading.set(kind, db);
        return db;
      };
      try {
        return work({
          file,
          folder,
          get cache() {
            return begun('cache');
          },
          get books() {
            return begun('books');
          },
        });
      } catch (error) {
        if (isDamage(error)) for (const kind of reading.keys()) suspect(join(folder, `${kind}.db`));
        throw error;
      } finally {
        for (const db of reading.values()) if (db.inTransaction) prepared(db, 'ROLLBACK').run();
      }
    },
    close() {
      for (const { db } of opened.values()) closeStore(db);
      opened.clear();
    },
  };
}

/** The number of the file that has this name now; 0 where none has. */
function fileAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? 0;
}
