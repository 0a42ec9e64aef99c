import { join } from 'node:path';
import { contractError } from '../../contract/index.ts';
import { finishDeletions } from '../archive/delete-pdfs.ts';
import { settleRegister } from '../archive/register.ts';
import { noteAnchor } from '../audit/anchor.ts';
import { settleImports } from '../bank/settle.ts';
import { clearUploads } from '../bank/uploads.ts';
import type { SiteLocks } from '../jobs/site-lock.ts';
import { settleClosings } from '../periods/settle.ts';
import type { WritableDb } from '../store/database.ts';
import { cancelRuns } from '../store/matching/match-run.ts';
import { closeStore, openStore } from '../store/open.ts';
import { interruptLeft } from './cut-off.ts';
import { noSuchSite, readSite, type SiteFile, siteFolder } from './site-file.ts';

/** A site as the writer works on it. */
export interface OpenSite {
  readonly file: SiteFile;
  readonly folder: string;
  readonly cache: WritableDb;
  readonly books: WritableDb;
}

/** The stores of the sites, each opened when first needed and kept open. */
export interface Stores {
  /** Throws `not_found` where there is no such site, and what the stores throw. */
  open(site: string): OpenSite;
  /** Those that are open. */
  opened(): { site: string; folder: string; cache: WritableDb; books: WritableDb }[];
  close(site: string): void;
  closeAll(): void;
}

/** `opened` hears of each site whose stores are opened. */
export function createStores(home: string, locks: SiteLocks, opened: (site: string) => void): Stores {
  const kept = new Map<string, { cache: WritableDb; books: WritableDb }>();

  function close(site: string): void {
    const stores = kept.get(site);
    kept.delete(site);
    if (stores === undefined) return;
    noteEnd(siteFolder(home, site), stores.books);
    closeStore(stores.cache);
    closeStore(stores.books);
  }

  return {
    open(site) {
      const file = readSite(home, site);
      if (file === null) throw contractError(noSuchSite(site));
      const folder = siteFolder(home, site);
      let stores = kept.get(site);
      if (stores === undefined) {
        const books = openStore(join(folder, 'books.db'), 'books');
        try {
          stores = { books, cache: openStore(join(folder, 'cache.db'), 'cache') };
        } catch (error) {
          closeStore(books);
          throw error;
        }
        settleRegister({ ...stores, folder }, Date.now());
        settle(site, folder, stores, locks);
        noteEnd(folder, books);
        kept.set(site, stores);
        opened(site);
      }
      return { file, folder, ...stores };
    },
    opened: () => [...kept].map(([site, stores]) => ({ site, folder: siteFolder(home, site), ...stores })),
    close,
    closeAll() {
      for (const site of [...kept.keys()]) close(site);
    },
  };
}

/** What a process that is gone left running is interrupted; where another one works on the site, it is none of ours. */
function settle(
  site: string,
  folder: string,
  { cache, books }: { cache: WritableDb; books: WritableDb },
  locks: SiteLocks,
): void {
  const lock = locks.take(site, 'opening');
  if ('held' in lock) return;
  try {
    const now = Date.now();
    interruptLeft({ cache, books }, now);
    cancelRuns(books, now);
    settleImports(books, now);
    settleClosings(books);
    clearUploads(folder);
    finishDeletions({ cache, books, folder });
  } finally {
    lock.release();
  }
}

/** A disk that is full, or a folder that is gone, is no reason to keep stores from being opened or closed. */
function noteEnd(folder: string, books: WritableDb): void {
  try {
    noteAnchor(folder, books, Date.now());
  } catch {
    // It is noted the next time.
  }
}
