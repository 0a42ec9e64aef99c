import { join } from 'node:path';
import type { SiteFile } from '../sites/site-file.ts';
import { beginReading } from '../store/database.ts';
import { closeStore, openStore } from '../store/open.ts';
import type { WorkpaperSite } from '../workpaper/workpaper.ts';

/** A site as it is at one moment, on connections of its own: what others write meanwhile is not seen. To be closed. */
export interface SiteSnapshot extends WorkpaperSite {
  readonly folder: string;
  readonly file: SiteFile;
  close(): void;
}

/** Of each store that is held in memory: a snapshot is read from end to end, and the system keeps what is read twice. */
const CACHE_KB = 8192;

/** Opens a site's stores for reading at this moment. @throws as `openStore` does. */
export function snapshotOf({ folder, file }: { folder: string; file: SiteFile }): SiteSnapshot {
  const books = openStore(join(folder, 'books.db'), 'books', { readonly: true });
  try {
    const cache = openStore(join(folder, 'cache.db'), 'cache', { readonly: true });
    for (const db of [books, cache]) {
      db.pragma(`cache_size = ${-CACHE_KB}`);
      beginReading(db);
    }
    return {
      folder,
      file,
      books,
      cache,
      close() {
        closeStore(cache);
        closeStore(books);
      },
    };
  } catch (error) {
    closeStore(books);
    throw error;
  }
}
