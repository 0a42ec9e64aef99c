import { join } from 'node:path';
import { createContractError } from '../../contract/index.ts';
import { writeAuditAnchor } from '../store/audit-log/audit-anchor.ts';
import { backUpBooks } from '../store/backups/back-up-books.ts';
import { closeStore, openStore } from '../store/database/open-store.ts';
import { truncateLongWal } from '../store/database/truncate-long-wal.ts';
import type { WritableDb } from '../store/sqlite/connection.ts';
import type { RecoverySteps } from './crash-recovery.ts';
import type { OpenSite } from './open-site.ts';
import { readInode } from './read-inode.ts';
import { createUnknownSiteError, getSiteFolder, readSite } from './site-file.ts';
import type { SiteLocks } from './site-lock.ts';

export interface SiteDatabasesOptions {
  home: string;
  locks: SiteLocks;
  recovery: RecoverySteps;
  /** Called after a site's databases have been opened. */
  opened(site: string): void;
}

/** A site's open databases. `inode` is the inode of the books file, to detect a replaced file. */
type Databases = Pick<OpenSite, 'cache' | 'books'> & { readonly inode: number };

/** Interval in milliseconds at which the lengths of write-ahead logs are checked. */
const WAL_CHECK_INTERVAL_MS = 1000;

/** Databases of the sites, opened for writing. Each database opens on first use and stays open. */
export class SiteDatabases {
  readonly #options: SiteDatabasesOptions;
  readonly #openBySite = new Map<string, Databases>();
  readonly #walTimer: NodeJS.Timeout;

  constructor(options: SiteDatabasesOptions) {
    this.#options = options;
    this.#walTimer = setInterval(() => this.#truncateLongWals(), WAL_CHECK_INTERVAL_MS);
    this.#walTimer.unref();
  }

  /** Opens a site's databases. Throws `not_found` for an unknown site, and database errors. */
  open(site: string): OpenSite {
    const { home, opened } = this.#options;
    const file = readSite(home, site);
    if (file === null) throw createContractError(createUnknownSiteError(site));
    const folder = getSiteFolder(home, site);
    let databases = this.#openBySite.get(site);
    if (databases !== undefined && readInode(join(folder, 'books.db')) !== databases.inode) {
      this.#closeReplacedBooks(site, folder, databases);
      databases = undefined;
    }
    if (databases === undefined) {
      databases = openDatabases(folder);
      runRecoverySteps(site, { ...databases, folder }, this.#options);
      saveAuditAnchor(folder, databases.books);
      this.#openBySite.set(site, databases);
      opened(site);
    }
    return { file, folder, ...databases };
  }

  /** Returns the sites whose databases are open. */
  opened(): (Omit<OpenSite, 'file'> & { site: string })[] {
    const { home } = this.#options;
    return [...this.#openBySite].map(([site, databases]) => ({
      site,
      folder: getSiteFolder(home, site),
      ...databases,
    }));
  }

  /** Saves the current length and last hash of a site's audit log outside the books. */
  saveAuditAnchor(site: string): void {
    const { folder, books } = this.open(site);
    saveAuditAnchor(folder, books);
  }

  close(site: string): void {
    const databases = this.#openBySite.get(site);
    this.#openBySite.delete(site);
    if (databases === undefined) return;
    saveAuditAnchor(getSiteFolder(this.#options.home, site), databases.books);
    closeStore(databases.cache);
    closeStore(databases.books);
  }

  /** Backs up and closes books whose file was removed or replaced. The next opening then checks the new file. */
  #closeReplacedBooks(site: string, folder: string, { books }: Databases): void {
    try {
      backUpBooks(books, join(folder, 'books.db'), 'restore');
    } finally {
      this.close(site);
    }
  }

  #truncateLongWals(): void {
    for (const { cache, books } of this.#openBySite.values()) {
      truncateLongWal(cache);
      truncateLongWal(books);
    }
  }

  closeAll(): void {
    clearInterval(this.#walTimer);
    for (const site of [...this.#openBySite.keys()]) this.close(site);
  }
}

function openDatabases(folder: string): Databases {
  const path = join(folder, 'books.db');
  const books = openStore(path, 'books');
  try {
    return { books, inode: readInode(path), cache: openStore(join(folder, 'cache.db'), 'cache') };
  } catch (error) {
    closeStore(books);
    throw error;
  }
}

/** Runs the recovery steps. Skips steps that need the lock while another process is working on the site. */
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

/** Saves the audit anchor. Ignores errors: a full disk or a missing folder must not block opening or closing. */
function saveAuditAnchor(folder: string, books: WritableDb): void {
  try {
    writeAuditAnchor(folder, books, Date.now());
  } catch {
    // Ignored, because the next opening or closing of the databases saves the audit anchor again.
  }
}
