import { join } from 'node:path';
import { contractError } from '../../contract/index.ts';
import { noteAnchor } from '../store/audit-log/audit-anchor.ts';
import { closeStore, openStore } from '../store/database/open-store.ts';
import type { WritableDb } from '../store/sqlite/connection.ts';
import type { RecoverySteps } from './crash-recovery.ts';
import type { OpenSite } from './open-site.ts';
import { noSuchSiteError, readSite, siteFolder } from './site-file.ts';
import type { SiteLocks } from './site-lock.ts';

/** The databases of the sites. Each is opened on first use and stays open. */
export interface SiteDatabases {
  /** Opens a site. Throws `not_found`, and the errors of its databases. */
  open(site: string): OpenSite;
  /** Returns the sites that are open. */
  opened(): { site: string; folder: string; cache: WritableDb; books: WritableDb }[];
  close(site: string): void;
  closeAll(): void;
}

export interface SiteDatabasesOptions {
  home: string;
  locks: SiteLocks;
  recovery: RecoverySteps;
  /** Called for each site whose databases are opened. */
  opened(site: string): void;
}

export function createSiteDatabases({ home, locks, recovery, opened }: SiteDatabasesOptions): SiteDatabases {
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
      if (file === null) throw contractError(noSuchSiteError(site));
      const folder = siteFolder(home, site);
      let stores = kept.get(site);
      if (stores === undefined) {
        stores = openDatabases(folder);
        recover(site, { ...stores, folder }, { locks, recovery });
        noteEnd(folder, stores.books);
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

function openDatabases(folder: string): { cache: WritableDb; books: WritableDb } {
  const books = openStore(join(folder, 'books.db'), 'books');
  try {
    return { books, cache: openStore(join(folder, 'cache.db'), 'cache') };
  } catch (error) {
    closeStore(books);
    throw error;
  }
}

/** Runs the recovery steps. Those that need the lock are left out while another process is working on the site. */
function recover(
  name: string,
  site: Pick<OpenSite, 'cache' | 'books' | 'folder'>,
  { locks, recovery }: Pick<SiteDatabasesOptions, 'locks' | 'recovery'>,
): void {
  const now = Date.now();
  for (const step of recovery.always) step(site, now);
  const lock = locks.take(name, 'opening');
  if ('conflict' in lock) return;
  try {
    for (const step of recovery.exclusive) step(site, now);
  } finally {
    lock.release();
  }
}

/** A full disk or a missing folder must not prevent databases from being opened or closed. */
function noteEnd(folder: string, books: WritableDb): void {
  try {
    noteAnchor(folder, books, Date.now());
  } catch {
    // It is noted the next time.
  }
}
