import { join } from 'node:path';
import { contractError } from '../../contract/index.ts';
import { noteAnchor } from '../store/audit-log/audit-anchor.ts';
import { closeStore, openStore } from '../store/database/open-store.ts';
import type { WritableDb } from '../store/sqlite/connection.ts';
import type { RecoverySteps } from './crash-recovery.ts';
import type { OpenSite } from './open-site.ts';
import { readSite, siteFolder, unknownSiteError } from './site-file.ts';
import type { SiteLocks } from './site-lock.ts';

/** Databases of the sites, opened for writing. Each is opened on first use and stays open. */
export interface SiteDatabases {
  /** Opens a site's databases. Throws `not_found` for an unknown site, and database errors. */
  open(site: string): OpenSite;
  /** Returns the sites whose databases are open. */
  opened(): { site: string; folder: string; cache: WritableDb; books: WritableDb }[];
  close(site: string): void;
  closeAll(): void;
}

export interface SiteDatabasesOptions {
  home: string;
  locks: SiteLocks;
  recovery: RecoverySteps;
  /** Called after a site's databases have been opened. */
  opened(site: string): void;
}

export function createSiteDatabases({ home, locks, recovery, opened }: SiteDatabasesOptions): SiteDatabases {
  const openBySite = new Map<string, { cache: WritableDb; books: WritableDb }>();

  function close(site: string): void {
    const stores = openBySite.get(site);
    openBySite.delete(site);
    if (stores === undefined) return;
    saveAuditAnchor(siteFolder(home, site), stores.books);
    closeStore(stores.cache);
    closeStore(stores.books);
  }

  return {
    open(site) {
      const file = readSite(home, site);
      if (file === null) throw contractError(unknownSiteError(site));
      const folder = siteFolder(home, site);
      let stores = openBySite.get(site);
      if (stores === undefined) {
        stores = openDatabases(folder);
        runRecoverySteps(site, { ...stores, folder }, { locks, recovery });
        saveAuditAnchor(folder, stores.books);
        openBySite.set(site, stores);
        opened(site);
      }
      return { file, folder, ...stores };
    },
    opened: () =>
      [...openBySite].map(([site, stores]) => ({ site, folder: siteFolder(home, site), ...stores })),
    close,
    closeAll() {
      for (const site of [...openBySite.keys()]) close(site);
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

/** Runs the recovery steps. Skips those that need the lock while another process is working on the site. */
function runRecoverySteps(
  name: string,
  site: Pick<OpenSite, 'cache' | 'books' | 'folder'>,
  { locks, recovery }: Pick<SiteDatabasesOptions, 'locks' | 'recovery'>,
): void {
  const now = Date.now();
  for (const step of recovery.always) step(site, now);
  const lock = locks.acquire(name, 'opening');
  if ('conflict' in lock) return;
  try {
    for (const step of recovery.exclusive) step(site, now);
  } finally {
    lock.release();
  }
}

/**
 * Saves the audit anchor. Errors are ignored, because a full disk or a missing folder must not prevent opening or closing
 * databases.
 */
function saveAuditAnchor(folder: string, books: WritableDb): void {
  try {
    noteAnchor(folder, books, Date.now());
  } catch {
    // It is noted the next time.
  }
}
