import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hasRunningWork, interruptCrashedWork } from '../sites/crash-recovery.ts';
import { isSiteLocked } from '../sites/interrupted-state.ts';
import { otherProcessesOn } from '../sites/other-processes.ts';
import type { SiteDatabases } from '../sites/site-databases.ts';
import { siteFolder } from '../sites/site-file.ts';
import type { SiteLocks } from '../sites/site-lock.ts';
import { versionByOthers } from '../store/sqlite/change-counter.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import type { ChangeEvents, Topic } from './change-events.ts';
import type { Jobs } from './jobs.ts';

/** Detects writes by other processes and emits the same change events as local writes. */
export interface ExternalChangeWatcher {
  /** Called when a site's databases were opened. From then on, their changes are read from the databases. */
  opened(site: string): void;
  close(): void;
}

export interface ExternalChangeWatcherOptions {
  home: string;
  stores: SiteDatabases;
  jobs: Jobs;
  locks: SiteLocks;
  changes: ChangeEvents;
  unexpected: (error: unknown, doing: string) => string;
}

/** Polling interval in milliseconds. */
const POLL_INTERVAL_MS = 1000;
const OF_CACHE: readonly Topic[] = ['webhooks', 'statements', 'allocations', 'archive', 'sync', 'search'];
const OF_BOOKS: readonly Topic[] = [
  ...([
    'jobs',
    'sync',
    'replay',
    'allocations',
    'exceptions',
    'bank',
    'match',
    'periods',
    'archive',
  ] as const),
  ...(['audit', 'sites'] as const),
];
/** Files that show changes of a database that is not open here. */
const STORES = ['books.db', 'books.db-wal', 'cache.db', 'cache.db-wal'];

/**
 * Polls whether another process wrote to a database or file of the home, and whether one has crashed, so that its jobs
 * are interrupted.
 */
export function createExternalChangeWatcher({
  home,
  stores,
  jobs,
  locks,
  changes,
  unexpected,
}: ExternalChangeWatcherOptions): ExternalChangeWatcher {
  const { hasFileChanged, hasTextChanged, hasDatabaseChanged } = createChangeDetector();
  let openBefore = new Set<string>();

  /** Polls the files beside the databases, and the databases of sites that are not open here. */
  function pollFiles(): void {
    const names = sitesIn(home);
    // Writes before a database was opened here show in its files.
    const open = openBefore;
    openBefore = new Set(stores.opened().map(({ site }) => site));
    if (hasFileChanged('settings', [join(home, 'settings.json')])) changes.tell(null, 'settings');
    const siteFiles = names.map((site) => join(siteFolder(home, site), 'site.json'));
    if (hasFileChanged('sites', siteFiles)) changes.tell(null, 'sites');
    for (const site of names) pollSiteFiles(site, open.has(site));
  }

  function pollSiteFiles(site: string, isOpen: boolean): void {
    const folder = siteFolder(home, site);
    if (hasFileChanged(`copies of ${site}`, [join(folder, 'backups')])) changes.tell(site, 'backups');
    if (hasTextChanged(`others on ${site}`, JSON.stringify(otherProcessesOn(folder))))
      changes.tell(site, 'sync');
    const paths = STORES.map((file) => join(folder, file));
    if (hasFileChanged(site, paths) && !isOpen) changes.tell(site, ...OF_CACHE, ...OF_BOOKS);
  }

  function poll(): void {
    pollFiles();
    for (const open of stores.opened()) {
      try {
        if (hasDatabaseChanged(open.cache)) changes.tell(open.site, ...OF_CACHE);
        if (hasDatabaseChanged(open.books)) changes.tell(open.site, ...OF_BOOKS);
        interruptCrashedJobs(open);
      } catch (error) {
        unexpected(error, `looking at ${open.site}`);
      }
    }
  }

  function interruptCrashedJobs({
    site,
    folder,
    cache,
    books,
  }: ReturnType<SiteDatabases['opened']>[number]): void {
    if (jobs.running(site) !== null || !hasRunningWork(books) || isSiteLocked(folder)) return;
    const lock = locks.take(site, 'a look');
    if ('conflict' in lock) return;
    interruptCrashedWork({ cache, books }, Date.now());
    lock.release();
    changes.tell(site, 'jobs', 'sync', 'replay', 'allocations', 'archive');
  }

  pollFiles();
  const timer = setInterval(poll, POLL_INTERVAL_MS);
  timer.unref();
  return {
    opened(site) {
      pollFiles();
      for (const each of stores.opened()) {
        if (each.site !== site) continue;
        hasDatabaseChanged(each.cache);
        hasDatabaseChanged(each.books);
      }
    },
    close: () => clearInterval(timer),
  };
}

/** Creates functions that compare a state with the one at their last call. The first call returns false. */
function createChangeDetector() {
  const versions = new WeakMap<ReadableDb, number>();
  const texts = new Map<string, string>();

  function hasTextChanged(name: string, text: string): boolean {
    const before = texts.get(name);
    texts.set(name, text);
    return before !== undefined && before !== text;
  }

  return {
    hasTextChanged,
    /** Returns true if one of the files, known together as `name`, has changed. */
    hasFileChanged: (name: string, paths: readonly string[]) =>
      hasTextChanged(name, paths.map(stampOf).join(' ')),
    /** Returns true if another connection has written. */
    hasDatabaseChanged(db: ReadableDb): boolean {
      const version = versionByOthers(db);
      const before = versions.get(db);
      versions.set(db, version);
      return before !== undefined && before !== version;
    },
  };
}

function sitesIn(home: string): string[] {
  try {
    return readdirSync(join(home, 'sites')).sort();
  } catch {
    return [];
  }
}

/**
 * Returns a text that changes when a file is written or a folder gains or loses a file. An empty file counts as missing,
 * because opening a database creates its log.
 */
function stampOf(path: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return size === 0 ? '' : `${ino} ${size} ${mtimeMs}`;
  } catch {
    return '';
  }
}
