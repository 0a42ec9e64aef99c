import { join } from 'node:path';
import type { SiteFile } from '../sites/site-file.ts';
import { closeStore, openStore } from '../store/database/open-store.ts';
import { beginReadTransaction } from '../store/sqlite/connection.ts';
import type { WorkpaperSite } from './workpaper-site.ts';

/** Snapshot of a site on its own database connections, unaffected by later writes. The caller must close it. */
export interface SiteSnapshot extends WorkpaperSite {
  readonly folder: string;
  readonly file: SiteFile;
  close(): void;
}

/** Size of the page cache per database in KiB. Small, because a snapshot is read once from start to end. */
const PAGE_CACHE_KIB = 8192;

/** Opens a snapshot of a site. Throws the errors of `openStore`. */
export function openSiteSnapshot({ folder, file }: { folder: string; file: SiteFile }): SiteSnapshot {
  const books = openStore(join(folder, 'books.db'), 'books', { readonly: true });
  try {
    const cache = openStore(join(folder, 'cache.db'), 'cache', { readonly: true });
    for (const db of [books, cache]) {
      db.pragma(`cache_size = ${-PAGE_CACHE_KIB}`);
      beginReadTransaction(db);
    }
    const close = () => {
      closeStore(cache);
      closeStore(books);
    };
    return { folder, file, books, cache, close };
  } catch (error) {
    closeStore(books);
    throw error;
  }
}
