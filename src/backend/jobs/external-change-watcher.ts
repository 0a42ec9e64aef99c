import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isSiteLocked } from '../sites/actual-job-state.ts';
import { hasRunningWork, interruptCrashedWork } from '../sites/crash-recovery.ts';
import { findOtherProcesses } from '../sites/other-processes.ts';
import type { SiteDatabases } from '../sites/site-databases.ts';
import { siteFolder } from '../sites/site-file.ts';
import type { SiteLocks } from '../sites/site-lock.ts';
import { versionByOthers } from '../store/sqlite/change-counter.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import type { ChangeEvents, ChangeTopic } from './change-events.ts';
import type { Jobs } from './jobs.ts';

/** Detects writes by other processes and emits the same change events as local writes. */
export interface ExternalChangeWatcher {
  /** Starts watching the databases of a site through their connections. Call it when they have been opened. */
  watchSite(site: string): void;
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
const CACHE_TOPICS: readonly ChangeTopic[] = [
  'webhooks',
  'statements',
  'allocations',
  'archive',
  'sync',
  'search',
];
const BOOKS_TOPICS: readonly ChangeTopic[] = [
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
/** Files watched for changes of databases that are not open in this process. */
const DATABASE_FILES = ['books.db', 'books.db-wal', 'cache.db', 'cache.db-wal'];

/** Polls for writes by other processes, and marks the jobs of crashed processes as interrupted. */
export function createExternalChangeWatcher({
  home,
  stores,
  jobs,
  locks,
  changes,
  unexpected,
}: ExternalChangeWatcherOptions): ExternalChangeWatcher {
  const { hasFileChanged, hasTextChanged, hasDatabaseChanged } = createChangeDetector();
  let openAtLastPoll = new Set<string>();

  /** Polls the files next to the databases, and the databases of sites that are not open in this process. */
  function pollFiles(): void {
    const names = listSiteFolders(home);
    // Uses the sites that were open at the last poll, because writes before a database was opened here show only in its
    // files.
    const open = openAtLastPoll;
    openAtLastPoll = new Set(stores.opened().map(({ site }) => site));
    if (hasFileChanged('settings', [join(home, 'settings.json')])) changes.emit(null, 'settings');
    const siteFiles = names.map((site) => join(siteFolder(home, site), 'site.json'));
    if (hasFileChanged('sites', siteFiles)) changes.emit(null, 'sites');
    for (const site of names) pollSiteFiles(site, open.has(site));
  }

  function pollSiteFiles(site: string, isOpen: boolean): void {
    const folder = siteFolder(home, site);
    if (hasFileChanged(`copies of ${site}`, [join(folder, 'backups')])) changes.emit(site, 'backups');
    if (hasTextChanged(`others on ${site}`, JSON.stringify(findOtherProcesses(folder))))
      changes.emit(site, 'sync');
    const paths = DATABASE_FILES.map((file) => join(folder, file));
    if (hasFileChanged(site, paths) && !isOpen) changes.emit(site, ...CACHE_TOPICS, ...BOOKS_TOPICS);
  }

  function poll(): void {
    pollFiles();
    for (const open of stores.opened()) {
      try {
        if (hasDatabaseChanged(open.cache)) changes.emit(open.site, ...CACHE_TOPICS);
        if (hasDatabaseChanged(open.books)) changes.emit(open.site, ...BOOKS_TOPICS);
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
    if (jobs.findRunning(site) !== null || !hasRunningWork(books) || isSiteLocked(folder)) return;
    const lock = locks.acquire(site, 'a look');
    if ('conflict' in lock) return;
    interruptCrashedWork({ cache, books }, Date.now());
    lock.release();
    changes.emit(site, 'jobs', 'sync', 'replay', 'allocations', 'archive');
  }

  pollFiles();
  const timer = setInterval(poll, POLL_INTERVAL_MS);
  timer.unref();
  return {
    watchSite(site) {
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

/** Creates functions that compare a state with the one at the previous call. The first call returns false. */
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
    /** Returns true if one of the files has changed. `name` identifies the group of files. */
    hasFileChanged: (name: string, paths: readonly string[]) =>
      hasTextChanged(name, paths.map(fileStamp).join(' ')),
    /** Returns true if another connection has written to the database. */
    hasDatabaseChanged(db: ReadableDb): boolean {
      const version = versionByOthers(db);
      const before = versions.get(db);
      versions.set(db, version);
      return before !== undefined && before !== version;
    },
  };
}

function listSiteFolders(home: string): string[] {
  try {
    return readdirSync(join(home, 'sites')).sort();
  } catch {
    return [];
  }
}

/**
 * Returns a text that changes when a file is written or a folder gains or loses a file. An empty file counts as missing,
 * because opening a database creates an empty write-ahead log.
 */
function fileStamp(path: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return size === 0 ? '' : `${ino} ${size} ${mtimeMs}`;
  } catch {
    return '';
  }
}
